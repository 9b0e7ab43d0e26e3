/**
 * The requests of a lesson (the tree of courses, a theme, its text, its completion) and of the dashboard's figures by 32 connections of 32
 * students, and pages of 50 of 2,000 users by 32 connections of an administrator, against a bare
 * Fastify route that checks the token and runs one prepared statement with the same answer. Rounds alternate. Below each rate: the
 * processor time of a request, in the service and in PostgreSQL. Then the latency of the tree's first page with 500 courses and 20,000
 * themes, against that with 10 courses and 800 themes, and the same as the first request after a change of the catalogue.
 * Then completions with PostgreSQL's `commit_delay`, against those without, and how many of them one write to the disk confirms.
 *
 * `ONLY=complete` measures the rows whose name begins so.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { median, prepareEnvironment, report, timed } from './environment.ts';
import { launch } from './launch.ts';
import { databaseSeconds, processorSeconds } from './processor-time.ts';

const rounds = 7;
const seconds = 3;
const connections = 32;
const treePath = '/api/lessons/courses';

type Hello = { url: string; begin: string; tokens: string[]; secret: string; admin: string };
type Side = { url: string; begin: string; child: ChildProcess };
type Load = {
  name: string;
  bound: string;
  method: 'GET' | 'POST';
  paths: string[];
  /** What each request of a path is followed by. */
  next?: string;
  /** Each connection begins with another path. */
  isSpread?: boolean;
  isKnown?: boolean;
  isOfAdmin?: boolean;
};
type Measured = { rate: number; service: number; database: number };

const only = process.env['ONLY'] ?? '';
await using environment = await prepareEnvironment();
const { databasePid } = environment;
const service = await launch<Hello>('lessons-process.ts', '10', '10', '8');
const { url, tokens, secret, admin } = service.hello;
const bare = await launch<Hello>('bare-lessons-process.ts', url, tokens[0] ?? '', secret, admin);

const authorize = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

/** Each connection sends the requests of its own student. */
async function run(
  side: Side,
  { method, paths, next: nextPath, isSpread, isKnown, isOfAdmin }: Load,
): Promise<Measured> {
  const pid = side.child.pid ?? 0;
  const headersOf = await Promise.all(
    (isOfAdmin ? [admin] : tokens).map(async (token) => {
      const headers = authorize(token);
      if (!isKnown) return headers;
      const answer = await fetch(side.url + paths[0], { headers });
      return { ...headers, 'if-none-match': answer.headers.get('etag') ?? 'none' };
    }),
  );
  const before = { service: processorSeconds(pid), database: databaseSeconds(databasePid) };
  let next = 0;
  const result = await autocannon({
    url: side.url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const headers = headersOf[next % headersOf.length] ?? {};
      const first = isSpread ? next % paths.length : 0;
      next += 1;
      const own = [...paths.slice(first), ...paths.slice(0, first)];
      client.setRequests(
        own.flatMap((path) => [
          { method, path, headers },
          ...(nextPath === undefined ? [] : [{ method: 'GET' as const, path: nextPath, headers }]),
        ]),
      );
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

const own: Side = { ...service.hello, child: service.child };
const other: Side = { ...bare.hello, child: bare.child };
/** Rounds of completions begin with themes that nobody has completed. */
async function complete(side: Side, load = completion): Promise<Measured> {
  await fetch(side.begin, { method: 'POST' });
  return await run(side, load);
}

const themes = Array.from({ length: 800 }, (_, index) => index + 1);
const completion: Load = {
  ...{ name: 'complete a theme', bound: '≥ 0.35', method: 'POST' },
  paths: themes.map((theme) => `/api/lessons/themes/${theme}/complete`),
};
const userPages = Array.from({ length: 40 }, (_, index) => `/api/admin/users?page=${index + 1}&page_size=50`);
const loads: Load[] = [
  { name: 'tree of courses, 800 themes', bound: '≥ 0.74', method: 'GET', paths: [treePath] },
  { name: 'tree of courses that the client has', bound: '≥ 0.74', method: 'GET', paths: [treePath], isKnown: true },
  { name: 'theme', bound: '≥ 0.60', method: 'GET', paths: ['/api/lessons/themes/7'] },
  { name: 'text of a theme', bound: '≥ 0.60', method: 'GET', paths: ['/api/lessons/themes/7/content'] },
  { name: 'stats', bound: '≥ 0.45', method: 'GET', paths: ['/api/dashboard/stats'] },
  {
    ...{ name: 'a page of 50 users, each connection another', bound: '≥ 0.50', method: 'GET', isOfAdmin: true },
    ...{ paths: userPages, isSpread: true },
  },
  {
    ...{ name: 'a page of 50 users, all connections the same', bound: '', method: 'GET', isOfAdmin: true },
    paths: userPages.slice(0, 1),
  },
  completion,
  { ...completion, name: 'complete a theme, then stats', bound: '', next: '/api/dashboard/stats' },
];
for (const load of loads.filter(({ name }) => name.startsWith(only))) {
  const [ours, reference]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, measured] of [
      [own, ours],
      [other, reference],
    ] as const) {
      measured.push(load.method === 'POST' ? await complete(side, load) : await run(side, load));
    }
  }
  const middle = (side: Measured[], name: keyof Measured): number => median(side.map((one) => one[name]));
  report(`${load.name} / bare route`, middle(ours, 'rate'), middle(reference, 'rate'), 'requests/s', load.bound);
  for (const [name, place] of [
    ['service', 'service'],
    ['database', 'PostgreSQL'],
  ] as const) {
    const [some, bareTime] = [middle(ours, name), middle(reference, name)];
    report(`processor time of it, ${place} / of the bare route`, 1000 * some, 1000 * bareTime, 'µs', '');
  }
}

