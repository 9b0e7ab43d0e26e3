import { Emulator } from './emulator.ts';
import type { ScreenLimits, Skipped } from './messages.ts';
import { picture } from './picture.ts';
import { modeSequences, SkippedModes } from './skipped-modes.ts';
import type { ScreenSize } from './terminal-screens.ts';

/** Milliseconds without much output until it is drawn, and the number of bytes in that time that count as much. */
export const pace = { quiet: 20, floodBytes: 64 * 1024 };
/** Maximum cost of one step, approximately in cells written by the emulator: some milliseconds. */
const stepCost = 150_000;
/** Maximum cost of drawing all pending output; beyond it only its end is drawn. About half a second. */
const mostCost = 50_000_000;
/** Output of a new terminal that is stored as it is, in bytes and in chunks. */
const fewBytes = 4096;
const fewChunks = 16;
/** The part of the pending output that is drawn then. */
const endPart = 1 / 16;

/** A screen in a worker: its pending output and the emulator that draws it. */
export class KeptScreen implements Disposable {
  readonly id: number;
  readonly #limits: ScreenLimits;
  /** Created with the first drawing: an emulator takes more memory than the rest of an idle terminal. */
  #created: Emulator | undefined;
  readonly #size: ScreenSize;
  readonly #skipped = new SkippedModes();
  #skippedSize: ScreenSize | undefined;
  #hasSkipped = false;
  #waiting: (Uint8Array | ScreenSize)[] = [];
  #waitingBytes = 0;
  /** Bytes of output so far, with what was left out. */
  #written: number;
  /** Bytes of the first pending chunk that are already drawn. */
  #drawn = 0;
  #cost = 0;
  #recentBytes = 0;
  /** Requested pictures, and the one in progress. */
  readonly #wanted: number[] = [];
  #making: Generator<void, Uint8Array> | undefined;

  constructor(id: number, size: ScreenSize, limits: ScreenLimits, at = 0) {
    this.#written = at;
    this.id = id;
    this.#limits = limits;
    this.#size = size;
  }

  get #emulator(): Emulator {
    this.#created ??= new Emulator(this.#size, this.#limits);
    return this.#created;
  }

  /** Whether drawing must not wait for a picture request. A new terminal's first output takes less memory than its screen. */
  get isDue(): boolean {
    return this.#created !== undefined || this.#waitingBytes > fewBytes || this.#waiting.length > fewChunks;
  }

  get isWanted(): boolean {
    return this.#wanted.length > 0;
  }

  get hasWork(): boolean {
    return this.isWanted || this.#waiting.length > 0;
  }

  get weight(): number {
    return this.#created?.weight ?? 0;
  }

  countObjects(): number {
    return this.#created?.countObjects() ?? 0;
  }

  /** Whether much output has arrived since the last call. */
  isFlooded(): boolean {
    const is = this.#recentBytes > pace.floodBytes;
    this.#recentBytes = 0;
    return is;
  }

  write(bytes: Uint8Array, skipped: Skipped | undefined): void {
    if (skipped) {
      this.#skipTo(0);
      this.#hasSkipped = true;
      this.#skipped.add(skipped.modes);
      this.#written += skipped.bytes;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#written += bytes.length;
    this.#recentBytes += bytes.length;
    if (this.#waitingBytes > this.#limits.bufferBytes) this.#skipTo(this.#limits.bufferBytes);
  }

  /** Of several sizes without output in between only the last is stored: a list of them would be unbounded. */
  resize(size: ScreenSize): void {
    const last = this.#waiting.length - 1;
    if (last >= 0 && !(this.#waiting[last] instanceof Uint8Array)) this.#waiting[last] = size;
    else this.#waiting.push(size);
  }

  want(number: number): void {
    this.#wanted.push(number);
  }

  /** Does one step of work. @returns a finished picture, if any @throws if the emulator fails */
  step(): { number: number; bytes: Uint8Array; at: number } | undefined {
    if (!this.#making && this.#waiting.length > 0) {
      this.#draw();
      return undefined;
    }
    if (!this.isWanted) return undefined;
    this.#making ??= picture(this.#emulator, this.#limits.pictureBytes);
    const { done, value } = this.#making.next();
    if (!done) return undefined;
    this.#making = undefined;
    const at = this.#written - this.#waitingBytes - this.#emulator.unfinished;
    return { number: this.#wanted.shift() as number, bytes: value, at };
  }

  [Symbol.dispose](): void {
    this.#waiting = [];
    this.#wanted.length = 0;
    this.#created?.[Symbol.dispose]();
  }

  #draw(): void {
    if (this.#hasSkipped) this.#jump();
    const next = this.#waiting[0];
    if (next instanceof Uint8Array) this.#drawBytes(next);
    else if (next) {
      this.#waiting.shift();
      this.#emulator.resize(next);
    }
    if (this.#waiting.length === 0) this.#cost = 0;
  }

  #drawBytes(bytes: Uint8Array): void {
    const { used, cost } = this.#emulator.draw(bytes, this.#drawn, stepCost);
    this.#drawn += used;
    this.#waitingBytes -= used;
    this.#cost += cost;
    if (this.#drawn >= bytes.length) this.#shift();
    if (this.#cost < mostCost) return;
    this.#cost = 0;
    this.#skipTo(Math.floor(this.#waitingBytes * endPart));
  }

  /** Drops pending output except for its last bytes. */
  #skipTo(bytes: number): void {
    while (this.#waitingBytes > bytes) {
      const oldest = this.#waiting[0];
      if (oldest instanceof Uint8Array) {
        const rest = oldest.subarray(this.#drawn);
        const skipped = rest.subarray(0, Math.min(rest.length, this.#waitingBytes - bytes));
        this.#skipped.follow(skipped);
        this.#hasSkipped = true;
        this.#waitingBytes -= skipped.length;
        this.#drawn += skipped.length;
        if (skipped.length === rest.length) this.#shift();
      } else {
        this.#skippedSize = oldest;
        this.#shift();
      }
    }
  }

  #shift(): void {
    this.#waiting.shift();
    this.#drawn = 0;
  }

  /** Handles a gap in the output: continues at the next line, in the modes that the skipped output set. */
  #jump(): void {
    this.#hasSkipped = false;
    if (this.#skippedSize) this.#emulator.resize(this.#skippedSize);
    this.#skippedSize = undefined;
    const next = this.#waiting[0];
    if (next instanceof Uint8Array) {
      const lineEnd = next.indexOf(0x0a, this.#drawn);
      const end = lineEnd < 0 ? this.#drawn : lineEnd + 1;
      this.#skipped.follow(next.subarray(this.#drawn, end));
      this.#waitingBytes -= end - this.#drawn;
      this.#drawn = end;
    }
    this.#emulator.startAfresh(modeSequences(this.#skipped.take()));
  }
}
