/**
 * Whether the time of a refused login tells that a user exists: the medians of unknown and known users, in alternating order, at the
 * cost of production. What is compared is one request after the other over HTTP, on a connection that is kept.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median, prepareEnvironment, report, timed } from './environment.ts';

const rounds = 40;

await using _environment = await prepareEnvironment();
const child = spawn(process.execPath, [fileURLToPath(new URL('service-process.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let service: { url: string; username: string; email: string } | undefined;
for await (const line of createInterface({ input: child.stdout })) {
  if (!line.includes('"url"')) continue;
  service = JSON.parse(line);
  child.stdout.resume();
  break;
}
if (!service) throw new Error('the service did not start');
const { url, username, email } = service;

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
  // Who comes first changes, and the first rounds warm up.
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
child.kill('SIGTERM');
await once(child, 'exit');
