/**
 * Whether the latency of a refused login reveals that a user exists: the medians of unknown and known users, in alternating order,
 * at the cost of production. The requests are sequential over one HTTP connection. Then the throughput of logins against bcrypt
 * alone on all cores, in alternating rounds, and its effect on a concurrent reader.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';

const rounds = 40;
/** Rounds of logins, each with the given duration in milliseconds. */
const loginRounds = 5;
const roundLength = 6000;
/** Concurrent logins. */
const crowd = 12;

await using _environment = await prepareEnvironment();
const child = spawn(process.execPath, [fileURLToPath(new URL('service-process.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let service: { url: string; username: string; email: string; password: string; token: string } | undefined;
for await (const line of createInterface({ input: child.stdout })) {
  if (!line.includes('"url"')) continue;
  service = JSON.parse(line);
  child.stdout.resume();
  break;
}
if (!service) throw new Error('the service did not start');
const { url, username, email, password, token } = service;

const refused = async (login: string): Promise<number> =>
  await timed(async () => {
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: login, password: 'not the password of anybody' }),
    });
    await response.arrayBuffer();
    if (response.status !== 401) throw new Error(`login: ${response.status}`);
  });

const times = { known: [] as number[], address: [] as number[], unknown: [] as number[] };
for (let round = -10; round < rounds; round += 1) {
  // The order alternates, and the first rounds are a warm-up.
  const logins: [keyof typeof times, string][] = [
    ['known', username],
    ['unknown', `nobody${round + 100}`],
    ['address', email],
  ];
  for (const [kind, login] of round % 2 === 0 ? logins : logins.reverse()) {
    const time = await refused(login);
    if (round >= 0) times[kind].push(time);
  }
}
report('refused login: unknown / known user', median(times.unknown), median(times.known), 'ms', '0.95 to 1.05');
report('refused login: by e-mail address / by name', median(times.address), median(times.known), 'ms', '0.95 to 1.05');

const logIn = async (): Promise<void> => {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`login: ${response.status}`);
};
const read = async (): Promise<void> => {
  const response = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`read: ${response.status}`);
};
/** The p99 of reads, one after the other at a steady pace. */
async function readUntil(isOver: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!isOver()) {
    times.push(await timed(read));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return quantile(times, 0.99);
}
const over = () => {
  const end = performance.now() + roundLength;
  return () => performance.now() > end;
};
const rates = { ours: [] as number[], bcrypt: [] as number[] };
const p99 = { quiet: [] as number[], busy: [] as number[] };
const reference = fileURLToPath(new URL('bcrypt-process.ts', import.meta.url));
for (let round = -1; round < loginRounds; round += 1) {
  const quiet = await readUntil(over());
  const begin = performance.now();
  const isOver = over();
  let count = 0;
  const line = async (): Promise<void> => {
    while (!isOver()) {
      await logIn();
      count += 1;
    }
  };
  const [busy] = await Promise.all([readUntil(isOver), ...Array.from({ length: crowd }, line)]);
  const rate = (count * 1000) / (performance.now() - begin);
  const { stdout } = await promisify(execFile)(process.execPath, [reference, `${roundLength}`]);
  // The first round is a warm-up.
  if (round < 0) continue;
  p99.quiet.push(quiet);
  p99.busy.push(busy);
  rates.ours.push(rate);
  rates.bcrypt.push(Number(stdout));
}
report('logins / bcrypt alone on all cores', median(rates.ours), median(rates.bcrypt), 'a second', '≥ 0.89');
report('p99 of GET /api/auth/me during logins / in quiet', median(p99.busy), median(p99.quiet), 'ms', '≤ 2.00');
child.kill('SIGTERM');
await once(child, 'exit');
