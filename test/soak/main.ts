/**
 * `npm run soak [-- --minutes 20 --students 50]`: students, an instructor and an administrator use a service of their own on this machine. When they
 * have gone, what it holds must be what it held before; else this ends with 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CrowdOptions } from './crowd.ts';
import type { Tally } from './person.ts';
import { admin, type Sample, SoakedService } from './service.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    students: { type: 'string', default: '50' },
    'warm-up': { type: 'string' },
    containers: { type: 'string', default: '12' },
    think: { type: 'string', default: '4' },
  },
});
const minutes = Number(values.minutes);
const warmUpMinutes = Number(values['warm-up'] ?? minutes / 8);
const containers = Number(values.containers);
/** Of what stays after a collection of garbage, and of what the process has from the system: allocators give back late. */
const tolerance = { heapMb: 12, rssMb: 64 };
/** Two warm containers wait for exams. */
const room = Math.max(1, containers - 3);

await using service = await SoakedService.start(containers);
const crowd: Omit<CrowdOptions, 'isTour'> = {
  base: service.base,
  students: Number(values.students),
  room,
  thinkSeconds: Number(values.think),
  admin,
};
say(`${crowd.students} students, an instructor, an administrator; at most ${containers} containers`);
say(head());
const warmUp = await use(warmUpMinutes, 'warm-up');
const before = await settled();
say(line('before', before));
const tally = await use(minutes, '');
const after = await settled(before);
say(line('after', after));

for (const [what, counts] of Object.entries({ statuses: tally.statuses, done: tally.counts }))
  say(`${what}: ${JSON.stringify(counts)}`);
const failures = [...warmUp.failures, ...tally.failures];
const problems = [
  ...[...new Set(failures)]
    .slice(0, 20)
    .map((failure) => `${failures.filter((one) => one === failure).length} times: ${failure}`),
  ...(['descriptors', 'containers', 'containerRows'] as const)
    .filter((name) => after[name] > before[name])
    .map((name) => `${name}: ${before[name]} before, ${after[name]} after${name === 'descriptors' ? kindsOf() : ''}`),
  ...(['heapMb', 'rssMb'] as const)
    .filter((name) => after[name] > before[name] + tolerance[name])
    .map(
      (name) =>
        `${name}: ${before[name].toFixed(1)} before, ${after[name].toFixed(1)} after, ${tolerance[name]} are allowed`,
    ),
];
if (tally.requests === 0) problems.push('nobody asked anything');
for (const problem of problems) say(`PROBLEM ${problem}`);
say(
  problems.length === 0
    ? `Everything was let go of, after ${tally.requests} requests.`
    : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Runs the crowd for some time. */
async function use(howLong: number, label: string): Promise<Tally> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'crowd.ts'), JSON.stringify({ ...crowd, isTour: label === 'warm-up' })],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const output = text(child.stdout);
  const ended = once(child, 'exit');
  const end = Date.now() + howLong * 60_000;
  while (Date.now() < end && child.exitCode === null) {
    await Promise.race([delay(Math.max(0, Math.min(60_000, end - Date.now()))), ended]);
    if (Date.now() < end)
      say(
        line(label || `${((howLong * 60_000 - (end - Date.now())) / 60_000).toFixed(0)} min`, await service.sample()),
      );
  }
  child.stdin.end();
  await ended;
  return JSON.parse(await output) as Tally;
}

/** Waits until nothing changes any more, and what is held is no more than before, or until it takes too long for that. */
async function settled(bound?: Sample): Promise<Sample> {
  const deadline = Date.now() + 150_000;
  let last = await service.sample(true);
  for (let quiet = 0; quiet < 3; ) {
    await delay(1000);
    const sample = await service.sample(true);
    const isSame =
      sample.descriptors === last.descriptors &&
      sample.containers === last.containers &&
      sample.containerRows === sample.containers;
    const isBack = !bound || (sample.descriptors <= bound.descriptors && sample.containers <= bound.containers);
    quiet = isSame && isBack ? quiet + 1 : 0;
    last = sample;
    if (Date.now() > deadline) break;
  }
  return last;
}

function kindsOf(): string {
  return `; by kind ${JSON.stringify(before.kinds)} before, ${JSON.stringify(after.kinds)} after`;
}

function head(): string {
  return ['', 'RSS MB', 'heap MB', 'descriptors', 'threads', 'db conn.', 'containers', 'rows', 'jobs', 'lag p99 ms']
    .map((name) => name.padStart(11))
    .join(' ');
}

function line(
  label: string,
  { rssMb, heapMb, descriptors, threads, connections, containers: held, containerRows, jobs, lag }: Sample,
): string {
  const numbers = [
    rssMb.toFixed(1),
    heapMb.toFixed(1),
    descriptors,
    threads,
    connections,
    held,
    containerRows,
    jobs,
    lag.toFixed(0),
  ];
  return [label, ...numbers].map((value) => String(value).padStart(11)).join(' ');
}

function say(what: string): void {
  process.stdout.write(`${what}\n`);
}
