/**
 * The effect of other users on a user's requests: 50 users start an exam at once, and containers use all of their limits. The
 * service runs in a separate process. The reference is the same requests before, on the idle service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { testEngine } from '../test/server.ts';
import { prepareEnvironment, quantile, report } from './environment.ts';

type Ready = { url: string; exam: number; prefix: string; token: string; starters: string[] };

const bombs = [
  `perl -e 'while (1) { my $p = fork(); if (defined $p && !$p) { while (1) { fork(); select(undef, undef, undef, 0.01) } } }'`,
  `while :; do perl -e 'my @a; while (1) { push @a, "x" x 1e6 }'; done`,
  'while :; do cat /dev/zero >/dev/shm/$RANDOM; done',
  'while :; do :; done & while :; do :; done & wait',
];

await using _environment = await prepareEnvironment();
const found = await testEngine();
if ('reason' in found) throw new Error(found.reason);
const docker = new Docker(found.options);
const child = spawn(process.execPath, [fileURLToPath(new URL('storm-process.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(child.stdout, 'data')) as [Buffer];
const service = JSON.parse(line.toString()) as Ready;

async function request(method: string, path: string, token: string): Promise<{ status: number; retryAfter: number }> {
  const response = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
}

/** Milliseconds of each request of another user while some work continues. */
async function during(work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begin = performance.now();
    await request('GET', times.length % 2 === 0 ? '/api/exams' : '/api/dashboard/stats', service.token);
    times.push(performance.now() - begin);
    await delay(5);
  }
  return times;
}

try {
  await during(delay(2000));
  const quiet = await during(delay(8000));
  let slowest = 0;
  const answers: { status: number; retryAfter: number }[] = [];
  const storm = Promise.all(
    service.starters.slice(0, 50).map(async (token) => {
      const begin = performance.now();
      answers.push(await request('POST', `/api/exams/${service.exam}/start`, token));
      slowest = Math.max(slowest, performance.now() - begin);
    }),
  );
  const stormy = await during(storm);
  const made = answers.filter(({ status }) => status === 201).length;
  const told = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter > 0).length;
  process.stdout.write(`${made} starts of 50 made, ${told} told 503; the slowest took ${slowest.toFixed(0)} ms\n`);
  report('p99 of the API during 50 starts / in quiet', quantile(stormy, 0.99), quantile(quiet, 0.99), 'ms', '≤ 5.00');
  const containers = await docker.listContainers({ filters: { name: [service.prefix] } });
  for (const [index, bomb] of bombs.entries()) {
    const { Id } = containers[index] ?? {};
    if (!Id) continue;
    const exec = await docker.getContainer(Id).exec({ Cmd: ['bash', '-c', bomb], User: 'student' });
    await exec.start({ Detach: true });
  }
  const bombed = await during(delay(8000));
  report('p99 of the API beside 4 bombs / in quiet', quantile(bombed, 0.99), quantile(quiet, 0.99), 'ms', '≤ 5.00');
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
