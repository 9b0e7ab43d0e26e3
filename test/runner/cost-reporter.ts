/** `npm test -- --profile`: a table of what each test file has cost, the dearest first, and the dearest tests. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import type { Cost } from './cost-probe.ts';
import { childrenMs } from './cpu-time.ts';

type Row = { name: string; cpuMs: number; wallMs: number; tests: number; containers: number };

const dearestTests = 40;

export default async function* profile(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const before = machineMs();
  const begin = performance.now();
  /** The file of each suite, and of each test that stands alone. */
  const files = new Map<string, string>();
  for await (const { type, data } of source)
    if (type === 'test:start' && data.nesting === 0 && data.file) files.set(data.name, relative('', data.file));
  const costs = readCosts();
  const byFile = table(costs, ({ suite }) => files.get(suite) ?? suite);
  const byTest = table(costs, ({ test }) => test);
  const all = sum(costs.map(({ cpuMs }) => cpuMs));
  yield '\n';
  yield* lines('files', byFile);
  yield* lines(`the ${dearestTests} dearest tests`, byTest.slice(0, dearestTests));
  yield `CPU seconds: ${seconds(all)} of the tests' processes and their children, ${seconds(childrenMs('postgres'))} of PostgreSQL`;
  yield `, ${seconds(machineMs() - before)} of the machine, in ${seconds(performance.now() - begin)} s\n`;
}

function readCosts(): Cost[] {
  const lines = readFileSync(process.env['TEST_PROFILE'] ?? '', 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Cost);
}

function table(costs: readonly Cost[], nameOf: (cost: Cost) => string): Row[] {
  const rows = [...Map.groupBy(costs, nameOf)].map(([name, some]) => ({
    name,
    cpuMs: sum(some.map(({ cpuMs }) => cpuMs)),
    wallMs: sum(some.map(({ wallMs }) => wallMs)),
    tests: some.length,
    containers: sum(some.map(({ containers }) => containers)),
  }));
  return rows.sort((a, b) => b.cpuMs - a.cpuMs);
}

function* lines(title: string, rows: readonly Row[]): Generator<string> {
  yield `${'CPU s'.padStart(8)}${'wall s'.padStart(8)}${'tests'.padStart(7)}${'containers'.padStart(12)}  ${title}\n`;
  for (const { name, cpuMs, wallMs, tests, containers } of rows)
    yield `${seconds(cpuMs).padStart(8)}${seconds(wallMs).padStart(8)}${`${tests}`.padStart(7)}${`${containers}`.padStart(12)}  ${name}\n`;
  yield '\n';
}

/** Of all processes of the machine, the tests' PostgreSQL and engine among them, since it was started. */
const machineMs = (): number => sum(cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq));
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
