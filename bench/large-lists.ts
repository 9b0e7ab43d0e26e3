/**
 * Latency of lists with 100,000 users, 2,400,000 attempts and 2,000,000 entries of the activity log, against the same lists with a
 * hundredth of each. Then lists of an instructor who sees a class of 60 students. Rounds alternate. Then the rows a second of an export, and the memory that it adds. Creating the data takes a few
 * minutes, and 2 GB of disk in the temporary folder until the end. `BENCH_LISTS=small` compares two small databases: it tests the benchmark.
 * `BENCH_LISTS_NAMED` is a regular expression of the lists to measure.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { TestServer, type TestUser } from '../test/server.ts';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';
import { large, type Size, schoolClasses, seed, small } from './large-lists-data.ts';
import { databaseSeconds } from './processor-time.ts';

const rounds = 15;
/** Linux counts processor time in hundredths of a second, so it is that of several requests. */
const perRound = 4;
const bound = { first: '< 15 ms', deep: '< 60 ms' };

type Place = { server: TestServer; admin: TestUser; instructor: TestUser; size: Size };

async function place(size: Size): Promise<Place> {
  const server = await TestServer.start({
    ...{ REQUESTS_PER_MINUTE: '100000000', databaseStatementSeconds: 600, INSTRUCTOR_SCOPE: 'classes' },
  });
  await server.application.db.connection().execute(async (connection) => {
    // The rows are consistent by construction: checking and counting each of them would take most of the time.
    await sql`set session_replication_role = replica`.execute(connection);
    for (const statement of seed(size)) await sql.raw(statement).execute(connection);
    await sql`set session_replication_role = default`.execute(connection);
    for (const statement of schoolClasses(size)) await sql.raw(statement).execute(connection);
    await sql`vacuum analyze`.execute(connection);
  });
  const [admin, instructor] = [await server.user('admin'), await server.user('instructor')];
  const own = { class_id: 1, user_id: instructor.id, role: 'instructor' as const };
  await server.application.db.insertInto('class_members').values(own).execute();
  return { server, admin, instructor, size };
}

const attempts = '/api/instructor/attempts?page_size=50';
const activity = '/api/admin/activity?page_size=50';
const users = '/api/admin/users?page_size=50';
/** A page of 50 rows in the middle or at the end. `byCursor` measures the link beside it. */
const middle = (rows: (size: Size) => number) => (size: Size) => `&page=${Math.ceil(rows(size) / 100)}`;
const end = (rows: (size: Size) => number) => (size: Size) => `&page=${Math.floor(rows(size) / 50)}`;
const all = ({ attempts: rows }: Size) => rows;
const entries = ({ activity: rows }: Size) => rows;
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

/** Of the large installation it is nearly the longest list that can be sorted. */
const ofMonths = `${attempts}&exam_id=1&from=${day(58)}`;

const requests: [name: string, path: (size: Size) => string, bound: string][] = [
  ['attempts', () => attempts, bound.first],
  ['attempts, the last page that has a number', (size) => `${attempts}&page=${Math.min(200, size.attempts / 50)}`, bound.deep],
  ['attempts, the middle', (size) => attempts + middle(all)(size), bound.deep],
  ['attempts, the end', (size) => attempts + end(all)(size), bound.deep],
  ['attempts, passed exams', () => `${attempts}&kind=exam&passed=true`, bound.first],
  ['attempts, of an exam', () => `${attempts}&exam_id=1`, bound.first],
  ['attempts, of an exam, the middle', (size) => `${attempts}&exam_id=1${middle((some) => some.attempts / 10)(size)}`, bound.deep],
  ['attempts, of a user', () => `${attempts}&user_id=77`, bound.first],
  ['attempts, of a day', () => `${attempts}&from=${day(301)}&to=${day(300)}`, bound.first],
  ['attempts, of a course', () => `${attempts}&course_id=3`, bound.first],
  ['attempts, of a year', () => `${attempts}&from=${day(500)}&to=${day(135)}`, bound.first],
  ['attempts, search for one', () => `${attempts}&search=student-77`, bound.first],
  ['attempts, search for two frequent letters', () => `${attempts}&search=an`, bound.first],
  ['attempts, search for a name', () => `${attempts}&search=anna%20haas`, bound.first],
  ['activity', () => activity, bound.first],
  ['activity, the middle', (size) => activity + middle(entries)(size), bound.deep],
  ['activity, of a type, the end', (size) => `${activity}&type=lesson_complete${end((some) => some.activity / 3)(size)}`, bound.deep],
  ['activity, of a user', () => `${activity}&user_id=77`, bound.first],
  ['users', () => users, bound.first],
  ['users, the end', (size) => users + end(({ users: rows }) => rows)(size), bound.deep],
  ['users, search for a name', () => `${users}&q=anna%20haas`, bound.first],
  ['users, search for two rare letters', () => `${users}&q=zq`, bound.first],
  ['users, search for two frequent letters', () => `${users}&q=an`, bound.first],
  ['assessments', () => '/api/instructor/subjects', bound.first],
  ['overview of the administrator', () => '/api/instructor/overview', bound.first],
  ['dashboard of the administrator', () => '/api/dashboard/stats', bound.first],
  ['activity of the administrator', () => '/api/dashboard/activity', bound.first],
  ['analytics of the administrator', () => '/api/dashboard/analytics?days=30', bound.first],
  ['numbers of the installation', () => '/api/admin/stats', bound.first],
  ['attempts, 20,000 of an exam by score', () => `${ofMonths}&sort=score&order=desc`, bound.deep],
  ['attempts, 20,000 of an exam by user', () => `${ofMonths}&sort=username`, bound.deep],
  ['attempts, 20,000 of an exam by user, the middle', (size) => `${ofMonths}&sort=username${middle((some) => some.attempts / 122)(size)}`, bound.deep],
  ['grade book', () => '/api/instructor/exams/1/grade-book?page_size=50', bound.deep],
  ['grade book, the middle', ({ users: rows }) => `/api/instructor/exams/1/grade-book?page_size=50&page=${Math.floor(rows / 110)}`, bound.deep],
]; // biome-ignore format: a table

