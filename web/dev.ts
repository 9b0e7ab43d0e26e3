/** The service, started anew on every change of it, and the pages with hot reload in front of it: `npm run dev`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
// For the editor. The pages are served without types.
spawn(process.execPath, ['web/api-types.ts'], { cwd: root, stdio: 'inherit' });
const pages = await createServer({ configFile: join(import.meta.dirname, 'vite.config.ts') });
await pages.listen();
const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'src/main.ts', 'start', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.stderr.write(`${'pages'.padEnd(13)} with hot reload: ${pages.resolvedUrls?.local[0] ?? 'not served'}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
service.on('exit', (code) => {
  void pages.close().finally(() => process.exit(code ?? 0));
});
