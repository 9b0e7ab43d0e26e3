import { randomBytes } from 'node:crypto';
import type { TerminalScreen } from '../../../packages/screens/terminal-screens.ts';
import type { ShellConnectionLostError, ShellExit, TerminalStream } from '../../../packages/ssh/container-shell.ts';
import type { TerminalClient } from './client.ts';
import { type ClientHandlers, HeldInput, PacedResize, receive } from './client-input.ts';
import { ScreenKeeper, type ScreenKeeperParts } from './output/screen-keeper.ts';
import { type SessionClients, SessionOutput, type SessionOutputOptions } from './output/session-output.ts';
import { closeCodes, type Size, TerminalClosedError } from './protocol.ts';
import { OwnInput } from './typing/own-input.ts';
import { TypingAlong, type TypingParts } from './typing/typing-along.ts';

type KeptScreen = Parameters<ScreenKeeperParts['save']>[0];

export type SessionOptions = Pick<
  SessionOutputOptions,
  'stream' | 'size' | 'screens' | 'turns' | 'recorder' | 'restored'
> & {
  /** Of a shell that another process has served. */
  id?: string;
  begunAt?: Date;
  userId: number;
  containerId: number;
  /** Whether its container is that of an attempt. */
  isOfAttempt: boolean;
  /** Bytes of output that a holder keeps. */
  keptBytes: number;
  /** Seconds that the shell outlives its last connection. Null: it ends with its container. */
  resumeSeconds: number | null;
  /** Why a shell ended without an exit code. Undefined when only the shell has ended. */
  findReason: (lost: ShellConnectionLostError | undefined) => Promise<TerminalClosedError | undefined>;
  /** Whether it is a plain shell, because the account's own could not start or its user asked for this. */
  isPlain?: boolean;
  /** Gets the client of a shell that has ended by itself at its start, and the size of its terminal. */
  onEarlyEnd?: ((client: TerminalClient, size: Size) => void) | undefined;
  /** Gets what its user types. */
  onInput?: (bytes: Buffer) => void;
  /** Stores a screen for the next process. */
  keepScreen: (id: string, screen: KeptScreen) => Promise<void>;
  /** @param isKept whether the shell continues without this process */
  onEnd: (session: TerminalSession, isKept: boolean) => void;
  onError: (error: unknown) => void;
  typing: {
    /** The names of a watcher and the user, where the watcher may type along now. */
    names: TypingParts['names'];
    log: TypingParts['log'];
    /** Stores how many bytes others have typed, for the next process. */
    keep: (id: string, bytes: number) => Promise<void>;
    /** Those that they have typed before. */
    before: number;
  };
};

/** Milliseconds from its begin: a shell that ends so early, and without any input, was ended by a start-up file or cannot run. */
const earlyTime = 10_000;

/**
 * A shell and its clients: one that types, and any number of watchers. Its modes:
 *
 * - opening: created, and its client waits. `begin` ends it.
 * - attached: it has a client that types. `resume` replaces the client; the loss of the connection, or `dismiss`, detaches.
 * - detached: it ends after `resumeSeconds`, unless `resume` attaches. `continue` begins in this mode: another process has served the shell.
 * - over: `end` (its user, a limit, or its container), `release` (this process stops; a holder keeps the shell), or the shell has ended.
 *
 * In all but the last, it is held between `freeze` and `unfreeze`: the clock of its attempt is stopped, and input waits. `SessionStarts` creates
 * sessions and calls `continue`. `TerminalService` calls `begin`, `resume` and `watch` for connections, and `release` when it stops.
 * `SessionHolds` calls `freeze` and `unfreeze`. `SessionDeadlines` ends sessions whose time is over.
 */