if ('commit'.startsWith(only)) {
  const database = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await database.connect();
  const setDelay = async (microseconds: number): Promise<void> => {
    await database.query(`alter system set commit_delay = ${microseconds}`);
    await database.query('select pg_reload_conf()');
  };
  for (const microseconds of [20, 100, 500]) {
    const [delayed, undelayed]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      await setDelay(microseconds);
      delayed.push((await complete(own)).rate);
      await setDelay(0);
      undelayed.push((await complete(own)).rate);
    }
    report(
      `commit_delay of ${microseconds} µs, completions / without`,
      median(delayed),
      median(undelayed),
      'requests/s',
      '',
    );
  }
  const syncs = async (): Promise<number> => {
    // Idle connections publish their counts after ten seconds.
    await delay(11_000);
    const { rows } = await database.query(`select sum(fsyncs)::float8 as count from pg_stat_io where object = 'wal'`);
    return rows[0].count;
  };
  const perSync: number[] = [];
  for (const side of [own, other]) {
    const before = await syncs();
    const { rate } = await complete(side);
    perSync.push((rate * seconds) / ((await syncs()) - before));
  }
  report('completions that one sync of the log confirms / of the bare route', perSync[0] ?? 0, perSync[1] ?? 0, '', '');
  await database.end();
}

if (''.startsWith(only)) {
  const large = await launch<Hello>('lessons-process.ts', '500', '5', '8');
  const page = `${treePath}?page=1&page_size=20`;
  const read = async (side: Hello): Promise<void> => {
    const answer = await fetch(side.url + page, { headers: authorize(side.tokens[0]) });
    if ((await answer.text()).length < 1000) throw new Error(`${page}: ${answer.status}`);
  };
  const change = async (side: Hello): Promise<void> => {
    const options = { method: 'PUT', headers: authorize(side.admin) };
    const answer = await fetch(
      `${side.url}/api/admin/lessons/courses/1?order_index=-${Math.ceil(Math.random() * 1e6)}`,
      options,
    );
    if (!answer.ok) throw new Error(`${answer.status}`);
  };
  for (const [name, prepare, bound] of [
    ["the tree's first page, 20,000 themes / 800", async () => {}, '< 20 ms'],
    ["the tree's first page after a change, 20,000 themes / 800", change, ''],
  ] as const) {
    const [ours, reference]: [number[], number[]] = [[], []];
    for (let count = 0; count < 10 * rounds; count += 1) {
      for (const [side, times] of [
        [large.hello, ours],
        [service.hello, reference],
      ] as const) {
        await prepare(side);
        times.push(await timed(() => read(side)));
      }
    }
    report(name, median(ours), median(reference), 'ms', bound);
  }
  large.child.kill();
  await once(large.child, 'exit');
}

for (const { child } of [service, bare]) {
  child.kill();
  await once(child, 'exit');
}
