import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import {
  type ShellConnection,
  ShellConnectionLostError,
  type ShellExit,
} from '../../../packages/ssh/container-shell.ts';
import { NoSuchContainerError } from '../../ports/container-engine.ts';
import { closeCodes } from './protocol.ts';
import { RelayPasses } from './relays/passes.ts';
import { type TerminalParts, TerminalService } from './service.ts';

/** A socket without a peer, which records what it was sent and how it was closed. */
class Socket extends EventEmitter {
  readonly protocol: string;
  readonly OPEN = WebSocket.OPEN;
  readonly CLOSED = WebSocket.CLOSED;
  readonly bufferedAmount = 0;
  readonly sent: { type: string; [key: string]: unknown }[] = [];
  readyState: number = WebSocket.OPEN;
  code: number | undefined;

  constructor(protocol = '') {
    super();
    this.protocol = protocol;
  }

  pause(): void {}
  resume(): void {}
  send(data: string | Buffer): void {
    if (typeof data === 'string') this.sent.push(JSON.parse(data));
  }
  close(code: number): void {
    this.code = code;
    this.readyState = WebSocket.CLOSED;
    this.emit('close');
  }
}

const unused = () => assert.fail('not of this test');
const container = { id: 1, ref: 'one', account: 'student', status: 'running', user_id: 7, expires_at: null } as const;
const request = { containerId: 1, token: '', size: undefined, sessionId: undefined, pass: undefined };

/** The terminals of one user with one container, where no shell outlives its connection. */
function newService({ shell, screens, peers }: Partial<Pick<TerminalParts, 'shell' | 'screens'>> & PeerParts) {
  return new TerminalService({
    shell: shell ?? { connect: unused },
    screens: screens ?? { open: unused },
    containers: {
      forTerminal: async () => container,
      held: async () => new Set(),
      touch: async () => undefined,
      ...{ revive: unused, deadline: unused, logWatch: unused, mayWatch: unused, typingAlong: unused },
    },
    peers: {
      count: async () => ({ user: 0, all: 0, left: 0 }),
      shellsOf: async () => [],
      find: async () => undefined,
      ...{ endDetached: unused, connected: unused, serve: () => undefined },
      ...peers,
    },
    passes: new RelayPasses('not of this test'),
    held: {
      store: {
        add: unused,
        take: async () => undefined,
        adoptOrphans: unused,
        left: unused,
        keepScreen: unused,
        keepHelperBytes: unused,
        release: unused,
        remove: unused,
        ofContainer: unused,
      },
      gone: unused,
    },
    sessions: {
      claimsOf: () => ({ userId: 7, login: 'one', issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY }),
      admit: () => ({ id: 7, username: 'one', role: 'student', scope: 'classes' }),
    },
    log: { warn: unused, error: unused },
    options: {
      perUser: 2,
      perContainer: 10,
      max: 100,
      resumeSeconds: 60,
      holder: { bytes: 65536, seconds: 3600 },
      pingSeconds: 60,
      bufferBytes: 1000,
      floodBytesPerSecond: 2 ** 21,
    },
  });
}
type PeerParts = { peers?: Partial<TerminalParts['peers']> };

describe('terminals', () => {
  it("stay within the user's limit while other processes answer concurrently", async () => {
    const perUser = 2;
    const asked = 5;
    let counted = 0;
    const answer = Promise.withResolvers<void>();
    const shell = Promise.withResolvers<ShellConnection>();
    const count = async () => {
      counted += 1;
      if (counted === asked) answer.resolve();
      await answer.promise;
      return { user: 0, all: 0, left: 0 };
    };
    await using service = newService({ shell: { connect: () => shell.promise }, peers: { count } });
    const sockets = Array.from({ length: asked }, () => new Socket());
    const served = sockets.map((socket) => service.serve(socket as unknown as WebSocket, request));
    const tooMany = () => sockets.filter(({ code }) => code === closeCodes.tooMany).length;
    await answer.promise;
    // All have been admitted or refused. The admitted ones wait for their shells.
    await new Promise((resolve) => setImmediate(resolve));
    const refused = tooMany();
    shell.reject(new ShellConnectionLostError('not of this test'));
    await Promise.all(served);
    assert.deepEqual([refused, tooMany()], [asked - perUser, asked - perUser]);
  });

  it('are not resumed while it is asked why their shells have ended', async () => {
    const exit = Promise.withResolvers<ShellExit>();
    const terminal = Object.assign(new PassThrough(), { resize: () => {}, exit: exit.promise });
    const isAsked = Promise.withResolvers<void>();
    const reason = Promise.withResolvers<ShellConnection>();
    const connection = { isOpen: true, isPlain: false, openHeldTerminal: async () => terminal };
    const connections = [connection as unknown as ShellConnection];
    const connect = async () => {
      const next = connections.shift();
      if (!next) isAsked.resolve();
      return next ?? (await reason.promise);
    };
    const screen = { write: () => {}, resize: () => {}, snapshot: async () => Buffer.alloc(0), capture: unused };
    const screens = { open: () => ({ ...screen, [Symbol.dispose]: () => {} }) };
    await using service = newService({ shell: { connect }, screens });
    const serve = async (socket: Socket, sessionId?: unknown) =>
      await service.serve(socket as unknown as WebSocket, { ...request, sessionId: sessionId as string | undefined });

    const first = new Socket('terminal.v1');
    await serve(first);
    const sessionId = first.sent.find(({ type }) => type === 'ready')?.['session_id'];
    assert.equal(typeof sessionId, 'string');
    first.close(1000);
    exit.resolve({ code: null });
    await isAsked.promise;
    const second = new Socket('terminal.v1');
    const served = serve(second, sessionId);
    await new Promise((resolve) => setImmediate(resolve));
    reason.reject(new NoSuchContainerError('one'));
    await served;
    assert.deepEqual([second.sent.map(({ type }) => type), second.code], [['error'], closeCodes.noContainer]);
  });
});
