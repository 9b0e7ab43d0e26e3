/**
 * 60 exam starts within one minute, at random times, with four warm containers: clients send `Prefer: respond-async` and poll every
 * second while they are queued. The service runs in a separate process. The reference is the minimal start of one container, before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { testEngine } from '../test/server.ts';
import { median, prepareEnvironment, quantile, report } from './environment.ts';
import { plainStart } from './plain-start.ts';

type Ready = { url: string; exam: number; starters: string[] };
/** Milliseconds from the request: until the clock started, and until the client knew. */
type Start = { isQueued: boolean; begun: number; known: number };

const minute = 60_000;
const pollPause = 1000;
const rounds = 9;

await using _environment = await prepareEnvironment();
const found = await testEngine();
if ('reason' in found) throw new Error(found.reason);
const docker = new Docker(found.options);
const plain: number[] = [];
for (let round = 0; round < rounds; round += 1) plain.push(await plainStart(docker, 'platform-exam-linux-basics'));

const child = spawn(process.execPath, [fileURLToPath(new URL('storm-process.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, WARM_CONTAINERS: '4' },
});
const [line] = (await once(child.stdout, 'data')) as [Buffer];
const service = JSON.parse(line.toString()) as Ready;

async function start(token: string): Promise<Start> {
  const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' };
  const begin = Date.now();
  const response = await fetch(`${service.url}/api/exams/${service.exam}/start`, { method: 'POST', headers });
  const isQueued = response.status === 202;
  if (response.status !== 201 && !isQueued) throw new Error(`${response.status} ${await response.text()}`);
  let attempt = (await response.json()) as { status: string; started_at: string };
  while (attempt.status === 'queued') {
    await delay(pollPause);
    attempt = await fetch(`${service.url}/api/exams/attempts/active`, { headers }).then(async (answer) => {
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as typeof attempt;
    });
  }
  return { isQueued, begun: Date.parse(attempt.started_at) - begin, known: Date.now() - begin };
}

/** The same times in each run. */
function* randomNumbers(): Generator<number> {
  for (let state = 42; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647;
}

try {
  const numbers = randomNumbers();
  numbers.next();
  const starts = await Promise.all(
    service.starters.map(async (token) => {
      await delay(numbers.next().value * minute);
      return await start(token);
    }),
  );
  const queued = starts.filter(({ isQueued }) => isQueued).length;
  process.stdout.write(`${starts.length} starts in a minute, all successful; ${queued} were queued\n`);
  const [begun, known] = [starts.map((each) => each.begun), starts.map((each) => each.known)];
  report('median of 60 starts in a minute / create + start + first command', median(begun), median(plain), 'ms', '');
  report('p95 of them', quantile(begun, 0.95), median(plain), 'ms', '< 2,000 ms');
  report('p95 until the client knows', quantile(known, 0.95), median(plain), 'ms', '');
  report('slowest of them', Math.max(...begun), median(plain), 'ms', '');
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
