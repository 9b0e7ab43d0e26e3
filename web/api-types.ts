/**
 * Writes web/src/api/schema.d.ts, the types of the requests and answers that the pages use. It is not in Git: `npm run check`, `npm run dev`
 * and the build of the pages run this. The tests need no types.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { typesForPages } from './page-types.ts';
import { documentOfRoutes } from './routes-document.ts';

const path = join(import.meta.dirname, 'src/api/schema.d.ts');
const types = await typesForPages(await documentOfRoutes());
// An unchanged file keeps its time, for programs that watch it. Another check may read it at this moment.
if ((await readFile(path, 'utf8').catch(() => undefined)) !== types) {
  const own = `${path}.${process.pid}`;
  await writeFile(own, types);
  await rename(own, path);
}
