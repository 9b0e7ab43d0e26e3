import type { WebSocket } from 'ws';
import type { Found, PeerTerminals } from './peer-terminals.ts';
import { relay } from './relay.ts';
import type { RelayPass, RelayPasses } from './relay-passes.ts';
import type { Sessions } from './sessions.ts';

export type RelaysParts = {
  sessions: Sessions;
  peers: Pick<PeerTerminals, 'find'>;
  passes: Pick<RelayPasses, 'sign'>;
  bufferBytes: number;
  log: { warn: (details: object, message: string) => void };
};

export const sessionForm = /^[\w-]{1,64}$/;

/** Finds terminals in other processes, and connects this process's clients with them. */
export class Relays {
  readonly #parts: RelaysParts;
  readonly sockets = new Set<WebSocket>();

  constructor(parts: RelaysParts) {
    this.#parts = parts;
  }

  /** The location of the requested terminal, unless it is here: the session to resume, or the one to watch, without an id the newest. */
  async find(containerId: number, isOwn: boolean, sessionId: string | undefined): Promise<Found | undefined> {
    const wanted = sessionId !== undefined && sessionForm.test(sessionId) ? sessionId : undefined;
    if (isOwn && wanted === undefined) return undefined;
    const here = this.#parts.sessions.newest(containerId, wanted);
    if (here && wanted !== undefined) return undefined;
    const there = await this.#parts.peers.find(containerId, wanted);
    return there && there.begunAt > (here?.begunAt ?? 0) ? there : undefined;
  }

  /** Forwards everything until the socket closes. */
  async connect(
    socket: WebSocket,
    { url, challenge }: Found,
    { containerId, claims, size, sessionId }: Omit<RelayPass, 'protocol'>,
  ): Promise<void> {
    this.sockets.add(socket);
    const { passes, bufferBytes, log } = this.#parts;
    await relay(socket, {
      url: `${url.replace(/^http/, 'ws')}/ws/terminal/${containerId}`,
      pass: passes.sign(challenge, { containerId, protocol: socket.protocol, claims, size, sessionId }),
      bufferBytes,
      onRefused: () =>
        log.warn({ process: url }, 'another process has refused a request of this one: all need the same SECRET_KEY'),
    });
    this.sockets.delete(socket);
  }
}
