/**
 * Processor time of an exam room with 200 students while one supervisor watches it: the service and PostgreSQL together, as a share of
 * one core. Twenty students do something every second. The reference is a page that requests the room every second instead.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, prepareEnvironment, report } from './environment.ts';
import { databaseSeconds, processorSeconds } from './processor-time.ts';

type Ready = { url: string; token: string; session: number };

const seconds = 20;
const rounds = 3;

await using environment = await prepareEnvironment();
const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL('exam-room-process.ts', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
const { url, token, session } = JSON.parse(line.toString()) as Ready;
const room = `${url}/api/exam-sessions/${session}/room`;
const headers = { authorization: `Bearer ${token}` };

/** Processor time in percent of a core while changes happen each second. */
async function during(isBusy: boolean, everySecond: () => Promise<unknown>): Promise<number> {
  const used = () => processorSeconds(child.pid ?? 0) + databaseSeconds(environment.databasePid);
  await delay(1000);
  const begin = { used: used(), at: performance.now() };
  for (let second = 0; second < seconds; second += 1) {
    if (isBusy) child.stdin?.write('\n');
    await Promise.all([everySecond(), delay(1000)]);
  }
  return (100 * (used() - begin.used)) / ((performance.now() - begin.at) / 1000);
}

async function watched(isBusy: boolean): Promise<number> {
  const end = new AbortController();
  const response = await fetch(`${room}/events`, { headers, signal: end.signal });
  if (response.status !== 200) throw new Error(`${response.status}`);
  const reading = (async () => {
    for await (const _part of response.body ?? []);
  })().catch(() => undefined);
  try {
    return await during(isBusy, async () => undefined);
  } finally {
    end.abort();
    await reading;
  }
}
const polled = (isBusy: boolean) =>
  during(isBusy, async () => {
    const response = await fetch(room, { headers });
    if (response.status !== 200) throw new Error(`${response.status}`);
    await response.arrayBuffer();
  });
const nobody = (isBusy: boolean) => during(isBusy, async () => undefined);

try {
  for (const isBusy of [true, false]) {
    const ours: number[] = [];
    const reference: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Neither includes the cost of the changes themselves.
      const without = await nobody(isBusy);
      ours.push((await watched(isBusy)) - without);
      reference.push((await polled(isBusy)) - without);
    }
    const what = isBusy ? 'room of 200 students, 20 change each second' : 'the same without changes';
    report(`${what}: events / a request each second`, median(ours), median(reference), '% of a core', '< 2 %');
  }
} finally {
  child.stdin?.end();
  await once(child, 'exit');
}
