import type { WebSocket } from 'ws';
import type { Caller } from '../../http/access.ts';
import { type CloseCode, closeCodes, type ServerMessage } from './protocol.ts';
import type { UnreadAnswers } from './unread-answers.ts';

export type ClientOptions = {
  socket: WebSocket;
  caller: Caller;
  /** Asked again while the terminal is open: a token runs out, a user is deactivated. */
  token: string;
  hasMessages: boolean;
  /** Bytes that wait for the client before it counts as slow. */
  bufferBytes: number;
  answers: UnreadAnswers;
};

/** Pings in a row that a client may leave unanswered. */
const mostMissed = 2;

/** One end of a terminal's WebSocket: what goes out, whether it gets there, and how it is closed. */
export class TerminalClient {
  readonly caller: Caller;
  readonly token: string;
  readonly hasMessages: boolean;
  readonly socket: WebSocket;
  readonly #bufferBytes: number;
  readonly #answers: UnreadAnswers;
  /** Called whenever `isSlow` has changed. */
  onFlow: () => void = () => {};
  #isFull = false;
  #isPaused = false;
  #isHeard = true;
  #hasSent = false;
  #missed = 0;
  #closing: { code: CloseCode; reason: string } | undefined;

  constructor({ socket, caller, token, hasMessages, bufferBytes, answers }: ClientOptions) {
    this.socket = socket;
    this.caller = caller;
    this.token = token;
    this.hasMessages = hasMessages;
    this.#bufferBytes = bufferBytes;
    this.#answers = answers;
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

  /** Says something that the client has asked for: it has to read it, too. */
  answer(message: ServerMessage): void {
    this.tell(message);
    if (this.hasMessages) this.#answers.count();
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
