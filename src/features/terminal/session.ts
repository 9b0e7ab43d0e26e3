import { randomBytes } from 'node:crypto';
import type { ShellConnectionLost, ShellExit, TerminalStream } from '../containers/container-shell.ts';
import type { TerminalClient } from './client.ts';
import type { TerminalRecorder } from './containers.ts';
import { OutputBatch } from './output-batch.ts';
import type { OutputShare, OutputTurns } from './output-turns.ts';
import { PacedResize } from './paced-resize.ts';
import { closeCodes, type Size, TerminalClosed } from './protocol.ts';
import { type ClientHandlers, receive } from './receive.ts';
import type { TerminalScreen, TerminalScreens } from './terminal-screens.ts';
import { WatchNotice } from './watch-notice.ts';

export type SessionOptions = {
  userId: number;
  containerId: number;
  stream: TerminalStream;
  size: Size;
  screens: TerminalScreens;
  turns: OutputTurns;
  recorder: TerminalRecorder | undefined;
  /** Seconds that the shell outlives its last connection. */
  resumeSeconds: number;
  /** Why a shell ended without an exit code. Undefined when only the shell has ended. */
  findReason: (lost: ShellConnectionLost | undefined) => Promise<TerminalClosed | undefined>;
  onEnd: (session: TerminalSession) => void;
  onError: (error: unknown) => void;
};

/** The overhead of a packet in bytes, because each packet is decrypted separately. */
const packetCost = 256;

