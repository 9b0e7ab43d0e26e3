import type { WebSocket } from 'ws';

/** Answers to a client's own frames that may wait for it to read them. */
const mostUnread = 1000;

/**
 * Counts what a client is answered (pongs, errors) while it does not read. Output can be held back at the shell, and these cannot: who
 * asks on and never reads would fill the memory, and is cut off.
 */
export class UnreadAnswers {
  readonly #socket: WebSocket;
  #unread = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // Pings are answered by the socket itself.
    socket.on('ping', () => this.count());
  }

  /** Another answer was sent. */
  count(): void {
    this.#unread = this.#socket.bufferedAmount === 0 ? 0 : this.#unread + 1;
    if (this.#unread > mostUnread) this.#socket.terminate();
  }
}
