import { once } from 'node:events';
import type { ClientChannel } from 'ssh2';
import {
  type AwaitedFile,
  type FileRefusal,
  FileRefusedError,
  fileRefusals,
  type OpenedFile,
  ShellConnectionLostError,
} from '../../features/capacity/container-shell.ts';

/** Longer than any path in base64. */
const longestLine = 8192;
const lineForm = /^(?:ok (\d{1,15}) ([A-Za-z0-9+/]+={0,2})|no ([a-z]+))$/;

const unexpected = () => new ShellConnectionLostError('The container did not answer as expected');

/** One file on its way between the service and a container: the service's end of a script of `transfer-scripts.ts`. */
export class FileTransfer {
  readonly #channel: ClientChannel;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #closed: Promise<unknown>;
  #rest = Buffer.alloc(0);
  #status: number | null = null;

  /** @param channel on which the script has just been started */
  constructor(channel: ClientChannel) {
    this.#channel = channel;
    this.#closed = new Promise((resolve) => channel.once('close', resolve));
    // The end of the output comes before the exit status, which a channel that is destroyed then does not receive.
    this.#chunks = channel.iterator({ destroyOnReturn: false });
    channel.stderr.resume();
    channel.on('error', () => channel.destroy());
    channel.on('exit', (code: number | null) => {
      this.#status = code;
    });
  }

  /** @param most bytes that are read @throws FileRefusedError, ShellConnectionLostError */
  async read(most: number): Promise<OpenedFile> {
    const { path, bytes } = await this.#answer();
    return { path, bytes, content: this.#content(most) };
  }

  /** @throws FileRefusedError, ShellConnectionLostError */
  async write(): Promise<AwaitedFile> {
    const { path } = await this.#answer();
    return { path, write: (content) => this.#write(content) };
  }

  /** The container decides what it sends: nothing in it is trusted. */
  async *#content(most: number): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for (let chunk: Buffer | undefined = this.#rest; chunk; chunk = await this.#next()) {
      sent += chunk.length;
      if (sent > most) throw new FileRefusedError('large');
      if (chunk.length > 0) yield chunk;
    }
    await this.#closed;
    // The channel also ends with a lost connection, and when the script is killed.
    if (this.#status !== 0) throw unexpected();
  }

  async #write(content: AsyncIterable<Uint8Array>): Promise<void> {
    const channel = this.#channel;
    for await (const chunk of content) {
      if (!channel.writable || channel.destroyed) break;
      // The script may have stopped reading, such as when the disk is full.
      if (!channel.write(chunk)) await Promise.race([once(channel, 'drain').catch(() => undefined), this.#closed]);
    }
    channel.end();
    await this.#answer();
  }

  async #answer(): Promise<{ path: string; bytes: number }> {
    const [, bytes, path, reason] = lineForm.exec(await this.#line()) ?? [];
    if (reason !== undefined && isRefusal(reason)) throw new FileRefusedError(reason);
    if (bytes === undefined || path === undefined) throw unexpected();
    return { bytes: Number(bytes), path: Buffer.from(path, 'base64').toString() };
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString('latin1');
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const chunk = this.#rest.length > longestLine ? undefined : await this.#next();
      if (!chunk) throw unexpected();
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      throw new ShellConnectionLostError('The connection to the container was lost', { cause: error });
    }
  }
}

const isRefusal = (word: string): word is FileRefusal => (fileRefusals as readonly string[]).includes(word);
