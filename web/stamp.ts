import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documents of the interface that the API document refers to, at `/api/docs/NAME`. */
export const shownDocuments = ['terminal', 'errors'];

/**
 * A hash of what the pages are built from: their sources, the documents that they show, and the locked dependencies.
 *
 * @param root the project's folder
 */
export function pagesStamp(root: string): string {
  const folder = join(root, 'web');
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  for (const path of paths.filter(isSource).sort()) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  for (const path of shownDocuments.map((name) => join(root, 'docs', `${name}.md`)))
    if (existsSync(path)) hash.update(readFileSync(path));
  return hash.digest('hex');
}

/** Types are no part of what is built, and those of the API are made beside a build. */
const isSource = (path: string): boolean => !/[\\/](dist|\.[^\\/]+)([\\/]|$)|\.d\.ts/.test(path);
