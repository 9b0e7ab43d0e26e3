/**
 * Exams on a cluster over HTTP, beside the same on Docker and beside `kubectl`: warm and cold starts, many starts at once, a key and
 * text of a terminal, the memory of a terminal, and the requests to the API server of an attempt. Rounds alternate.
 */
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';
import type { Ready, State } from './kubernetes-process.ts';

const run = promisify(execFile);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? '7');
/** Starts at once, and terminals whose memory is measured. */
const many = Number(process.env['BENCH_STARTS'] ?? '50');
const image = 'platform-exam-linux-basics';
const line = 'The quick brown fox jumps over the lazy dog; 0123456789 and some more to fill it';
const lines = 100_000;
const keys = 200;

await using _environment = await prepareEnvironment();

type Service = Ready & { ask: (question: 'state' | 'warm') => Promise<State>; stop: () => Promise<void> };

async function serve(engine: 'docker' | 'kubernetes', env: Record<string, string>): Promise<Service> {
  const child = fork(join(import.meta.dirname, 'kubernetes-process.ts'), {
    execArgv: ['--expose-gc'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2', TEST_CONTAINER_ENGINE: engine, ...env },
  });
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the service did not start'))),
  ])) as [Ready];
  const ask = async (question: 'state' | 'warm'): Promise<State> => {
    child.send(question);
    const [state] = (await once(child, 'message')) as [State];
    return state;
  };
  const stop = async () => {
    const end = once(child, 'exit');
    child.send('stop');
    await end;
  };
  return { ...ready, ask, stop };
}

type Attempt = { status: string; started_at: string; container_id: number };

async function call<Result>(url: string, method: string, token: string, prefer = ''): Promise<Result> {
  const headers = { authorization: `Bearer ${token}`, ...(prefer ? { prefer } : {}) };
  const answer = await fetch(url, { method, headers });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Result;
}
const start = (service: Service, token = service.tokens[0] ?? '') =>
  call<Attempt>(`${service.url}/api/exams/${service.exam}/start`, 'POST', token);
const submit = (service: Service, token = service.tokens[0] ?? '') =>
  call<object>(`${service.url}/api/exams/${service.exam}/submit`, 'POST', token);

const kubectl = (...args: string[]) => run('kubectl', args, { maxBuffer: 2 ** 28 });
const plainPod = ['--image', image, '--image-pull-policy=IfNotPresent', '--restart=Never'];
const removePod = (name: string) => kubectl('delete', 'pod', name, '--grace-period=0', '--force', '--wait=false');

/** `kubectl run` and the first command by `kubectl exec`. */
async function plainStart(): Promise<number> {
  const name = `bench-${crypto.randomUUID()}`;
  const time = await timed(async () => {
    await kubectl('run', name, ...plainPod, '--command', '--', 'sleep', '600');
    await kubectl('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s');
    await kubectl('exec', name, '--', 'true');
  });
  await removePod(name);
  return time;
}

async function compareStarts(): Promise<void> {
  const env = { WARM_CONTAINERS: '1' };
  const [onDocker, onCluster] = [await serve('docker', env), await serve('kubernetes', env)];
  const cold = await serve('kubernetes', {});
  const times = { docker: [] as number[], cluster: [] as number[], cold: [] as number[], plain: [] as number[] };
  const requests: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [service, into] of [
      [onDocker, times.docker],
      [onCluster, times.cluster],
    ] as const) {
      await service.ask('warm');
      into.push(await timed(() => start(service)));
      await service.ask('warm');
      await submit(service);
    }
    const before = await cold.ask('state');
    times.cold.push(await timed(() => start(cold)));
    await submit(cold);
    // The container is removed after the answer.
    await delay(1000);
    requests.push((await cold.ask('state')).requests - before.requests);
    times.plain.push(await plainStart());
  }
  for (const service of [onDocker, onCluster, cold]) await service.stop();
  report(
    'Kubernetes: start with a warm container / on Docker',
    median(times.cluster),
    median(times.docker),
    'ms',
    '≤ 2.00',
  );
  report(
    'Kubernetes: start without one / kubectl run + first exec',
    median(times.cold),
    median(times.plain),
    'ms',
    '≤ 1.50',
  );
  report(
    'Kubernetes: requests to the API server, an attempt with 8 scripts / the bound',
    median(requests),
    12,
    '',
    '≤ 1.00',
  );
}

