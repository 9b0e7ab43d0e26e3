/**
 * How statements reach PostgreSQL: named (prepared once a connection) or not, two of one request after another, on two connections,
 * or in one round trip (pg's `pipeline`), and pools of different sizes. 32 requests at a time. Processor time of this process and of
 * the server for each request, in alternating rounds. The requests only read.
 */
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { addressOf, createDatabase, templateName } from '../test/database.ts';
import { median, prepareEnvironment, report } from './environment.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? '5');
const requests = 4000;
const atOnce = 32;

await using cleanup = new AsyncDisposableStack();
cleanup.use(await prepareEnvironment());
await createDatabase('statements', templateName);
const connectionString = addressOf('statements').connectionString;

const user = 'select * from users where id = $1';
const theme = `select t.*, s.name as section, c.name as course, p.completed_at from themes t join sections s on s.id = t.section_id
  join courses c on c.id = s.course_id left join theme_progress p on p.theme_id = t.id and p.user_id = $1 where t.id = $1 and c.is_active`;

type Send = (client: pg.ClientBase | pg.Pool, text: string) => Promise<unknown>;
const plain: Send = (client, text) => client.query(text, [1]);
const named: Send = (client, text) => client.query({ name: text.slice(0, 30), text, values: [1] });

const pools = new Map<string, pg.Pool>();
function poolOf(max: number, pipeline = false): pg.Pool {
  const key = `${max} ${pipeline}`;
  const pool =
    pools.get(key) ?? new pg.Pool({ connectionString, max, ...(pipeline ? { pipeline } : {}) } as pg.PoolConfig);
  pools.set(key, pool);
  return pool;
}
cleanup.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))));

async function onOne(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  await work(client);
  client.release();
}

const both = (client: pg.ClientBase) => Promise.all([named(client, user), named(client, theme)]);
const ways: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  ['one statement, named / not', () => named(poolOf(10), user), () => plain(poolOf(10), user)],
  ['one statement with joins, named / not', () => named(poolOf(10), theme), () => plain(poolOf(10), theme)],
  [
    'two statements, one round trip / one after another',
    () => onOne(poolOf(10, true), both),
    () => onOne(poolOf(10), async (client) => [await named(client, user), await named(client, theme)]),
  ],
  [
    'two statements, one round trip / two connections',
    () => onOne(poolOf(10, true), both),
    () => Promise.all([named(poolOf(10), user), named(poolOf(10), theme)]),
  ],
  ...[2, 4, 20, 40].map((size): [string, () => Promise<unknown>, () => Promise<unknown>] => [
    `one statement, pool of ${size} / of 10`,
    () => named(poolOf(size), theme),
    () => named(poolOf(10), theme),
  ]),
];

for (const [what, ours, reference] of ways) {
  const results = { ours: [] as Measured[], reference: [] as Measured[] };
  await measure(ours);
  await measure(reference);
  for (let round = 0; round < rounds; round += 1) {
    results.ours.push(await measure(ours));
    results.reference.push(await measure(reference));
  }
  for (const part of ['wall', 'client', 'server'] as const) {
    const of = (list: Measured[]) => median(list.map((one) => one[part])) * 1000;
    report(`${what}: ${part}`, of(results.ours), of(results.reference), 'µs', '');
  }
}

type Measured = { wall: number; client: number; server: number };

/** Milliseconds a request. */
async function measure(request: () => Promise<unknown>): Promise<Measured> {
  const before = { wall: performance.now(), client: process.cpuUsage(), server: await serverTime() };
  let left = requests;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await request();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const { user: inUser, system } = process.cpuUsage(before.client);
  return {
    wall: (performance.now() - before.wall) / requests,
    client: (inUser + system) / 1000 / requests,
    server: ((await serverTime()) - before.server) / requests,
  };
}

/** Milliseconds of processor time of the backends of this database. */
async function serverTime(): Promise<number> {
  const title = 'postgres: platform statements ';
  let sum = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const name = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!name.startsWith(title)) continue;
    const [nanoseconds = 0] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ').map(Number);
    sum += nanoseconds / 1e6;
  }
  return sum;
}
