/**
 * Builds the pages into web/dist, each file also compressed, so that the service has nothing to compress while it serves. A stamp
 * beside them records what they were built from; src/commands/prepare-pages.ts compares it.
 */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { writeReferencePage } from './reference.ts';
import { pagesStamp } from './stamp.ts';

const root = import.meta.dirname;
// Read first: sources that change during the build are built again.
const stamp = pagesStamp(join(root, '..'));
const finished = join(root, 'dist');
// Built beside, then swapped: a service that runs meanwhile continues with the older ones, and one that is killed leaves no half.
const fresh = join(root, `.dist-${process.pid}`);
const old = join(root, `.old-${process.pid}`);
const minCompressed = 1024;
/** Bytes from which the best compression takes seconds, for a tenth less. */
const large = 1024 * 1024;

try {
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir: fresh } });
  await writeReferencePage(fresh);
  // The manifest is not served.
  const files = (await readdir(fresh, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.parentPath.endsWith('.vite'),
  );
  for (const { parentPath, name } of files) {
    if (/\.(js|css|svg|html|json|wasm)$/.test(name)) await compress(join(parentPath, name));
  }
  await writeFile(join(fresh, '.stamp'), stamp);
  await swap();
  // For the editor. A build removes types without reading them.
  await import('./api-types.ts');
} finally {
  await rm(fresh, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
}

/** Puts the fresh pages in the place of the finished ones, also where another build does the same at this moment. */
async function swap(): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await rm(old, { recursive: true, force: true });
    await rename(finished, old).catch(() => {});
    try {
      await rename(fresh, finished);
      return;
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < minCompressed) return;
  const quality = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: bytes.length < large ? 11 : 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
