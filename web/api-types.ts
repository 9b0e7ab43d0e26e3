/**
 * Writes schema.d.ts, the types of the requests and answers, for the pages and the client. It is not in Git: `npm run check`, `npm run dev`,
 * `npm run client` and the build of the pages run this. The tests need no types.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { typesForPages } from './page-types.ts';
import { documentOfRoutes } from './routes-document.ts';

const types = await typesForPages(await documentOfRoutes());
// The image of the service has no client.
for (const folder of ['src/api', '../client'].map((name) => join(import.meta.dirname, name)).filter(existsSync)) {
  const path = join(folder, 'schema.d.ts');
  // An unchanged file keeps its time, for programs that watch it. Another check may read it at this moment.
  if ((await readFile(path, 'utf8').catch(() => undefined)) === types) continue;
  const own = `${path}.${process.pid}`;
  await writeFile(own, types);
  await rename(own, path);
}
