/**
 * The requests of a lesson (the tree of courses, a theme, its text, its completion) by 32 connections of 32 students, against a bare
 * Fastify route that checks the token and runs one prepared statement with the same answer. Rounds alternate. Below the rates: the
 * processor time of a request, in the service and in PostgreSQL. Then the latency of the tree's first page with 500 courses and 20,000
 * themes, and the processor time of the first request after a change. `COMMIT_DELAY=100` sets PostgreSQL's `commit_delay`, in microseconds.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { median, prepareEnvironment, report, timed } from './environment.ts';
import { launch } from './launch.ts';
import { databaseSeconds, processorSeconds } from './processor-time.ts';

const rounds = Number(process.env['ROUNDS'] ?? '7');
const seconds = 3;
const connections = 32;
const truncation = 300;

type Hello = { url: string; tokens: string[]; secret: string };
type Side = { url: string; child: ChildProcess };
type Load = { name: string; bound: string; method: 'GET' | 'POST'; paths: string[]; header?: Record<string, string> };
type Measured = { rate: number; service: number; database: number };

const commitDelay = process.env['COMMIT_DELAY'];
await using environment = await prepareEnvironment(commitDelay === undefined ? {} : { commit_delay: commitDelay });
const { databasePid } = environment;
const service = await launch<Hello>('lessons-process.ts', '10', '10', '8');
const { url, tokens, secret } = service.hello;
const bare = await launch<Hello>('bare-lessons-process.ts', url, tokens[0] ?? '', secret);

/** Each connection sends the requests of its own student. */
async function run(side: Side, { method, paths, header = {} }: Load): Promise<Measured> {
  const pid = side.child.pid ?? 0;
  const before = { service: processorSeconds(pid), database: databaseSeconds(databasePid) };
  let next = 0;
  const result = await autocannon({
    url: side.url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const authorization = `Bearer ${tokens[next % tokens.length]}`;
      next += 1;
      client.setRequests(paths.map((path) => ({ method, path, headers: { ...header, authorization } })));
    },
  });
  const refused = result.non2xx - result['3xx'];
  if (refused > 0 || result.errors > 0) throw new Error(`${paths[0]}: ${refused} refused, ${result.errors} failed`);
  const milliseconds = (now: number, then: number): number => (1000 * (now - then)) / result.requests.total;
  return {
    rate: result.requests.average,
    service: milliseconds(processorSeconds(pid), before.service),
    database: milliseconds(databaseSeconds(databasePid), before.database),
  };
}

const treePath = '/api/lessons/courses';
const { headers } = await fetch(url + treePath, { headers: { authorization: `Bearer ${tokens[0]}` } });
const themes = Array.from({ length: 800 }, (_, index) => index + 1);
const loads: Load[] = [
  { name: 'tree of courses (800 themes)', bound: '≥ 0.74', method: 'GET', paths: [treePath] },
  { name: 'theme', bound: '≥ 0.64', method: 'GET', paths: ['/api/lessons/themes/7'] },
  { name: 'text of a theme', bound: '≥ 0.68', method: 'GET', paths: ['/api/lessons/themes/7/content'] },
  {
    ...{ name: 'complete', bound: '≥ 0.35', method: 'POST' },
    paths: themes.map((theme) => `/api/lessons/themes/${theme}/complete`),
  },
];
void headers;
const only = process.env['ONLY'];
for (const load of loads.filter(({ name }) => only === undefined || name.startsWith(only))) {
  const [ours, reference]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, measured] of [
      [{ url, child: service.child }, ours],
      [{ url: bare.hello.url, child: bare.child }, reference],
    ] as const) {
      // Completions begin with themes that nobody has completed.
      if (load.method === 'POST') side.child.kill('SIGUSR2');
      await delay(truncation);
      measured.push(await run(side, load));
    }
  }
  const middle = (side: Measured[], name: keyof Measured): number => median(side.map((one) => one[name]));
  const rates = [...ours].map(({ rate }) => rate).sort((a, b) => a - b);
  report(`${load.name} / bare route`, middle(ours, 'rate'), middle(reference, 'rate'), 'requests/s', load.bound);
  process.stderr.write(`${load.name}: ${rates[0]} to ${rates.at(-1)} requests/s\n`);
  for (const [name, what] of [
    ['service', 'in the service'],
    ['database', 'in PostgreSQL'],
  ] as const) {
    report(`processor time of ${load.name}, ${what}`, middle(ours, name), middle(reference, name), 'ms', '');
  }
}

for (const { child } of [service, bare]) {
  child.kill();
  await once(child, 'exit');
}
void timed;
