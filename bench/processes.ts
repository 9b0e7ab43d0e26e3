/**
 * Reads with 1, 2 and 4 processes of the service: requests a second, and processor time of all its processes a request. Three
 * services run on one PostgreSQL; one is loaded at a time, in alternating rounds. The load takes a core of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';
import { addressOf, createDatabase, templateName } from '../test/database.ts';
import { median, prepareEnvironment, report } from './environment.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? '5');
const seconds = Number(process.env['BENCH_SECONDS'] ?? '3');
const paths = ['/api/auth/me', '/api/exams', '/api/lessons/courses', '/api/dashboard/stats'];
const password = 'a secret of the bench';

type Service = { processes: number; url: string; child: ChildProcess; headers: Record<string, string> };

await using cleanup = new AsyncDisposableStack();
cleanup.use(await prepareEnvironment());
const services: Service[] = [];
for (const processes of [1, 2, 4]) services.push(await start(processes));

for (const path of paths) {
  const rates = new Map(services.map(({ processes }) => [processes, [] as number[]]));
  const costs = new Map(services.map(({ processes }) => [processes, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const service of services) {
      const { rate, cost } = await load(service, path);
      rates.get(service.processes)?.push(rate);
      costs.get(service.processes)?.push(cost);
    }
  }
  const of = (values: Map<number, number[]>, processes: number) => median(values.get(processes) ?? []);
  for (const processes of [2, 4]) {
    const what = `GET ${path}, ${processes} processes / 1`;
    report(what, of(rates, processes), of(rates, 1), 'requests/s', '');
    report(`${what}, processor time`, of(costs, processes), of(costs, 1), 'ms', '');
  }
}

async function load({ url, headers, child }: Service, path: string): Promise<{ rate: number; cost: number }> {
  const before = await processorTime(child.pid ?? 0);
  const result = await autocannon({ url: url + path, headers, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused`);
  const spent = (await processorTime(child.pid ?? 0)) - before;
  return { rate: result.requests.average, cost: spent / result.requests.total };
}

/** Milliseconds of processor time of a process and its children, without PostgreSQL, which no service started here. */
async function processorTime(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  const stats = await Promise.all(pids.map((one) => readFile(`/proc/${one}/stat`, 'utf8')));
  const fields = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
  return fields.reduce((sum, values) => sum + 10 * (Number(values[11]) + Number(values[12])), 0);
}

async function start(processes: number): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-processes-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const name = `processes_${processes}`;
  await createDatabase(name, templateName);
  const port = await freePort();
  const env = {
    ...process.env,
    ...{
      DATA_DIR: dataDir,
      PORT: `${port}`,
      PROCESSES: `${processes}`,
      DATABASE_URL: addressOf(name).connectionString,
    },
    ...{ ADMIN_PASSWORD: password, REQUESTS_PER_MINUTE: '100000000', LOG_LEVEL: 'warn', WARM_CONTAINERS: '0' },
  };
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [...process.execArgv, main, 'start', '--no-install'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanup.defer(async () => {
    child.kill();
    await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready')) break;
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  const body = new URLSearchParams({ username: 'admin', password });
  const login = await fetch(`${url}/api/auth/login`, { method: 'POST', body });
  const { access_token } = (await login.json()) as { access_token: string };
  return { processes, url, child, headers: { authorization: `Bearer ${access_token}` } };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
