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
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';

type Measured = { request: number; echo: number };

const rounds = 2;
/** Longer while it is loud: the first seconds of ten floods are louder than the rest. */
const seconds = { quiet: 6, loud: 12 };

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
  // Both can arrive in the same turn of the event loop.
  const first = await new Promise<Buffer[]>((resolve) => {
    const messages: Buffer[] = [];
    socket.on('message', (message: Buffer) => {
      if (messages.length < 2 && messages.push(message) === 2) resolve(messages);
    });
  });
  return { socket, session: JSON.parse(String(first[0])).session_id };
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

async function endShell(session: string): Promise<void> {
  const { socket } = await open(hostile, `&session=${session}`);
  const ended = once(socket, 'close');
  // A key that ends a program also discards the input that was typed in advance.
  const timers = [
    setInterval(() => socket.send(Buffer.from('\x03')), 500),
    setInterval(() => socket.send(Buffer.from('exit\n')), 700),
  ];
  await ended;
  for (const timer of timers) clearInterval(timer);
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
  const measured = await measure(seconds.loud);
  for (const { socket } of attackers) socket.terminate();
  await Promise.all(attackers.map(({ session }) => endShell(session)));
  return measured;
}

const hostileCommands = Object.values(hostileOutput);
const kinds = [
  // What they cost beside their output.
  { name: 'ten terminals that compute', commands: hostileCommands.map(() => 'while :; do :; done'), isSeen: true },
  { name: 'ten hostile terminals that nobody sees', commands: hostileCommands, isSeen: false },
  { name: 'ten hostile terminals', commands: hostileCommands, isSeen: true },
];
const values = kinds.map(() => ({ quiet: [] as Measured[], loud: [] as Measured[] }));
await measure(2);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, { commands, isSeen }] of kinds.entries()) {
    values[index]?.quiet.push(await measure(seconds.quiet));
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
