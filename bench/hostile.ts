/**
 * The cost of ten terminals with hostile output for others: requests and the echo of an eleventh terminal, against the same on an
 * idle service. The first run has no clients at the ten terminals, so nothing slows their output. The second has clients that read
 * all of it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { hostileOutput } from '../test/attacks/hostile-output.ts';
import type { HostedTerminals } from '../test/attacks/hostile-output-service.ts';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';

type Measured = { request: number; echo: number };

const rounds = 3;
const seconds = 4;

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

async function measure(duration: number): Promise<Measured> {
  const [requests, echoes]: [number[], number[]] = [[], []];
  const end = performance.now() + duration * 1000;
  while (performance.now() < end) {
    requests.push(await timed(me));
    if (requests.length % 5 === 0) echoes.push(await timed(echo));
  }
  return { request: quantile(requests, 0.99), echo: quantile(echoes, 0.99) };
}

async function attack(commands: readonly string[], isSeen: boolean): Promise<Measured> {
  const attackers = await Promise.all(
    commands.map(async (command) => {
      const attacker = await open(hostile, '&cols=500&rows=300');
      attacker.socket.send(Buffer.from(`${command}\n`));
      return attacker;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (!isSeen) for (const { socket } of attackers) socket.terminate();
  const measured = await measure(seconds);
  for (const { socket, session } of attackers) {
    socket.terminate();
    const again = await open(hostile, `&session=${session}`);
    const ended = once(again.socket, 'close');
    // Ending a program discards the input typed ahead.
    const timer = setInterval(() => again.socket.send(Buffer.from('\x03')), 500);
    const exit = setInterval(() => again.socket.send(Buffer.from('exit\n')), 700);
    await ended;
    clearInterval(timer);
    clearInterval(exit);
  }
  return measured;
}

const hostileCommands = Object.values(hostileOutput);
const kinds = [
  // The cost apart from their output.
  { name: 'ten terminals that compute', commands: hostileCommands.map(() => 'while :; do :; done'), isSeen: true },
  { name: 'ten hostile terminals that nobody sees', commands: hostileCommands, isSeen: false },
  { name: 'ten hostile terminals', commands: hostileCommands, isSeen: true },
];
const values = kinds.map(() => ({ quiet: [] as Measured[], loud: [] as Measured[] }));
await measure(2);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, { commands, isSeen }] of kinds.entries()) {
    values[index]?.quiet.push(await measure(seconds));
    values[index]?.loud.push(await attack(commands, isSeen));
  }
}
for (const [index, { name }] of kinds.entries()) {
  const { quiet: before = [], loud: during = [] } = values[index] ?? {};
  const middle = (list: readonly Measured[], what: keyof Measured) => median(list.map((one) => one[what]));
  const { request, echo: echoed } = { request: middle(during, 'request'), echo: middle(during, 'echo') };
  report(`p99 of GET /api/auth/me, ${name} / quiet`, request, middle(before, 'request'), 'ms', 'at most 5');
  report(`p99 of an echo, ${name} / quiet`, echoed, middle(before, 'echo'), 'ms', 'under 100 ms');
}
typist.terminate();