/** A shell and its clients: one that types, and any number of watchers. */
export class TerminalSession {
  readonly id = randomBytes(18).toString('base64url');
  readonly begunAt = Date.now();
  readonly userId: number;
  readonly containerId: number;
  readonly #options: SessionOptions;
  readonly #stream: TerminalStream;
  readonly #screen: TerminalScreen;
  readonly #share: OutputShare;
  /** A flood that waits for its turn. */
  #isWaitingForTurn = false;
  /** No client has been notified yet that the screen was reset to blank. */
  #isScreenLost = false;
  #size: Size;
  #writer: TerminalClient | undefined;
  readonly #watchers = new Set<TerminalClient>();
  readonly #watchNotice = new WatchNotice();
  /** The clients that receive live output. The others wait for the screen. */
  readonly #live = new Set<TerminalClient>();
  readonly #restores = new Set<Promise<void>>();
  readonly #batch = new OutputBatch((bytes, packets) => this.#output(bytes, packets));
  readonly #resizes = new PacedResize((size) => {
    if (!this.#isOver) this.#resize(size);
  });
  #isKnown = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.userId = options.userId;
    this.containerId = options.containerId;
    this.#stream = options.stream;
    this.#size = options.size;
    this.#screen = options.screens.open(options.size, () => this.#screenLost());
    this.#share = options.turns.join((isHeld) => {
      this.#isWaitingForTurn = isHeld;
      if (!this.#isOver) this.#updateFlow();
    });
  }

  get isDetached(): boolean {
    return this.#writer === undefined;
  }

  get clients(): TerminalClient[] {
    return this.#writer ? [this.#writer, ...this.#watchers] : [...this.#watchers];
  }

  /** The first client of a new session, which receives all output of the shell. */
  begin(client: TerminalClient): void {
    this.#writer = client;
    this.#live.add(client);
    this.#greet(client, { is_read_only: false, is_resumed: false });
    this.#listen(client);
    this.#stream.on('error', () => this.#stream.destroy());
    this.#stream.on('data', (bytes: Buffer) => {
      if (!this.#isOver) this.#batch.add(bytes);
    });
    this.#stream.exit
      .then((exit) => this.#shellEnded(exit))
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.end(new TerminalClosed(closeCodes.unexpected, 'Internal Server Error'));
      });
  }

  /** The newest connection replaces the previous one. The current screen is sent first. */
  resume(client: TerminalClient, size: Size | undefined): void {
    clearTimeout(this.#timer);
    const before = this.#writer;
    before?.tell({ type: 'notice', reason: 'taken_over', seconds_left: null });
    if (before) this.dismiss(before, closeCodes.shellEnded, 'Another connection took over');
    clearTimeout(this.#timer);
    this.#writer = client;
    this.#resizes.forget();
    if (size) this.#resize(size);
    this.#greet(client, { is_read_only: false, is_resumed: true });
    if (this.#watchers.size > 0) this.#watchNotice.tell(client, true);
    this.#restore(client);
    this.#listen(client);
  }

  watch(client: TerminalClient): void {
    this.#watchers.add(client);
    this.#greet(client, { is_read_only: true, is_resumed: true });
    if (this.#watchers.size === 1) this.#watchNotice.tell(this.#writer, true);
    this.#restore(client);
    this.#listen(client);
  }

  /** Disconnects one client. The shell continues. */
  dismiss(client: TerminalClient, code: TerminalClosed['code'], reason: string): void {
    client.close(code, reason);
    this.#leave(client);
  }

  /** Ends the shell. */
  end({ code, message }: TerminalClosed): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const client of this.clients) client.close(code, message);
    this.#screen[Symbol.dispose]();
    this.#share[Symbol.dispose]();
    this.#options.recorder?.end();
    // Remaining output is read and dropped, so that the end of the stream is detected.
    this.#stream.resume();
    this.#stream.destroy();
    this.#options.onEnd(this);
  }

  #greet(client: TerminalClient, is: { is_read_only: boolean; is_resumed: boolean }): void {
    if (client.hasMessages) this.#isKnown = true;
    client.tell({ type: 'ready', session_id: this.id, ...this.#size, ...is });
    if (this.#isScreenLost) this.#screenLost();
  }

  /** Connected clients continue unchanged. A later snapshot of the screen lacks the earlier output. */
  #screenLost(): void {
    this.#isScreenLost = !this.clients.some(({ hasMessages }) => hasMessages);
    for (const client of this.clients) client.tell({ type: 'notice', reason: 'screen_lost', seconds_left: null });
  }

  #listen(client: TerminalClient): void {
    this.#share.setSeen(true);
    client.onFlow = () => this.#flowChanged(client);
    const handlers: ClientHandlers = {
      input: (bytes) => this.#input(client, bytes),
      resize: (size) => {
        if (client === this.#writer) this.#resizes.request(size);
      },
    };
    client.socket.on('message', (data, isBinary) => {
      if (!client.isOpen) return;
      try {
        receive(client, data as Buffer, isBinary, handlers);
      } catch (error) {
        this.#fail(client, error);
      }
    });
    client.socket.once('close', () => this.#leave(client));
    client.socket.resume();
    if (client.socket.readyState === client.socket.CLOSED) this.#leave(client);
  }

  #leave(client: TerminalClient): void {
    this.#live.delete(client);
    const hasWatched = this.#watchers.delete(client);
    const hasWritten = this.#writer === client;
    if (hasWritten) this.#writer = undefined;
    if (!this.#isOver) this.#share.setSeen(this.clients.length > 0);
    if (hasWatched && this.#watchers.size === 0 && !this.#isOver) this.#watchNotice.tell(this.#writer, false);
    if (!hasWritten) return;
    this.#updateFlow();
    if (this.#isOver) return;
    const over = () => this.end(new TerminalClosed(closeCodes.shellEnded, 'The shell has ended'));
    // A client that did not receive a session id cannot come back.
    if (!this.#isKnown || this.#options.resumeSeconds === 0) {
      over();
      return;
    }
    this.#timer = setTimeout(over, this.#options.resumeSeconds * 1000).unref();
  }

  #output(bytes: Buffer, packets: number): void {
    if (this.#isOver) return;
    for (const client of this.#live) {
      // A watcher never blocks the shell: it receives the screen again when it has caught up.
      if (client !== this.#writer && client.isSlow) this.#live.delete(client);
      else client.send(bytes);
    }
    this.#watchNotice.follow(this.#writer, bytes);
    this.#screen.write(bytes);
    this.#options.recorder?.output(bytes);
    this.#share.passed(bytes.length + packets * packetCost);
  }

  #flowChanged(client: TerminalClient): void {
    if (client === this.#writer) this.#updateFlow();
    else if (!client.isSlow && this.#watchers.has(client) && !this.#live.has(client)) this.#restore(client);
  }

  #updateFlow(): void {
    const isHeld = this.#restores.size > 0 || this.#isWaitingForTurn || (this.#writer?.isSlow ?? false);
    if (isHeld === this.#stream.isPaused()) return;
    if (isHeld) this.#stream.pause();
    else this.#stream.resume();
  }

  /** Reading is paused while the screen is drawn, so that the live output continues exactly where the snapshot ends. */
  #restore(client: TerminalClient): void {
    const restore = (async () => {
      this.#batch.flush();
      const picture = await this.#screen.snapshot();
      client.send(picture);
      if (client === this.#writer || this.#watchers.has(client)) this.#live.add(client);
    })()
      .catch((error: unknown) => this.#fail(client, error))
      .finally(() => {
        this.#restores.delete(restore);
        this.#updateFlow();
      });
    this.#restores.add(restore);
    this.#updateFlow();
  }

  async #shellEnded({ code, lost }: ShellExit): Promise<void> {
    if (this.#isOver) return;
    this.#batch.flush();
    await Promise.allSettled(this.#restores);
    const reason = code === null ? await this.#options.findReason(lost) : undefined;
    if (!reason) for (const client of this.clients) client.tell({ type: 'exit', code });
    this.end(reason ?? new TerminalClosed(closeCodes.shellEnded, 'The shell has ended'));
  }

  #input(client: TerminalClient, bytes: Buffer): void {
    if (client !== this.#writer) {
      this.dismiss(client, closeCodes.forbidden, 'This terminal is read-only for you');
      return;
    }
    if (bytes.length === 0 || !this.#stream.writable || this.#stream.write(bytes)) return;
    // The shell does not read, so input is not read until the shell has consumed what is queued.
    if (client.socket.isPaused) return;
    client.socket.pause();
    this.#stream.once('drain', () => client.socket.resume());
  }

  /** An error in this program costs one connection, not the process. */
  #fail(client: TerminalClient, error: unknown): void {
    this.#options.onError(error);
    this.dismiss(client, closeCodes.unexpected, 'Internal Server Error');
  }

  #resize(size: Size): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#batch.flush();
    this.#screen.resize(size);
    this.#options.recorder?.resize(size);
    this.#stream.resize(size.cols, size.rows);
  }
}
