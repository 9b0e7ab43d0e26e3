import { WebSocket } from 'ws';
import { closeCodes } from '../protocol.ts';
import type { Sessions } from '../sessions.ts';
import { passRefused, type RelayPass, type RelayPasses, relayHeader } from './passes.ts';
import type { Found, PeerTerminals } from './peer-terminals.ts';

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

type RelayOptions = {
  /** The URL of the terminal in the other process. */
  url: string;
  /** Identifies the client to the other process. */
  pass: string;
  /** Bytes queued in one direction above which the other side is no longer read. */
  bufferBytes: number;
  /** Milliseconds that the other process has to answer. */
  patience?: number;
  /** Called where the other process refuses the pass. */
  onRefused?: () => void;
};

/**
 * Connects a client's socket with the process that has its terminal. Frames, flow control, pings and the close code pass through
 * unchanged. Resolves when both ends are closed. Over `https:`, the other process must present a certificate that Node trusts.
 */
async function relay(
  client: WebSocket,
  { url, pass, bufferBytes, patience = 5000, onRefused }: RelayOptions,
): Promise<void> {
  const upstream = new WebSocket(url, client.protocol === '' ? [] : [client.protocol], {
    headers: { [relayHeader]: pass },
    handshakeTimeout: patience,
    perMessageDeflate: false,
    autoPong: false,
  });
  const ended = Promise.all([client, upstream].map((end) => new Promise((resolve) => end.once('close', resolve))));
  let isOpen = false;
  upstream.once('open', () => {
    isOpen = true;
    client.resume();
  });
  upstream.on('error', () => {});
  client.on('error', () => {});
  pump(client, upstream, bufferBytes);
  pump(upstream, client, bufferBytes);
  // The other process's ping checks the client, not this process.
  upstream.on('ping', (data) => client.readyState === WebSocket.OPEN && client.ping(data));
  client.on('pong', (data) => upstream.readyState === WebSocket.OPEN && upstream.pong(data));
  upstream.once('close', (code, reason) => {
    if (code === closeCodes.forbidden && reason.toString() === passRefused) onRefused?.();
    if (isOpen) end(client, code, reason);
    else end(client, closeCodes.tryAgainLater, Buffer.from('The process that has this terminal cannot be reached'));
  });
  client.once('close', (code, reason) => end(upstream, code, reason));
  if (client.readyState === WebSocket.CLOSED) upstream.terminate();
  await ended;
}

function pump(from: WebSocket, to: WebSocket, bufferBytes: number): void {
  from.on('message', (data: Buffer, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(data, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount <= bufferBytes / 4) from.resume();
    });
    if (to.bufferedAmount > bufferBytes) from.pause();
  });
}

/** A lost connection has no code that can be sent, so the other side is terminated. */
function end(socket: WebSocket, code: number, reason: Buffer): void {
  socket.resume();
  const isSendable = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
  if (isSendable) socket.close(code, reason);
  else if (code === 1005) socket.close();
  else socket.terminate();
}
