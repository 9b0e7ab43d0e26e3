/** `npm run bench [-- NAME...]`: all benchmarks, or those that are named; prints the rows of the table in README.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { preparePages } from '../src/commands/prepare-pages.ts';

const benchmarks = [
  'bodies',
  'change-feed',
  'dashboard',
  'exam-day',
  'exam-room',
  'exams',
  'grading',
  'hostile',
  'http',
  'idle-terminals',
  'kubernetes',
  'large-lists',
  'lessons',
  'logins',
  'long-lessons',
  'pages',
  'processes',
  'search',
  'start-storm',
  'storm',
  'terminal',
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No such benchmark: ${unknown.join(', ')}. There are: ${benchmarks.join(', ')}\n`);
  process.exit(2);
}
await preparePages((step, text) => void process.stderr.write(`${step.padEnd(13)} ${text}\n`));
process.stdout.write('| what | ours | reference | ratio | bound |\n|---|---|---|---|---|\n');
for (const name of wanted.length > 0 ? wanted : benchmarks) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
