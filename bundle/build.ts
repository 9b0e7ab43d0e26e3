/**
 * `node bundle/build.ts FOLDER STAMP`: bundles the service's modules, and those packages that consist of many small ones, into a few
 * files. Node loads them in two thirds of the time (bench/README.md). The launcher builds and uses them. All other packages, and
 * the programs of worker threads, are loaded from where they are.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const [folder, stamp] = process.argv.slice(2);
if (folder === undefined || stamp === undefined) throw new Error('Usage: node bundle/build.ts FOLDER STAMP');
const root = join(import.meta.dirname, '..');
const fresh = `${folder}.new-${process.pid}`;

/** A module keeps the address of its source: it finds its files and its threads' programs from there. */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('node_modules')) return undefined;
    const kept = code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
    // The lines stay where they are, which is what a stack trace names.
    return { code: kept, map: null };
  },
};

try {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [keepAddresses],
    ssr: { noExternal: ['kysely', 'typebox', 'lru-cache', 'yaml'] },
    build: {
      ssr: join(root, 'src/main.ts'),
      outDir: fresh,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  await writeFile(join(fresh, 'stamp'), stamp);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
} finally {
  await rm(fresh, { recursive: true, force: true });
}
