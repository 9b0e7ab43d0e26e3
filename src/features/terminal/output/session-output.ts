import type { TerminalScreen, TerminalScreens } from '../../../../packages/screens/terminal-screens.ts';
import type { TerminalStream } from '../../../../packages/ssh/container-shell.ts';
import type { TerminalClient } from '../client.ts';
import type { TerminalRecorder } from '../containers.ts';
import type { Restored } from '../held/restored-screen.ts';
import type { Size } from '../protocol.ts';
import type { OutputScheduler, OutputShare } from './scheduler.ts';
import type { ScreenKeeper } from './screen-keeper.ts';

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

  /** Marks the recording. */
  mark(text: string): void {
    this.#batch.flush();
    this.#recorder?.mark(text);
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

/**
 * Bytes that are sent before more is read. After a pause, everything held back arrives at once, up to the window of the SSH channel (2
 * MiB).
 */
const mostUnsent = 64 * 1024;

/** Joins the many packets of one network read. They are sent together, at the end of the event loop's turn. */
class OutputBatch {
  readonly #send: (bytes: Buffer, packets: number) => void;
  #packets: Buffer[] = [];
  #bytes = 0;

  constructor(send: (bytes: Buffer, packets: number) => void) {
    this.#send = send;
  }

  add(bytes: Buffer): void {
    this.#packets.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= mostUnsent) this.flush();
    else if (this.#packets.length === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    const [first] = this.#packets;
    if (!first) return;
    const packets = this.#packets.length;
    const bytes = packets === 1 ? first : Buffer.concat(this.#packets);
    this.#packets = [];
    this.#bytes = 0;
    this.#send(bytes, packets);
  }
}

const watchTitles = {
  watched: 'Somebody is watching this terminal',
  unwatched: 'Nobody is watching this terminal any more',
};

/** The maximum stored length of one sequence. The end of a longer one, such as a picture, is not detected. */
const maxSequenceBytes = 8192;

/** A whole control sequence, operating system command or escape (ECMA-48, 5.4 and 5.6), whatever follows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const wholeSequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/; // oxlint-disable-line no-control-regex

/** The beginning of an incomplete UTF-8 character. */
const halfCharacter = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;

/**
 * Notifies the user of a terminal that it is watched: in a message, or, where the client has no messages, in the terminal's title. The
 * title is written between the characters and sequences of the output, never into one.
 */
export class WatchNotice {
  /** The sent part of an incomplete sequence, and the very last bytes, with one character for each byte. */
  #sequence = '';
  #last = '';
  #title: string | undefined;

  notify(writer: Pick<TerminalClient, 'hasMessages' | 'notify' | 'send'> | undefined, isWatched: boolean): void {
    const reason = isWatched ? 'watched' : 'unwatched';
    writer?.notify({ type: 'notice', reason, seconds_left: null });
    this.#title = writer && !writer.hasMessages ? watchTitles[reason] : undefined;
    this.#write(writer);
  }

  /** Tracks output that was sent. */
  follow(writer: Pick<TerminalClient, 'send'> | undefined, bytes: Buffer): void {
    const start = bytes.lastIndexOf(0x1b);
    if (start >= 0) this.#sequence = bytes.toString('latin1', start, start + maxSequenceBytes);
    else if (this.#sequence !== '') this.#sequence += bytes.toString('latin1', 0, maxSequenceBytes);
    if (this.#sequence.length >= maxSequenceBytes || wholeSequence.test(this.#sequence)) this.#sequence = '';
    this.#last = (this.#last + bytes.toString('latin1', Math.max(0, bytes.length - 3))).slice(-3);
    this.#write(writer);
  }

  #write(writer: Pick<TerminalClient, 'send'> | undefined): void {
    if (this.#title === undefined || this.#sequence !== '' || halfCharacter.test(this.#last)) return;
    writer?.send(Buffer.from(`\x1b]0;${this.#title}\x07`));
    this.#title = undefined;
  }
}