export class TerminalSession {
  readonly id: string;
  readonly begunAt: number;
  readonly userId: number;
  readonly containerId: number;
  /** When its user last typed. Undefined: not since this process has the session. */
  typedAt: Date | undefined;
  readonly isOfAttempt: boolean;
  readonly #options: SessionOptions;
  readonly #stream: TerminalStream;
  readonly #output: SessionOutput;
  readonly #clients: SessionClients = { writer: undefined, watchers: new Set() };
  /** No client has been notified yet that the screen was reset to blank. */
  #isScreenLost = false;
  #size: Size;
  readonly #resizes = new PacedResize((size) => {
    if (!this.#isOver) this.#resize(size);
  });
  readonly #held = new HeldInput();
  readonly #listening = new Map<TerminalClient, () => void>();
  readonly #typing: TypingAlong;
  readonly #own: OwnInput;
  #hasInput = false;
  #isKnown = false;
  /** The client that asked for the shell is waiting for it. */
  #isOpening: boolean;
  #isOver = false;
  #ending: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Since when it has no client that types. */
  #leftAt: number | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id ?? randomBytes(18).toString('base64url');
    this.begunAt = options.begunAt?.getTime() ?? Date.now();
    this.userId = options.userId;
    this.containerId = options.containerId;
    this.isOfAttempt = options.isOfAttempt;
    this.#stream = options.stream;
    this.#size = options.size;
    this.#isKnown = options.id !== undefined;
    this.#isOpening = options.id === undefined;
    this.#isScreenLost = options.restored?.hasGap ?? false;
    this.#own = new OwnInput(options.typing.before);
    this.#typing = new TypingAlong({
      ...{ names: options.typing.names, log: options.typing.log, onError: options.onError },
      user: () => this.#clients.writer,
      isHeld: () => this.#held.isHeld,
      mark: (text) => this.#output.mark(text),
      write: (bytes) => this.#writeOfHelper(bytes),
    });
    const { held } = options.stream;
    if (held) held.onReceived = () => this.#received(held.received);
    this.#output = new SessionOutput({
      ...options,
      keep: held && ((screen, shift) => this.#newKeeper(screen, shift)),
      clients: this.#clients,
      onScreenLost: () => this.#screenLost(),
      onFail: (client, error) => this.#fail(client, error),
    });
  }

  /** Whether the shell continues without this process. */
  get isHeld(): boolean {
    return this.#stream.held !== undefined;
  }

  /** Whether it has had a client and now has none. */
  get isDetached(): boolean {
    return !this.#isOpening && this.#clients.writer === undefined;
  }

  /** Whether it can be ended in favour of another one. In a held container nothing can be ended. */
  get isYielding(): boolean {
    return this.isDetached && !this.#held.isHeld;
  }

  /** Resolves when it is known why the shell has ended. Undefined until it ends without an exit code. Nothing answers in it any more. */
  get ending(): Promise<unknown> | undefined {
    return this.#ending;
  }

  /** When its client was lost. Undefined where it has one. */
  get leftAt(): number | undefined {
    return this.isDetached ? this.#leftAt : undefined;
  }

  get clients(): TerminalClient[] {
    const { writer, watchers } = this.#clients;
    return writer ? [writer, ...watchers] : [...watchers];
  }

  /** The first client of a new session, which receives all output of the shell. */
  begin(client: TerminalClient): void {
    this.#isOpening = false;
    if (this.#isOver) {
      client.close(closeCodes.goingAway, 'The server is going away');
      return;
    }
    this.#clients.writer = client;
    this.#greet(client, { is_read_only: false, is_resumed: false });
    this.#output.begin(client);
    this.#listen(client);
    this.#awaitExit();
  }

  /** Continues a shell that another process has served. Its client may come back. */
  continue(): void {
    this.#output.setSeen(false);
    this.#awaitExit();
    this.#waitForClient();
    this.#output.continue().catch(this.#options.onError);
  }

  /** The newest connection replaces the previous one. The current screen is sent first. */
  resume(client: TerminalClient, size: Size | undefined): void {
    clearTimeout(this.#timer);
    const before = this.#clients.writer;
    before?.notify({ type: 'notice', reason: 'taken_over', seconds_left: null });
    if (before) this.dismiss(before, closeCodes.shellEnded, 'Another connection took over');
    clearTimeout(this.#timer);
    this.#clients.writer = client;
    this.#resizes.forget();
    if (size) this.#resize(size);
    this.#greet(client, { is_read_only: false, is_resumed: true });
    if (this.#clients.watchers.size > 0) this.#output.notifyWatched(true);
    this.#output.restore(client);
    this.#listen(client);
  }

  watch(client: TerminalClient): void {
    const { watchers } = this.#clients;
    watchers.add(client);
    this.#greet(client, { is_read_only: true, is_resumed: true });
    if (watchers.size === 1) this.#output.notifyWatched(true);
    this.#output.restore(client);
    this.#listen(client);
  }

  /** Input is kept until it continues. Output is still shown. */
  freeze(): void {
    if (this.#held.isHeld || this.#isOver) return;
    this.#typing.end('held');
    this.#held.freeze();
    for (const client of this.clients) client.notify({ type: 'notice', reason: 'held', seconds_left: null });
  }

  unfreeze(): void {
    if (!this.#held.isHeld || this.#isOver) return;
    const { input, paused } = this.#held.release();
    for (const client of this.clients) client.notify({ type: 'notice', reason: 'released', seconds_left: null });
    for (const { socket } of paused) socket.resume();
    if (input.length > 0 && this.#stream.writable) this.#stream.write(input);
  }

  /** Disconnects one client. The shell continues. */
  dismiss(client: TerminalClient, code: TerminalClosedError['code'], reason: string): void {
    client.close(code, reason);
    this.#leave(client);
  }

  /** Ends the shell. */
  end(closed: TerminalClosedError): void {
    if (this.#isOver) return;
    this.#close(closed);
    if (this.#stream.held) this.#stream.held.hangUp();
    else this.#stream.destroy();
    this.#options.onEnd(this, false);
  }

  /** Ends what this process has of the shell. Where a holder keeps the shell, it continues, and another process can serve it. */
  release(closed: TerminalClosedError): void {
    if (!this.#stream.held) this.end(closed);
    if (this.#isOver) return;
    this.#close(closed);
    this.#stream.destroy();
    this.#options.onEnd(this, true);
  }

  /** Reads no more input. Resolves when the container has received what was read. */
  async flushInput(): Promise<void> {
    const { held } = this.#stream;
    if (!held) return;
    for (const client of this.clients) client.socket.pause();
    if (held.received >= held.accepted) return;
    await new Promise<void>((resolve) => {
      void this.#stream.exit.then(() => resolve());
      held.onReceived = () => {
        this.#received(held.received);
        if (held.received >= held.accepted) resolve();
      };
    });
  }

  #close({ code, message }: TerminalClosedError): void {
    this.#typing.end('ended');
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const client of this.clients) client.close(code, message);
    this.#output.end();
  }

  #awaitExit(): void {
    this.#stream.on('error', () => this.#stream.destroy());
    this.#stream.exit
      .then((exit) => this.#shellEnded(exit))
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.end(new TerminalClosedError(closeCodes.unexpected, 'Internal Server Error'));
      });
  }

  #newKeeper(screen: TerminalScreen, shift: number): ScreenKeeper {
    return new ScreenKeeper({
      ...{ screen, shift, keptBytes: this.#options.keptBytes },
      size: () => this.#size,
      save: (kept) => this.#options.keepScreen(this.id, kept),
      onFailure: this.#options.onError,
    });
  }

  #received(offset: number): void {
    const { writer } = this.#clients;
    const input_bytes = this.#own.received(offset);
    if (writer?.hasReceipts) writer.notify({ type: 'received', input_bytes });
  }

  #greet(client: TerminalClient, is: { is_read_only: boolean; is_resumed: boolean }): void {
    if (client.hasMessages) this.#isKnown = true;
    const { held } = this.#stream;
    const input_bytes = held ? this.#own.accepted(held.accepted) : null;
    client.notify({
      ...{ type: 'ready', session_id: this.id, ...this.#size, ...is, input_bytes },
      ...{ resume_seconds: this.#options.resumeSeconds, is_plain: this.#options.isPlain ?? false },
    });
    if (this.#held.isHeld) client.notify({ type: 'notice', reason: 'held', seconds_left: null });
    if (this.#isScreenLost) this.#screenLost();
  }

  /** Connected clients continue unchanged. A later snapshot of the screen lacks the earlier output. */
  #screenLost(): void {
    this.#isScreenLost = !this.clients.some(({ hasMessages }) => hasMessages);
    for (const client of this.clients) client.notify({ type: 'notice', reason: 'screen_lost', seconds_left: null });
  }

  #listen(client: TerminalClient): void {
    this.#output.setSeen(true);
    client.onFlow = () => this.#output.flowChanged(client);
    const handlers: ClientHandlers = {
      input: (bytes) => this.#input(client, bytes),
      resize: (size) => {
        if (client === this.#clients.writer) this.#resizes.request(size);
      },
      acknowledge: () => {
        client.hasReceipts = true;
        if (this.#stream.held) this.#received(this.#stream.held.received);
      },
      end: () => this.#endFor(client),
      typing: (act) => this.#typing.follow(client, act),
    };
    const onMessage = (data: unknown, isBinary: boolean): void => {
      if (!client.isOpen) return;
      try {
        receive(client, data as Buffer, isBinary, handlers);
      } catch (error) {
        this.#fail(client, error);
      }
    };
    const onClose = (): void => this.#leave(client);
    client.socket.on('message', onMessage);
    client.socket.once('close', onClose);
    this.#listening.set(client, () => client.socket.off('message', onMessage).off('close', onClose));
    client.socket.resume();
    if (client.socket.readyState === client.socket.CLOSED) this.#leave(client);
  }

  #leave(client: TerminalClient): void {
    this.#listening.delete(client);
    this.#output.leave(client);
    const { watchers } = this.#clients;
    const hasWatched = watchers.delete(client);
    const hasWritten = this.#clients.writer === client;
    this.#typing.leave(client, hasWritten);
    if (hasWritten) this.#clients.writer = undefined;
    if (this.#isOver) return;
    this.#output.setSeen(this.clients.length > 0);
    if (hasWatched && watchers.size === 0) this.#output.notifyWatched(false);
    if (!hasWritten) return;
    this.#output.updateFlow();
    this.#waitForClient();
  }

  #waitForClient(): void {
    const { resumeSeconds } = this.#options;
    this.#leftAt = Date.now();
    const over = () => this.end(new TerminalClosedError(closeCodes.shellEnded, 'The shell has ended'));
    // A client that did not receive a session id cannot come back.
    if (!this.#isKnown || resumeSeconds === 0) over();
    else if (resumeSeconds !== null) this.#timer = setTimeout(over, resumeSeconds * 1000).unref();
  }

  async #shellEnded({ code, lost, isTakenOver }: ShellExit): Promise<void> {
    if (this.#isOver) return;
    if (isTakenOver) {
      this.release(new TerminalClosedError(closeCodes.goingAway, 'Another process serves this terminal now'));
      return;
    }
    await this.#output.settle();
    const finding = code === null ? this.#options.findReason(lost) : undefined;
    this.#ending = finding?.catch(() => undefined);
    const reason = await finding;
    if (lost && reason?.code === closeCodes.tryAgainLater) {
      this.release(reason);
      return;
    }
    if (!reason && this.#handOver()) return;
    if (!reason) for (const client of this.clients) client.notify({ type: 'exit', code });
    this.end(reason ?? new TerminalClosedError(closeCodes.shellEnded, 'The shell has ended'));
  }

  /** Where the shell has ended at its start, its client gets another one. @returns whether it does */
  #handOver(): boolean {
    const { writer } = this.#clients;
    const { onEarlyEnd } = this.#options;
    const isEarly = !this.#hasInput && Date.now() - this.begunAt < earlyTime;
    if (!writer?.isOpen || !onEarlyEnd || !isEarly) return false;
    writer.socket.pause();
    writer.onFlow = () => {};
    this.#listening.get(writer)?.();
    this.#output.leave(writer);
    this.#clients.writer = undefined;
    this.end(new TerminalClosedError(closeCodes.shellEnded, 'The shell has ended'));
    onEarlyEnd(writer, this.#size);
    return true;
  }

  #input(client: TerminalClient, bytes: Buffer): void {
    if (client !== this.#clients.writer) {
      if (!this.#typing.input(client, bytes))
        this.dismiss(client, closeCodes.forbidden, 'This terminal is read-only for you');
      return;
    }
    this.#hasInput ||= bytes.length > 0;
    if (bytes.length > 0) {
      this.typedAt = new Date();
      this.#options.onInput?.(bytes);
      this.#typing.typed(client);
    }
    if (this.#held.isHeld) {
      this.#held.keep(client, bytes);
      return;
    }
    if (bytes.length === 0 || !this.#stream.writable || this.#stream.write(bytes)) return;
    // The shell does not read, so input is not read until the shell has consumed what is queued.
    if (client.socket.isPaused) return;
    client.socket.pause();
    this.#stream.once('drain', () => client.socket.resume());
  }

  /** A process that dies between the two counts too few of them: then the user's client repeats less than it could. */
  async #writeOfHelper(bytes: Buffer): Promise<void> {
    const stream = this.#stream;
    if (bytes.length === 0 || this.#isOver || !stream.writable) return;
    this.#hasInput = true;
    const isTaken = stream.write(bytes);
    if (stream.held) {
      this.#own.add(stream.held.accepted, bytes.length);
      await this.#options.typing.keep(this.id, this.#own.others);
    }
    if (!isTaken && stream.writableNeedDrain)
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), stream.exit]);
  }

  /** At the request of the client that types. A held shell stays: nothing on its machine answers. */
  #endFor(client: TerminalClient): void {
    if (client !== this.#clients.writer)
      this.dismiss(client, closeCodes.forbidden, 'This terminal is read-only for you');
    else if (this.#held.isHeld) client.answer({ type: 'error', detail: 'A held terminal cannot be ended' });
    else this.end(new TerminalClosedError(closeCodes.shellEnded, 'The shell has ended'));
  }

  /** An error in this program costs one connection, not the process. */
  #fail(client: TerminalClient, error: unknown): void {
    this.#options.onError(error);
    this.dismiss(client, closeCodes.unexpected, 'Internal Server Error');
  }

  #resize(size: Size): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#output.resize(size);
    this.#stream.resize(size.cols, size.rows);
  }
}