/** Of the instructor's students. */
const ofClass: typeof requests = [
  ['attempts of a class', () => attempts, bound.first],
  ['attempts of a class, a far page', () => `${attempts}&page=28`, bound.first],
  ['attempts of a class, of an exam', () => `${attempts}&exam_id=1`, bound.first],
  ['attempts of a class, passed exams', () => `${attempts}&kind=exam&passed=true`, bound.first],
  ['attempts of a class, search for a name', () => `${attempts}&search=anna`, bound.first],
  ['assessments, of a class', () => '/api/instructor/subjects', bound.first],
  ['grade book, of a class', () => '/api/instructor/exams/1/grade-book?page_size=50', bound.first],
]; // biome-ignore format: a table

/** Where a page beside one far into a list is by its cursor. */
async function byCursor({ server }: Place, { token }: TestUser, path: string): Promise<string> {
  const link = (await server.get(path, token)).headers.get('link') ?? '';
  return /<([^>]*)>; rel="prev"/.exec(link)?.[1] ?? path;
}

async function latency({ server }: Place, { token }: TestUser, url: string): Promise<number> {
  return await timed(async () => {
    const { status, text } = await server.get(url, token);
    if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
  });
}

type Exported = { rate: number; memory: number; service: number; database: number };

/** Rows a second of the export of a tenth of all attempts, the megabytes of memory that it adds at its peak, and microseconds a row. */
async function exported({ server, admin }: Place): Promise<Exported> {
  globalThis.gc?.();
  const before = { memory: process.memoryUsage.rss(), service: process.cpuUsage(), database: databaseSeconds(pid) };
  let peak = before.memory;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const program = fileURLToPath(new URL('export-reader-process.ts', import.meta.url));
  const url = `${server.url}/api/instructor/attempts/export?exam_id=1`;
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, admin.token]);
  clearInterval(watch);
  const { rows, milliseconds } = JSON.parse(stdout) as { rows: number; milliseconds: number };
  const { user, system } = process.cpuUsage(before.service);
  return {
    rate: rows / (milliseconds / 1000),
    memory: (peak - before.memory) / 1_000_000,
    service: (user + system) / rows,
    database: (1_000_000 * (databaseSeconds(pid) - before.database)) / rows,
  };
}

await using environment = await prepareEnvironment();
const pid = environment.databasePid;
await using stack = new AsyncDisposableStack();
const few = await place(small);
stack.use(few.server);
const many = await place(process.env['BENCH_LISTS'] === 'small' ? small : large);
stack.use(many.server);
const hundredth = '100,000 users / 1,000';
const everything = [
  ...requests.map((request) => [...request, 'admin'] as const),
  ...ofClass.map((request) => [...request, 'instructor'] as const),
].filter(([name]) => new RegExp(process.env['BENCH_LISTS_NAMED'] ?? '').test(name));
for (const [name, path, limit, who] of everything) {
  const times: Record<'ours' | 'reference', number[]> = { ours: [], reference: [] };
  let processor = 0;
  const urls = new Map<Place, string>();
  for (const where of [many, few])
    urls.set(
      where,
      /, the (middle|end)$/.test(name) ? await byCursor(where, where[who], path(where.size)) : path(where.size),
    );
  for (let round = 0; round <= rounds; round += 1) {
    for (const [side, where] of [
      ['ours', many],
      ['reference', few],
    ] as const) {
      const before = databaseSeconds(pid);
      const measured: number[] = [];
      for (let count = 0; count < perRound; count += 1)
        measured.push(await latency(where, where[who], urls.get(where) ?? ''));
      // The first round fills the caches.
      if (round === 0) continue;
      times[side].push(...measured);
      if (side === 'ours') processor += databaseSeconds(pid) - before;
    }
  }
  const spread = `${quantile(times.ours, 0.1).toFixed(1)} to ${quantile(times.ours, 0.9).toFixed(1)}`;
  const each = ((1000 * processor) / times.ours.length).toFixed(1);
  const details = `${hundredth} (${spread}; ${each} ms of processor in PostgreSQL)`;
  report(`${name}: ${details}`, median(times.ours), median(times.reference), 'ms', limit);
}
const runs = { many: [] as Exported[], few: [] as Exported[] };
for (let round = 0; round < 5; round += 1) {
  runs.many.push(await exported(many));
  runs.few.push(await exported(few));
}
for (const [name, field, unit, limit] of [
  ['export', 'rate', 'rows/s', '≥ 100000 rows/s'],
  ['export, memory', 'memory', 'MB', '< 60 MB'],
  ['export, processor time of the service', 'service', 'µs a row', ''],
  ['export, processor time of PostgreSQL', 'database', 'µs a row', ''],
] as const) {
  const [ours, reference] = [runs.many, runs.few].map((side) => median(side.map((run) => run[field])));
  report(`${name}: ${hundredth}`, ours ?? 0, reference ?? 0, unit, limit);
}
