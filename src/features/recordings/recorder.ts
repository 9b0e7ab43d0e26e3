import type { GrowingObject } from '../../ports/object-store.ts';
import { CastLines, type Size, type TerminalEvent } from './cast.ts';

/**
 * The maximum delay of output in milliseconds, and in bytes: the amount that is written at once, the size of one turn, and the limit
 * beyond which output is skipped.
 */
const pace = { delay: 250, soonBytes: 64 * 1024, turnBytes: 256 * 1024, mostBytes: 4 * 1024 * 1024 };
const gap = Buffer.from('\r\n[Output came faster than it could be recorded: some is missing here]\r\n');
/** The overhead of an event in bytes, which bounds the number of small events. */
const eventBytes = 128;

export type RecorderOptions = {
  size: Size;
  /** The maximum size of the whole file. */
  maxBytes: number;
  /** Creates the file. The recording's title is known then. Undefined: nothing is to be recorded. */
  open: (startedAt: Date) => Promise<{ file: GrowingObject; title: string } | undefined>;
  /** Called once with the error when the disk or the database ended the recording early. */
  onFailure: (error: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
};

/**
 * Records a terminal without blocking it. Events are queued, and are converted to lines and written a moment later. Where the disk is too
 * slow, some output is skipped. Where it fails or is full, the recording ends early. The terminal is not affected.
 */
export class Recorder {
  readonly #startedAt = new Date();
  /** Resolves when the last line is written and the file is closed, with true where output is missing. Never rejects. */
  readonly finished: Promise<{ isTruncated: boolean }>;
  readonly #options: RecorderOptions;
  readonly #now: () => number;
  readonly #start: number;
  readonly #lines: CastLines;
  #events: TerminalEvent[] = [];
  #waitingBytes = 0;
  /** Accepts no more events. */
  #isClosed = false;
  #isTruncated = false;
  #isSkipping = false;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  #due = Promise.withResolvers<void>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#start = this.#now();
    this.#lines = new CastLines(options.maxBytes);
    this.finished = this.#record();
  }

  /** @param bytes must not be changed afterwards */
  output(bytes: Uint8Array): void {
    this.#put({ at: this.#elapsed, output: bytes }, bytes.length);
  }

  resize(size: Size): void {
    this.#put({ at: this.#elapsed, size }, 0);
  }

  /** Marks the moment, which players show. */
  mark(text: string): void {
    this.#put({ at: this.#elapsed, mark: text }, Buffer.byteLength(text));
  }

  /** The shell has ended. */
  end(): void {
    this.#isClosed = true;
    this.#wake();
  }

  get #elapsed(): number {
    return this.#now() - this.#start;
  }

  #put(event: TerminalEvent, bytes: number): void {
    if (this.#isClosed) return;
    const isTooMuch = this.#waitingBytes + bytes > pace.mostBytes;
    // One note stands for all output that is skipped until there is room again.
    if (isTooMuch && this.#isSkipping) return;
    if (isTooMuch && !this.#isTruncated) this.#options.onFailure(new Error('The disk is slower than the terminal'));
    this.#isTruncated ||= isTooMuch;
    this.#isSkipping = isTooMuch;
    this.#events.push(isTooMuch ? { at: event.at, output: gap } : event);
    this.#waitingBytes += eventBytes + (isTooMuch ? gap.length : bytes);
    if (this.#waitingBytes > pace.soonBytes) this.#soon ??= setImmediate(() => this.#wake());
    else this.#timer ??= setTimeout(() => this.#wake(), pace.delay);
  }

  #wake(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = undefined;
    this.#soon = undefined;
    this.#due.resolve();
  }

  async #record(): Promise<{ isTruncated: boolean }> {
    const { open, size, onFailure } = this.#options;
    let file: GrowingObject | undefined;
    try {
      const opened = await open(this.#startedAt);
      if (!opened) {
        this.#stop();
        return { isTruncated: false };
      }
      file = opened.file;
      await file.append(this.#lines.header({ ...size, startedAt: this.#startedAt, title: opened.title }));
      await this.#drain(file);
      await file.close();
    } catch (error) {
      this.#stop();
      onFailure(error);
      await file?.close().catch(() => undefined);
    }
    return { isTruncated: this.#isTruncated };
  }

  async #drain(file: GrowingObject): Promise<void> {
    while (!this.#isClosed || this.#events.length > 0) {
      await this.#due.promise;
      this.#due = Promise.withResolvers();
      while (this.#events.length > 0) {
        await file.append(this.#lines.lines(this.#take()));
        if (this.#lines.isFull) this.#stop();
      }
    }
    const rest = this.#lines.rest(this.#elapsed);
    if (rest !== '') await file.append(rest);
  }

  /** Takes a limited amount, so that other terminals have their turn. */
  #take(): TerminalEvent[] {
    let bytes = 0;
    let count = 0;
    for (const event of this.#events) {
      if (bytes > pace.turnBytes) break;
      bytes += eventBytes + ('output' in event ? event.output.length : 0);
      count += 1;
    }
    this.#waitingBytes -= bytes;
    return this.#events.splice(0, count);
  }

  /** Ends the recording early and drops the queue. */
  #stop(): void {
    this.#isTruncated = true;
    this.#events = [];
    this.#waitingBytes = 0;
    this.end();
  }
}
