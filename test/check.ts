/** All static checks of the sources. Every check runs, even after one has failed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const tool = (name: string, path: string) => join(root, 'node_modules', name, path);

/** The folders that the rules of .dependency-cruiser.ts cover. */
const sources = [
  '.dependency-cruiser.ts',
  'src',
  'packages',
  'tools',
  'web',
  'images',
  'bench',
  'test',
  'client',
  'launch.mjs',
];

const checks: [string, string[]][] = [
  // First, because the next two read what it writes.
  ['types of the API', [join(root, 'web/api-types.ts')]],
  ['types', [tool('typescript-native', 'bin/tsc'), '--noEmit']],
  ['types of pages', [tool('typescript-native', 'bin/tsc'), '--noEmit', '-p', 'web']],
  ['format, lint', [tool('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings']],
  ['lint by type', [tool('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['unused code', [tool('knip', 'bin/knip.js'), '--no-config-hints']],
  ['imports', [tool('dependency-cruiser', 'bin/dependency-cruiser.mjs'), '--config', ...sources]],
];

let failures = 0;
for (const [name, args] of checks) {
  const begin = performance.now();
  const { isGood, output } = await run(args);
  if (!isGood) failures += 1;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds} s`);
  if (!isGood) console.log(output.trimEnd());
}
console.log(failures === 0 ? 'All checks passed.' : `${failures} of ${checks.length} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;

async function run(args: string[]): Promise<{ isGood: boolean; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const isGood = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
  return { isGood, output: Buffer.concat(chunks).toString() };
}
