import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { type ShellConnection, ShellConnectionLostError } from '../../../packages/ssh/container-shell.ts';
import { closeCodes } from './protocol.ts';
import { RelayPasses } from './relays/passes.ts';
import { TerminalService } from './service.ts';

/** A socket without a peer, which records how it was closed. */
class Socket extends EventEmitter {
  readonly protocol = '';
  readonly OPEN = WebSocket.OPEN;
  readonly CLOSED = WebSocket.CLOSED;
  readyState: number = WebSocket.OPEN;
  code: number | undefined;

  pause(): void {}
  resume(): void {}
  close(code: number): void {
    this.code = code;
    this.readyState = WebSocket.CLOSED;
    this.emit('close');
  }
}

describe('terminals', () => {
  // Long: most of it is another process, whose answers the test controls.
  it("stay within the user's limit while other processes answer concurrently", async () => {
    const perUser = 2;
    const asked = 5;
    let counted = 0;
    const answer = Promise.withResolvers<void>();
    const shell = Promise.withResolvers<ShellConnection>();
    const container = {
      id: 1,
      ref: 'one',
      account: 'student',
      status: 'running',
      user_id: 7,
      expires_at: null,
    } as const;
    const unused = () => assert.fail('not of this test');
    await using service = new TerminalService({
      shell: { connect: () => shell.promise },
      screens: { open: unused },
      containers: {
        forTerminal: async () => container,
        held: async () => new Set(),
        touch: async () => undefined,
        ...{ revive: unused, deadline: unused, logWatch: unused, mayWatch: unused, typingAlong: unused },
      },
      peers: {
        count: async () => {
          counted += 1;
          if (counted === asked) answer.resolve();
          await answer.promise;
          return { user: 0, all: 0, left: 0 };
        },
        shellsOf: async () => [],
        ...{ find: unused, endDetached: unused, connected: unused, serve: () => undefined },
      },
      passes: new RelayPasses('not of this test'),
      held: {
        store: {
          add: unused,
          take: unused,
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
        perUser,
        perContainer: 10,
        max: 100,
        resumeSeconds: 1,
        holder: { bytes: 65536, seconds: 3600 },
        pingSeconds: 60,
        bufferBytes: 1000,
        floodBytesPerSecond: 2 ** 21,
      },
    });
    const sockets = Array.from({ length: asked }, () => new Socket());
    const request = { containerId: 1, token: '', size: undefined, sessionId: undefined, pass: undefined };
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
});
