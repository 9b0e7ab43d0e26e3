import type { WebSocket } from 'ws';
import type { Caller } from '../../http/access.ts';
import type { Claims } from '../auth/tokens.ts';
import { type CloseCode, closeCodes, type ServerMessage } from './protocol.ts';

export type ClientOptions = {
  socket: WebSocket;
  caller: Caller;
  /** Of its token. Asked for again while the terminal is open: a token runs out, a user is deactivated. */
  claims: Claims;
  hasMessages: boolean;
  /** Bytes that wait for the client before it counts as slow. */
  bufferBytes: number;
};

/** Pings in a row that a client may leave unanswered. */
const mostMissed = 2;

/** Answers that may wait for a client to read them. The socket's own answers to pings have a bound of their own. */
const mostUnread = 1000;

/** One end of a terminal's WebSocket: what goes out, whether it gets there, and how it is closed. */
export class TerminalClient {
  readonly caller: Caller;
  readonly claims: Claims;
  readonly hasMessages: boolean;
  readonly socket: WebSocket;
  readonly #bufferBytes: number;
  /** Called whenever `isSlow` has changed. */
  onFlow: () => void = () => {};
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

  /** True while nothing should be sent: it asked for that, or does not read as fast as the shell writes. */
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

  /** Nothing happens on a socket without messages. */
  tell(message: ServerMessage): void {
    if (this.hasMessages && this.isOpen) this.socket.send(JSON.stringify(message), this.#sent);
  }

  /**
   * Says something that the client has asked for. Output can be held back at the shell, and this cannot: who asks on and never
   * reads would fill the memory, and is cut off.
   */
  answer(message: ServerMessage): void {
    if (!this.hasMessages) return;
    this.tell(message);
    this.#unread = this.socket.bufferedAmount === 0 ? 0 : this.#unread + 1;
    if (this.#unread > mostUnread) this.socket.terminate();
  }

  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.onFlow();
  }

  /** Closes once everything has left; a client that takes long to read it is not cut off as long as it reads. */
  close(code: CloseCode, reason: string): void {
    if (!this.isOpen) return;
    this.#closing = { code, reason };
    // Input that is still to be read holds up the other side's answer.
    this.socket.resume();
    if (this.socket.bufferedAmount === 0) this.#closeNow();
  }

  /** Once a ping interval: cuts off a client that is gone, without waiting for it. */
  beat(): void {
    // A slow client reads our ping only after what was sent before it: that it reads on is enough.
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
