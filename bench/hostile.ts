/**
 * What ten terminals with hostile output cost everybody else: requests and the echo of an eleventh terminal, beside the same in quiet. First
 * with nobody at the ten terminals, so that nothing holds their output back, then with clients that read all of it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { hostileOutput } from '../test/attacks/hostile-output.ts';
import type { HostedTerminals } from '../test/attacks/hostile-output-service.ts';
import { prepareEnvironment, quantile, report, timed } from './environment.ts';

const seconds = { quiet: 8, loud: 12 };

await using cleanup = new AsyncDisposableStack();
cleanup.use(await prepareEnvironment());
const service = fork(fileURLToPath(new URL('../test/attacks/hostile-output-service.ts', import.meta.url)));
cleanup.defer(async () => {
  service.disconnect();
  await once(service, 'exit');
});
const [{ url, token, hostile, quiet }] = (await once(service, 'message')) as [HostedTerminals];

async function open(container: number, query = ''): Promise<{ socket: WebSocket; session: string }> {
  const address = `${url.replace('http', 'ws')}/ws/terminal/${container}?token=${token}${query}`;
  const socket = new WebSocket(address, ['terminal.v1'], { perMessageDeflate: false });
  const [message] = (await once(socket, 'message')) as [Buffer];
  await once(socket, 'message');
  return { socket, session: JSON.parse(message.toString()).session_id };
}

const { socket: typist } = await open(quiet);

async function echo(): Promise<void> {
  const answer = once(typist, 'message');
  typist.send(Buffer.from('x'));
  await answer;
}

async function me(): Promise<void> {
  const response = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`me: ${response.status}`);
}

async function measure(duration: number): Promise<{ request: number; echo: number }> {
  const [requests, echoes]: [number[], number[]] = [[], []];
  const end = performance.now() + duration * 1000;
  while (performance.now() < end) {
    requests.push(await timed(me));
    if (requests.length % 5 === 0) echoes.push(await timed(echo));
  }
  return { request: quantile(requests, 0.99), echo: quantile(echoes, 0.99) };
}

async function attack(isSeen: boolean): Promise<{ request: number; echo: number }> {
  const attackers = await Promise.all(
    Object.values(hostileOutput).map(async (command) => {
      const attacker = await open(hostile, '&cols=500&rows=300');
      attacker.socket.send(Buffer.from(`${command}\n`));
      return attacker;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (!isSeen) for (const { socket } of attackers) socket.terminate();
  const measured = await measure(seconds.loud);
  for (const { socket, session } of attackers) {
    socket.terminate();
    const again = await open(hostile, `&session=${session}`);
    again.socket.send(Buffer.from('\x03\x03exit\n'));
    await once(again.socket, 'close');
  }
  return measured;
}

await measure(2);
const before = await measure(seconds.quiet);
for (const [isSeen, name] of [
  [false, 'ten hostile terminals that nobody sees'],
  [true, 'ten hostile terminals'],
] as const) {
  const during = await attack(isSeen);
  report(`p99 of GET /api/auth/me, ${name} / quiet`, during.request, before.request, 'ms', 'at most 5');
  report(`p99 of an echo, ${name} / quiet`, during.echo, before.echo, 'ms', 'under 100 ms');
}
typist.terminate();
