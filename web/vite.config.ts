import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { earlyScripts, scriptGroups, selfSufficientDocument } from './script-groups.ts';

const service = `http://127.0.0.1:${process.env['PORT'] ?? '8000'}`;

/** Takes the file of a package that needs no document. */
const withoutDocument = (name: string): Plugin => ({
  name: 'without-document',
  enforce: 'pre',
  resolveId: (id) => (id === name ? fileURLToPath(import.meta.resolve(name)) : undefined),
});

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Outside node_modules, which several checkouts may share.
  cacheDir: '.vite',
  plugins: [react(), tailwindcss(), earlyScripts(), selfSufficientDocument()],
  // Threads have modules, and no document: the package below decodes with a document otherwise.
  worker: { format: 'es', plugins: () => [withoutDocument('decode-named-character-reference')] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // Browsers without module preloads load the same files a little later.
    modulePreload: { polyfill: false },
    // Small files as data: addresses would be neither cached apart nor covered by the pages' policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { codeSplitting: { groups: scriptGroups } } },
  },
  server: {
    host: '127.0.0.1',
    // The host stays as the browser sent it, so the service takes the pages for its own.
    proxy: { '/api': { target: service }, '/avatars': service, '/ws': { target: service, ws: true } },
  },
});
