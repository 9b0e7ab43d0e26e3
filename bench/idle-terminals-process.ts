/** The terminals of the service alone, over shells that print a prompt and then are quiet. Reports its memory when asked. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { ScreenPool } from '../packages/screens/screen-pool.ts';
import type { ShellConnection, TerminalStream } from '../packages/ssh/container-shell.ts';
import { loadConfig } from '../src/config.ts';
import { RelayPasses } from '../src/features/terminal/relays/passes.ts';
import { TerminalService } from '../src/features/terminal/service.ts';

const config = loadConfig({ TERMINALS_MAX: '10000' }, { maxTerminalsPerUser: 1000, maxTerminalsPerContainer: 1000 });
const log = { warn: console.error, error: console.error };
const none = async () => undefined;

function shellOf(): TerminalStream {
  const stream = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
  const exit = new Promise<{ code: number }>((resolve) => stream.once('close', () => resolve({ code: 0 })));
  setImmediate(() => stream.push('student@sandbox:~$ '));
  return Object.assign(stream, { resize: () => undefined, exit });
}

const connection: ShellConnection = {
  isOpen: true,
  isPlain: false,
  closed: new Promise(() => undefined),
  runScript: () => Promise.reject(new Error('no scripts here')),
  putFiles: () => Promise.reject(new Error('no files here')),
  readFile: () => Promise.reject(new Error('no files here')),
  writeFile: () => Promise.reject(new Error('no files here')),
  openTerminal: async () => shellOf(),
  openHeldTerminal: async () => shellOf(),
  attach: none,
  [Symbol.asyncDispose]: none,
};
const terminals = new TerminalService({
  shell: { connect: async () => connection },
  screens: new ScreenPool({ ...config.terminal, ...config.screens, log }),
  containers: {
    forTerminal: async () => ({
      id: 1,
      ref: 'one',
      status: 'running',
      user_id: 7,
      expires_at: null,
      is_of_attempt: false,
    }),
    touch: none,
    revive: none,
    deadline: none,
    logWatch: none,
  } as never,
  peers: {
    count: async () => ({ user: 0, all: 0, left: 0 }),
    find: none,
    connected: async () => [],
    shellsOf: async () => [],
    endDetached: none,
    serve: () => undefined,
  },
  held: {
    store: {
      add: none,
      take: none,
      adoptOrphans: none,
      keepHelperBytes: none,
      keepScreen: none,
      release: none,
      remove: none,
      left: async () => [],
      ofContainer: async () => [],
    },
    gone: async () => [],
  },
  passes: new RelayPasses('a key of the bench that is long enough'),
  sessions: {
    claimsOf: () => ({ userId: 7, login: 'one', issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }),
    admit: () => ({ id: 7, username: 'one', role: 'student', scope: 'classes' }),
  },
  log,
  options: config.terminal,
});
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const sockets = new WebSocketServer({ server, maxPayload: 1024 * 1024, perMessageDeflate: false });
const request = { containerId: 1, token: '', size: undefined, sessionId: undefined, pass: undefined };
sockets.on('connection', (socket: WebSocket) => void terminals.serve(socket, request));
process.send?.({ port: (server.address() as AddressInfo).port });
process.on('message', () => void tell());

async function tell(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await delay(300);
  }
  process.send?.({ open: terminals.openTerminals, rss: process.memoryUsage.rss() });
}