/** Pods that `kubectl` creates at once, until all are ready. */
async function plainStarts(): Promise<number> {
  const names = Array.from({ length: many }, () => `bench-${crypto.randomUUID()}`);
  const items = names.map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          ...{ name: 'main', image, imagePullPolicy: 'IfNotPresent', command: ['sleep', '600'] },
          resources: { requests: { cpu: '5m', memory: '6Mi' } },
        },
      ],
    },
  }));
  const time = await timed(async () => {
    const child = spawn('kubectl', ['apply', '--filename=-'], { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await once(child, 'close');
    await kubectl('wait', '--for=condition=Ready', '--timeout=600s', ...names.map((name) => `pod/${name}`));
  });
  await kubectl('delete', 'pod', ...names, '--grace-period=0', '--force', '--wait=false');
  return time;
}

/** All students start in the same moment. @returns milliseconds until each one's clock started */
async function startAll(service: Service): Promise<{ times: number[]; attempts: Attempt[] }> {
  const begin = Date.now();
  const attempts = await Promise.all(
    service.tokens.map(async (token) => {
      const path = `${service.url}/api/exams`;
      let attempt = await call<Attempt>(`${path}/${service.exam}/start`, 'POST', token, 'respond-async');
      while (attempt.status === 'queued') {
        await delay(1000);
        attempt = await call<Attempt>(`${path}/attempts/active`, 'GET', token);
      }
      return attempt;
    }),
  );
  return { times: attempts.map((attempt) => Date.parse(attempt.started_at) - begin), attempts };
}

async function openTerminal(service: Service, attempt: Attempt, token: string): Promise<WebSocket> {
  const url = `${service.url.replace('http', 'ws')}/ws/terminal/${attempt.container_id}?token=${token}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const closed = once(socket, 'close').then(([code, reason]) =>
    Promise.reject(new Error(`the terminal was closed: ${code} ${reason}`)),
  );
  closed.catch(() => undefined);
  await Promise.race([once(socket, 'message', { signal: AbortSignal.timeout(120_000) }), closed]);
  return socket;
}

async function measureMany(): Promise<void> {
  const plain = await plainStarts();
  // The first save of a home folder, two requests, follows the first terminal. Further ones would count as requests of a terminal.
  const service = await serve('kubernetes', { BENCH_USERS: `${many}`, BENCH_HOME_SAVE_SECONDS: '3600' });
  const before = await service.ask('state');
  const { times, attempts } = await startAll(service);
  const started = await service.ask('state');
  report(
    `Kubernetes: ${many} starts at once, the last / ${many} Pods of kubectl`,
    Math.max(...times),
    plain,
    'ms',
    '≤ 1.50',
  );
  report(`Kubernetes: the median of them / the same`, quantile(times, 0.5), plain, 'ms', '');
  const sockets: WebSocket[] = [];
  for (const [index, attempt] of attempts.entries())
    sockets.push(await openTerminal(service, attempt, service.tokens[index] ?? ''));
  const open = await service.ask('state');
  const bytes = (one: State, other: State) => (one.rss - other.rss) / 1000 / many;
  report(
    'Kubernetes: memory of a first terminal with its SSH and exec / the target',
    bytes(open, started),
    500,
    'kB',
    '≤ 1.00',
  );
  const perStart = (started.requests - before.requests) / many;
  report('Kubernetes: requests to the API server, a start of many / the bound', perStart, 10, '', '≤ 1.00');
  const perTerminal = (open.requests - started.requests) / many;
  const ofTerminal =
    'Kubernetes: requests to the API server, a terminal and the first save of its home folder / the bound';
  report(ofTerminal, perTerminal, 4, '', '≤ 1.00');
  const more: WebSocket[] = [];
  for (const [index, attempt] of attempts.entries())
    more.push(await openTerminal(service, attempt, service.tokens[index] ?? ''));
  const twice = await service.ask('state');
  report(
    'Kubernetes: memory of a second terminal of the same container / the target',
    bytes(twice, open),
    150,
    'kB',
    '≤ 1.00',
  );
  for (const socket of [...sockets, ...more]) socket.terminate();
  await service.stop();
}

type Wire = { write: (text: string) => void; onText: (text: string) => void };

async function echoOf(wire: Wire): Promise<number> {
  const times: number[] = [];
  for (let key = 0; key < keys; key += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let seen = '';
    wire.onText = (text) => {
      seen += text;
      if (seen.includes(`k${key};`)) resolve();
    };
    const begin = performance.now();
    wire.write(`k${key};\n`);
    await promise;
    times.push(performance.now() - begin);
  }
  return median(times);
}

async function textOf(wire: Wire, command: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  wire.onText = (text) => {
    seen += text.length;
    if (seen >= lines * line.length) resolve();
  };
  const milliseconds = await timed(async () => {
    wire.write(command);
    await promise;
  });
  return (lines * line.length) / 1000 / milliseconds;
}

/** A shell of `kubectl exec` without a terminal of its own, in which the container's `script` provides one as SSH does. */
async function compareTerminals(): Promise<void> {
  const service = await serve('kubernetes', {});
  const token = service.tokens[0] ?? '';
  const attempt = await start(service);
  const socket = await openTerminal(service, attempt, token);
  const ours: Wire = { write: (text) => socket.send(Buffer.from(text)), onText: () => {} };
  socket.on('message', (bytes: Buffer, isBinary) => isBinary && ours.onText(bytes.toString('latin1')));
  const pod = `bench-${crypto.randomUUID()}`;
  await kubectl('run', pod, ...plainPod, '--command', '--', 'sleep', '600');
  await kubectl('wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=120s');
  const child = spawn('kubectl', ['exec', '--stdin', pod, '--', 'bash'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const plain: Wire = { write: (text) => child.stdin.write(text), onText: () => {} };
  child.stdout.on('data', (bytes: Buffer) => plain.onText(bytes.toString('latin1')));
  const prepare = async (wire: Wire, command: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wire.onText = (text) => text.includes('begin') && resolve();
    wire.write(command);
    await promise;
    await delay(500);
  };
  await prepare(ours, "stty -echo; PS1=; echo be''gin; cat\n");
  await prepare(plain, "echo be''gin; cat\n");
  const echo = { ours: [] as number[], plain: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    echo.ours.push(await echoOf(ours));
    echo.plain.push(await echoOf(plain));
  }
  report('Kubernetes: a key and its echo / kubectl exec', median(echo.ours), median(echo.plain), 'ms', '');
  ours.write('\u0004');
  const command = `yes '${line}' | head -n ${lines}\n`;
  const text = { ours: [] as number[], plain: [] as number[] };
  // `cat` has no end of input there, so each round is a command of its own.
  for (let round = 0; round < rounds; round += 1) {
    text.ours.push(await textOf(ours, command));
    const one = spawn('kubectl', ['exec', pod, '--', 'bash', '-c', `sleep 1; ${command}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const wire: Wire = { write: () => {}, onText: () => {} };
    const first = once(one.stdout, 'data');
    one.stdout.on('data', (bytes: Buffer) => wire.onText(bytes.toString('latin1')));
    const measured = first.then(() => undefined);
    const total = textOf(wire, '');
    await measured;
    const begin = performance.now();
    await total;
    text.plain.push((lines * line.length) / 1000 / (performance.now() - begin));
  }
  report('Kubernetes: terminal text / kubectl exec', median(text.ours), median(text.plain), 'MB/s', '');
  socket.terminate();
  child.kill();
  await removePod(pod);
  await service.stop();
}

const parts = { starts: compareStarts, terminals: compareTerminals, many: measureMany };
const wanted = process.env['BENCH_PARTS']?.split(',') ?? Object.keys(parts);
for (const [name, part] of Object.entries(parts)) if (wanted.includes(name)) await part();
