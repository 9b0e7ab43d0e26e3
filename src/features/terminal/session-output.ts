import type { TerminalStream } from '../capacity/container-shell.ts';
import type { TerminalClient } from './client.ts';
import type { TerminalRecorder } from './containers.ts';
import { OutputBatch } from './output-batch.ts';
import type { OutputScheduler, OutputShare } from './output-scheduler.ts';
import type { Size } from './protocol.ts';
import type { Restored } from './restored-screen.ts';
import type { ScreenKeeper } from './screen-keeper.ts';
import type { TerminalScreen, TerminalScreens } from './terminal-screens.ts';
import { WatchNotice } from './watch-notice.ts';

/** The clients of a session: one that types, and any number of watchers. */
export type SessionClients = { writer: TerminalClient | undefined; readonly watchers: Set<TerminalClient> };

export type SessionOutputOptions = {
  clients: SessionClients;
  stream: TerminalStream;
  size: Size;
  screens: TerminalScreens;
  turns: OutputScheduler;
  recorder: TerminalRecorder | undefined;
  /** The screen of a shell that another process has served. */
  restored?: Restored | undefined;
  /** Stores pictures of the screen for the next process. */
  keep?: ((screen: TerminalScreen, shift: number) => ScreenKeeper) | undefined;
  /** The screen was reset to blank. */
  onScreenLost: () => void;
  onFail: (client: TerminalClient, error: unknown) => void;
};

/** The overhead of a packet in bytes, because each packet is decrypted separately. */
const packetCost = 256;

/** The output of a shell: sent to its clients, drawn on its screen and recorded. It is read at the rate at which the writer reads. */
export class SessionOutput {
  readonly #clients: SessionClients;
  readonly #stream: TerminalStream;
  readonly #screen: TerminalScreen;
  readonly #keeper: ScreenKeeper | undefined;
  readonly #share: OutputShare;
  readonly #recorder: TerminalRecorder | undefined;
  readonly #onFail: SessionOutputOptions['onFail'];
  /** The clients that receive live output. The others wait for the screen. */
  readonly #live = new Set<TerminalClient>();
  readonly #restores = new Set<Promise<void>>();
  readonly #watchNotice = new WatchNotice();
  readonly #batch = new OutputBatch((bytes, packets) => this.#pass(bytes, packets));
  /** A flood that waits for its turn. */
  #isWaitingForTurn = false;
  #isOver = false;

  constructor(options: SessionOutputOptions) {
    const { clients, stream, size, screens, turns, recorder, restored, onScreenLost, onFail } = options;
    this.#clients = clients;
    this.#stream = stream;
    this.#recorder = recorder;
    this.#onFail = onFail;
    this.#screen = screens.open(restored?.sizes.first ?? size, onScreenLost);
    const shift = restored?.drawOn(this.#screen) ?? 0;
    this.#keeper = options.keep?.(this.#screen, shift);
    this.#share = turns.join((isHeld) => {
      this.#isWaitingForTurn = isHeld;
      this.updateFlow();
    });
  }

  /** @param client receives all output of the shell */
  begin(client: TerminalClient): void {
    this.#live.add(client);
    this.#read();
  }

  /** Continues a shell that another process has served. Its recording begins with the screen. */
  async continue(): Promise<void> {
    if (this.#recorder) this.#recorder.output(await this.#screen.snapshot());
    this.#read();
  }

  #read(): void {
    this.#stream.on('data', (bytes: Buffer) => {
      if (!this.#isOver) this.#batch.add(bytes);
    });
  }

  /**
   * Sends the screen to a client, then the live output. Reading is paused while the screen is drawn, so that the live output continues
   * exactly where the snapshot ends.
   */
  restore(client: TerminalClient): void {
    const restore = (async () => {
      this.#batch.flush();
      const picture = await this.#screen.snapshot();
      client.send(picture);
      if (this.#has(client)) this.#live.add(client);
    })()
      .catch((error: unknown) => this.#onFail(client, error))
      .finally(() => {
        this.#restores.delete(restore);
        this.updateFlow();
      });
    this.#restores.add(restore);
    this.updateFlow();
  }

  leave(client: TerminalClient): void {
    this.#live.delete(client);
  }

  /** Reports whether the session has clients. */
  setSeen(isSeen: boolean): void {
    this.#share.setSeen(isSeen);
  }

  /** Shows the writer whether the terminal is being watched. */
  notifyWatched(isWatched: boolean): void {
    this.#watchNotice.notify(this.#clients.writer, isWatched);
  }

  resize(size: Size): void {
    this.#batch.flush();
    this.#screen.resize(size);
    this.#recorder?.resize(size);
  }

  /** A client has become slow, or fast again. */
  flowChanged(client: TerminalClient): void {
    if (client === this.#clients.writer) this.updateFlow();
    else if (!client.isSlow && this.#clients.watchers.has(client) && !this.#live.has(client)) this.restore(client);
  }

  /** Pauses or resumes the stream. */
  updateFlow(): void {
    if (this.#isOver) return;
    const isHeld = this.#restores.size > 0 || this.#isWaitingForTurn || (this.#clients.writer?.isSlow ?? false);
    if (isHeld === this.#stream.isPaused()) return;
    if (isHeld) this.#stream.pause();
    else this.#stream.resume();
  }

  /** Resolves when everything that was read has been sent. */
  async settle(): Promise<void> {
    this.#batch.flush();
    await Promise.allSettled(this.#restores);
  }

  end(): void {
    this.#isOver = true;
    this.#keeper?.[Symbol.dispose]();
    this.#screen[Symbol.dispose]();
    this.#share[Symbol.dispose]();
    this.#recorder?.end();
    // Remaining output is read and dropped, so that the end of the stream is detected.
    this.#stream.resume();
  }

  #has(client: TerminalClient): boolean {
    return client === this.#clients.writer || this.#clients.watchers.has(client);
  }

  #pass(bytes: Buffer, packets: number): void {
    if (this.#isOver) return;
    const { writer } = this.#clients;
    for (const client of this.#live) {
      // A watcher never blocks the shell: it receives the screen again when it has caught up.
      if (client !== writer && client.isSlow) this.#live.delete(client);
      else client.send(bytes);
    }
    this.#watchNotice.follow(writer, bytes);
    this.#screen.write(bytes);
    this.#keeper?.passed(bytes.length);
    this.#recorder?.output(bytes);
    this.#share.passed(bytes.length + packets * packetCost);
  }
}
