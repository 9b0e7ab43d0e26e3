import type { WebSocket } from 'ws';
import type { Caller } from '../../http/access/access.ts';
import type { Claims } from '../auth/tokens.ts';
import { type CloseCode, closeCodes, type ServerMessage } from './protocol.ts';

export type ClientOptions = {
  socket: WebSocket;
  caller: Caller;
  /** The claims of its token. Checked again while the terminal is open: a token expires, a user is deactivated. */
  claims: Claims;
  hasMessages: boolean;
  /** Bytes in the client's send queue above which it counts as slow. */
  bufferBytes: number;
};

/** Consecutive pings that a client may leave unanswered. */
const mostMissed = 2;

/** The maximum number of answers that wait for a client to read them. The socket's own pong frames have a separate bound. */
const mostUnread = 1000;

/** One end of a terminal's WebSocket: output, flow control and close. */
export class TerminalClient {
  readonly caller: Caller;
  readonly claims: Claims;
  readonly hasMessages: boolean;
  readonly socket: WebSocket;
  readonly #bufferBytes: number;
  /** Called whenever `isSlow` has changed. */
  onFlow: () => void = () => {};
  /** Whether it is notified of the input that the container has received. */
  hasReceipts = false;
  #isFull = false;
  #isPaused = false;
  #isHeard = true;
  #hasSent = false;
  #missed = 0;
  #unread = 0;
  #closing: { code: CloseCode; reason: string } | undefined;

  constructor({ socket, caller, claims, hasMessages, bufferBytes }: ClientOptions) {
    this.socket = socket;
    this.caller = caller;
    this.claims = claims;
    this.hasMessages = hasMessages;
    this.#bufferBytes = bufferBytes;
    const heard = () => {
      this.#isHeard = true;
    };
    socket.on('pong', heard);
    socket.on('message', heard);
  }

  /** True while nothing should be sent: the client paused output, or reads slower than the shell writes. */
  get isSlow(): boolean {
    return this.#isPaused || this.#isFull;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN && !this.#closing;
  }

  send(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.socket.send(bytes, binary, this.#sent);
    if (!this.#isFull && this.socket.bufferedAmount > this.#bufferBytes) {
      this.#isFull = true;
      this.onFlow();
    }
  }

  /** Does nothing on a socket without messages. */
  notify(message: ServerMessage): void {
    if (this.hasMessages && this.isOpen) this.socket.send(JSON.stringify(message), this.#sent);
  }

  /**
   * Sends an answer to a client's request. Output can be held back at the shell, but answers cannot. A client that sends requests and
   * never reads would fill the memory, and is disconnected.
   */
  answer(message: ServerMessage): void {
    if (!this.hasMessages) return;
    this.notify(message);
    this.#unread = this.socket.bufferedAmount === 0 ? 0 : this.#unread + 1;
    if (this.#unread > mostUnread) this.socket.terminate();
  }

  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.onFlow();
  }

  /** Closes after everything is sent. A slow client is not disconnected while it reads. */
  close(code: CloseCode, reason: string): void {
    if (!this.isOpen) return;
    this.#closing = { code, reason };
    // Unread input would block the peer's close frame.
    this.socket.resume();
    if (this.socket.bufferedAmount === 0) this.#closeNow();
  }

  /** Runs once per ping interval: disconnects an unresponsive client without a close handshake. */
  beat(): void {
    // A slow client reads our ping only after the earlier output. Progress in reading is enough.
    const isAlive = this.#isHeard || this.socket.isPaused || (this.socket.bufferedAmount > 0 && this.#hasSent);
    this.#missed = isAlive ? 0 : this.#missed + 1;
    this.#isHeard = false;
    this.#hasSent = false;
    if (this.#missed >= mostMissed) this.socket.terminate();
    else if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  readonly #sent = (): void => {
    this.#hasSent = true;
    const { bufferedAmount } = this.socket;
    if (this.#closing && bufferedAmount === 0) this.#closeNow();
    if (!this.#isFull || bufferedAmount > this.#bufferBytes / 4) return;
    this.#isFull = false;
    this.onFlow();
  };

  #closeNow(): void {
    const { code, reason } = this.#closing ?? { code: closeCodes.unexpected, reason: '' };
    this.socket.close(code, reason);
  }
}

const binary = { binary: true };
