import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

export type TerminalMessage = Record<string, unknown> & { type: string };
type Connecting = { protocol?: 'terminal.v1' | undefined; headers?: Record<string, string> };

/** A client of the terminal's WebSocket that records everything it receives. */
export class TerminalClient {
  readonly socket: WebSocket;
  readonly messages: TerminalMessage[] = [];
  /** How the socket was closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
  #chunks: Buffer[] = [];
  bytes = 0;

  constructor(url: string, { protocol, headers }: Connecting = {}) {
    this.socket = new WebSocket(url.replace(/^http/, 'ws'), protocol ? [protocol] : [], headers ? { headers } : {});
    this.socket.on('error', () => {});
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.#chunks.push(data);
        this.bytes += data.length;
      } else this.messages.push(JSON.parse(data.toString()));
    });
    // `once` would reject after an error, such as a connection that was reset.
    this.closed = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
  }

  /** All bytes so far. */
  get output(): Buffer {
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  send(message: TerminalMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  async #until<T>(what: string, find: () => T | undefined, patience = 90_000): Promise<T> {
    const deadline = Date.now() + patience;
    for (;;) {
      const begin = performance.now();
      const found = find();
      if (found !== undefined) return found;
      // A look at megabytes takes as long as their arrival.
      const pause = Math.max(5, 4 * (performance.now() - begin));
      if (Date.now() > deadline || this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`${what} did not come; the last output: ${JSON.stringify(this.output.toString().slice(-500))}`);
      }
      await delay(pause);
    }
  }

  /** Waits for a message of a type. Returns the newest if there are several. */
  async message(type: string, is: (message: TerminalMessage) => boolean = () => true): Promise<TerminalMessage> {
    return await this.#until(`a message ${type}`, () => this.messages.findLast((one) => one.type === type && is(one)));
  }

  /** Waits until the output contains the wanted text. @param patience in milliseconds @returns its text */
  async shows(wanted: string | RegExp, patience?: number): Promise<string> {
    const find = () => {
      const text = this.output.toString();
      return (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) ? text : undefined;
    };
    return await this.#until(String(wanted), find, patience);
  }

  /** Waits for the shell's prompt. */
  async ready(): Promise<this> {
    await this.shows(/[$#] ?$/);
    return this;
  }
}
