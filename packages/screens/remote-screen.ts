import type { ScreenWorker } from './screen-worker.ts';
import { SkippedModes } from './skipped-modes.ts';
import type { Capture, ScreenSize, TerminalScreen } from './terminal-screens.ts';

/**
 * Milliseconds that output is batched, bytes at which a batch is sent immediately, and maximum bytes that a worker has not
 * acknowledged.
 */
const pace = { delay: 20, batchBytes: 128 * 1024, mostUntaken: 1024 * 1024 };

/** The sequence that resets a terminal. */
const blank = '\x1bc';

/**
 * A screen in a worker, for the thread that owns the terminal. Output is copied to the worker without parsing. Unacknowledged
 * output is bounded: beyond the limit the oldest is skipped, and only the modes that it set are preserved.
 */
export class RemoteScreen implements TerminalScreen {
  readonly id: number;
  readonly #bufferBytes: number;
  readonly #onLost: () => void;
  readonly #onClose: (screen: RemoteScreen) => void;
  #size: ScreenSize;
  /** Undefined while it has no emulator. */
  #worker: ScreenWorker | undefined;
  #waiting: (Uint8Array | ScreenSize)[] = [];
  #waitingBytes = 0;
  #untaken = 0;
  /** Bytes of output so far. */
  #written = 0;
  readonly #skipped = new SkippedModes();
  #skippedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #pictures = new Map<number, (capture: Capture) => void>();
  #lastPicture = 0;
  #isDisposed = false;
  /** Number of worker failures that it caused. */
  strikes = 0;

  constructor(parts: {
    id: number;
    size: ScreenSize;
    bufferBytes: number;
    onLost: () => void;
    onClose: (screen: RemoteScreen) => void;
  }) {
    this.id = parts.id;
    this.#size = parts.size;
    this.#bufferBytes = parts.bufferBytes;
    this.#onLost = parts.onLost;
    this.#onClose = parts.onClose;
  }

  get worker(): ScreenWorker | undefined {
    return this.#worker;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Starts with a blank screen in a worker. */
  begin(worker: ScreenWorker): void {
    this.#worker = worker;
    this.#untaken = 0;
    worker.post({ do: 'open', id: this.id, size: this.#size, at: this.#written - this.#waitingBytes });
    for (const number of this.#pictures.keys()) worker.post({ do: 'picture', id: this.id, number });
    this.#flushSoon();
  }

  /**
   * The worker's copy is lost. Pending picture requests are answered by the next worker, or with a blank picture if there is none.
   */
  lose(hasNext: boolean): void {
    this.#worker = undefined;
    this.#untaken = 0;
    if (!hasNext) {
      this.#waiting = [];
      this.#waitingBytes = 0;
      for (const number of [...this.#pictures.keys()]) this.drawn(number, Buffer.from(blank), this.#written);
    }
    this.#onLost();
  }

  write(bytes: Buffer): void {
    this.#written += bytes.length;
    if (!this.#worker || this.#isDisposed) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    while (this.#waitingBytes > this.#bufferBytes && this.#waiting.length > 1) this.#skipOldest();
    if (this.#waitingBytes >= pace.batchBytes) this.#flush();
    this.#flushSoon();
  }

  resize(size: ScreenSize): void {
    this.#size = size;
    if (!this.#worker || this.#isDisposed) return;
    const last = this.#waiting.length - 1;
    if (last >= 0 && !(this.#waiting[last] instanceof Uint8Array)) this.#waiting[last] = size;
    else this.#waiting.push(size);
    this.#flushSoon();
  }

  async snapshot(): Promise<Buffer> {
    return (await this.capture()).picture;
  }

  async capture(): Promise<Capture> {
    if (!this.#worker || this.#isDisposed) return { picture: Buffer.from(blank), at: this.#written };
    this.#flush(Number.POSITIVE_INFINITY);
    const number = ++this.#lastPicture;
    const { promise, resolve } = Promise.withResolvers<Capture>();
    this.#pictures.set(number, resolve);
    this.#worker.post({ do: 'picture', id: this.id, number });
    return await promise;
  }

  taken(bytes: number): void {
    this.#untaken -= bytes;
    if (this.#waitingBytes >= pace.batchBytes) this.#flush();
  }

  drawn(number: number, picture: Buffer, at: number): void {
    this.#pictures.get(number)?.({ picture, at });
    this.#pictures.delete(number);
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#worker?.post({ do: 'close', id: this.id });
    for (const number of [...this.#pictures.keys()]) this.drawn(number, Buffer.from(blank), this.#written);
    this.#onClose(this);
  }

  #flushSoon(): void {
    if (this.#waiting.length === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
      this.#flushSoon();
    }, pace.delay).unref();
  }

  #flush(mostUntaken = pace.mostUntaken): void {
    while (this.#worker && this.#waiting.length > 0 && this.#untaken < mostUntaken) this.#send(this.#worker);
  }

  /** Sends one message: a size, or a copy of the next output. */
  #send(worker: ScreenWorker): void {
    const [next] = this.#waiting;
    if (next && !(next instanceof Uint8Array)) {
      this.#waiting.shift();
      worker.post({ do: 'resize', id: this.id, size: next });
      return;
    }
    const parts: Uint8Array[] = [];
    let length = 0;
    for (const part of this.#waiting) {
      if (!(part instanceof Uint8Array) || (length > 0 && length + part.length > pace.batchBytes)) break;
      parts.push(part);
      length += part.length;
    }
    this.#waiting.splice(0, parts.length);
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#waitingBytes -= length;
    this.#untaken += length;
    const skipped = this.#skippedBytes > 0 ? { bytes: this.#skippedBytes, modes: this.#skipped.take() } : undefined;
    this.#skippedBytes = 0;
    worker.post({ do: 'write', id: this.id, bytes, skipped }, [bytes.buffer]);
  }

  #skipOldest(): void {
    const oldest = this.#waiting.shift();
    if (!(oldest instanceof Uint8Array)) {
      // The sizes in skipped output still apply, in their order.
      if (oldest) this.#worker?.post({ do: 'resize', id: this.id, size: oldest });
      return;
    }
    this.#waitingBytes -= oldest.length;
    this.#skippedBytes += oldest.length;
    this.#skipped.follow(oldest);
  }
}
