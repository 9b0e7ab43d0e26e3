import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import { ShellConnectionLostError, type ShellExit, type TerminalSize } from './container-shell.ts';

/** The part of ssh2's client that is used here. `EngineClient` does the same without an SSH server. */
export type ChannelClient = EventEmitter & {
  exec(command: string, opened: ChannelOpened): unknown;
  shell(size: { cols: number; rows: number; term: string }, opened: ChannelOpened): unknown;
  openssh_forwardOutStreamLocal(path: string, opened: ChannelOpened): unknown;
  end(): unknown;
  destroy(): unknown;
};
export type ChannelOpened = (error: Error | undefined, channel: ClientChannel) => void;

/** The channels of one connection, with the container's SSH server at its other end. */
export class SshChannels {
  readonly #client: ChannelClient;
  readonly #stream: Duplex;
  /** Milliseconds to open a channel, and for what has no limit of its own. After that the connection is closed. */
  readonly timeout: number;
  readonly closed: Promise<void>;
  #isOpen = true;
  /** The error that ended the connection, if any. */
  #error: Error | undefined;

  constructor(client: ChannelClient, stream: Duplex, timeout: number) {
    this.#client = client;
    this.#stream = stream;
    this.timeout = timeout;
    this.closed = new Promise((resolve) => {
      client.once('close', () => {
        this.#isOpen = false;
        stream.destroy();
        resolve();
      });
    });
    // Users of this connection are notified by `closed`. Without a listener an error would end the process.
    client.on('error', (error) => {
      this.#error ??= error;
      client.end();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The error of those who use the connection after its end. */
  lost(): ShellConnectionLostError {
    return lost(this.#error);
  }

  /** How a shell has ended whose channel has closed without a report. */
  exitWithoutReport(): ShellExit {
    return this.#isOpen ? { code: null } : { code: null, lost: this.lost() };
  }

  /** Closes the connection at once, because the container does not answer. */
  giveUp(): void {
    this.#error ??= new Error('no answer within the time limit');
    this.#isOpen = false;
    this.#client.destroy();
  }

  /** Closes the connection. A hanging server is not waited for. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#client.end();
    // The server closes the stream after the disconnect message. The client itself does not destroy a stream that it has ended.
    const timer = setTimeout(() => this.#stream.destroy(), 500);
    await this.closed;
    clearTimeout(timer);
  }

  /** @throws ShellConnectionLostError */
  async exec(command: string): Promise<ClientChannel> {
    return await this.begin(command, (channel) => channel);
  }

  /**
   * Starts a command. Its output has nothing that start-up files of the container print before.
   * @param use is called at once: the exit status of a short command can arrive with the answer, before a promise is resolved
   * @throws ShellConnectionLostError
   */
  async begin<Used>(command: string, use: (channel: ClientChannel) => Used): Promise<Used> {
    const mark = randomBytes(8).toString('hex');
    return await this.#open(
      (opened) => this.#client.exec(`printf ${mark}; ${command}`, opened),
      (channel) => use(outputAfterMark(channel, mark)),
    );
  }

  /** @throws ShellConnectionLostError */
  async shell({ cols, rows }: TerminalSize): Promise<ClientChannel> {
    const terminal = { cols, rows, term: 'xterm-256color' };
    return await this.#open(
      (opened) => this.#client.shell(terminal, opened),
      (channel) => channel,
    );
  }

  /** Connects to a socket of the container. @returns undefined where nothing listens at the path @throws ShellConnectionLostError */
  async openSocket(path: string): Promise<ClientChannel | undefined> {
    return await this.#open(
      (opened) => this.#client.openssh_forwardOutStreamLocal(path, opened),
      (channel) => channel,
      // The end of the connection rejects before.
      () => undefined,
    );
  }

  /** Resolves at the end of a channel. @throws ShellConnectionLostError if the connection ends first or the timeout passes */
  async ended(channel: ClientChannel, timeout: number): Promise<void> {
    let isEnded = false;
    channel.once('exit', () => {
      isEnded = true;
    });
    const closed = new Promise<void>((resolve, reject) => {
      // ssh2 closes its channels with the connection: only an exit status proves that the command has ended.
      channel.once('close', () => setImmediate(() => (isEnded || this.#isOpen ? resolve() : reject(this.lost()))));
    });
    await this.within(timeout, closed);
  }

  /** If the timeout passes, the connection is closed. The next command gets a new one. @throws ShellConnectionLostError */
  async within<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // The container enforces the limit of a script, so more than the script hangs.
        this.#client.destroy();
        reject(lost(new Error('no answer within the time limit')));
      }, timeout);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param request calls its argument with the channel or the refusal
   * @param refused what to return for a refusal @throws ShellConnectionLostError, without `refused` for a refusal as well
   */
  async #open<Used, Refused = never>(
    request: (opened: ChannelOpened) => void,
    use: (channel: ClientChannel) => Used,
    refused?: () => Refused,
  ): Promise<Used | Refused> {
    if (!this.#isOpen) throw lost();
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(lost(new Error('the server does not answer')));
        this.#client.destroy();
      }, this.timeout);
      void this.closed.then(() => {
        clearTimeout(timer);
        reject(lost());
      });
      try {
        request((error, channel) => {
          clearTimeout(timer);
          if (!error) resolve(use(channel));
          else if (refused) resolve(refused());
          else reject(lost(error));
        });
      } catch (error) {
        reject(lost(error));
      }
    });
  }
}

const lost = (cause?: unknown): ShellConnectionLostError =>
  new ShellConnectionLostError('The connection to the container was lost', { cause });

/** A channel of ssh2: its client pushes what arrives. */
type Channel = Readable & { push: (chunk: Buffer | null) => boolean };

/**
 * Drops what a channel receives up to a mark. OpenSSH's server runs /etc/ssh/sshrc before each command, into the same output, and has no
 * option against it. Root of a container can write that file.
 * @param mark Latin-1
 */
export function outputAfterMark<Each extends Channel>(channel: Each, mark: string): Each {
  const push = channel.push.bind(channel);
  let end: Buffer = Buffer.alloc(0);
  channel.push = (chunk) => {
    if (chunk === null) return push(null);
    const received = Buffer.concat([end, chunk]);
    const at = received.indexOf(mark, 0, 'latin1');
    if (at < 0) {
      end = received.subarray(Math.max(0, received.length - mark.length + 1));
      return true;
    }
    channel.push = push;
    const rest = received.subarray(at + mark.length);
    return rest.length === 0 || push(rest);
  };
  return channel;
}
