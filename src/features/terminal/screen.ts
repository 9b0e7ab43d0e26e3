import serialize from '@xterm/addon-serialize';
import headless, { type ITerminalAddon } from '@xterm/headless';
import type { Size } from './protocol.ts';
import { SkippedModes } from './skipped-modes.ts';

export type ScreenOptions = {
  /** Bytes that may wait to be drawn; older ones are skipped. */
  bufferBytes: number;
  /** Lines kept above the screen. */
  scrollback: number;
};

/** Milliseconds after output until it is drawn, bytes within them beyond which it is a flood, and bytes drawn in one go. */
const pace = { delay: 20, floodBytes: 64 * 1024, sliceBytes: 32 * 1024 };

/** Ends an escape sequence that was cut off, and takes colours and the scroll region back to normal. */
const startAfresh = '\x18\x1b[m\x1b[r';

/** What full-screen programs set and the serializer leaves out. */
type Hidden = { isCursorHidden: boolean; region: string | undefined };

/**
 * What a terminal shows, for a client that comes back. The emulator draws at some 14 MB/s, a shell writes at 40: so output
 * waits until it is quiet or somebody asks for the screen, and of what waits only the last `bufferBytes` are kept. What a
 * flood leaves on the screen is in its tail; the modes that the skipped part switched are carried over.
 */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #emulator: headless.Terminal;
  readonly #serializer = new serialize.SerializeAddon();
  readonly #modes = new SkippedModes();
  readonly #hidden: Hidden = { isCursorHidden: false, region: undefined };
  #waiting: (Buffer | Size)[] = [];
  #waitingBytes = 0;
  #hasSkipped = false;
  #recentBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #drawing: Promise<void> | undefined;
  /** Snapshots that wait. */
  #wanted = 0;
  #isDisposed = false;

  constructor(size: Size, options: ScreenOptions) {
    this.#options = options;
    this.#emulator = new headless.Terminal({
      ...size,
      scrollback: options.scrollback,
      allowProposedApi: true,
      // It would print whatever sequences it does not understand.
      logLevel: 'off',
    });
    // Typed for the terminal of browsers; the two have one interface.
    this.#emulator.loadAddon(this.#serializer as unknown as ITerminalAddon);
    this.#followHiddenState();
  }

  /** Costs a copy of a reference: nothing is drawn yet. */
  write(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#recentBytes += bytes.length;
    while (this.#waitingBytes > this.#options.bufferBytes && this.#waiting.length > 1) this.#skipOldest();
    this.#drawSoon();
  }

  /** Of several without output between them the last one counts: a list of them would have no bound. */
  resize(size: Size): void {
    const last = this.#waiting.length - 1;
    if (last >= 0 && !Buffer.isBuffer(this.#waiting[last])) this.#waiting[last] = size;
    else this.#waiting.push(size);
    this.#drawSoon();
  }

  /** All that was written before the call, as bytes that draw it on any terminal, whatever that showed before. */
  async snapshot(): Promise<Buffer> {
    this.#wanted += 1;
    while (this.#waiting.length > 0 || this.#drawing) await this.#draw();
    this.#wanted -= 1;
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    const { region, isCursorHidden } = this.#hidden;
    // Setting a scroll region moves the cursor.
    const margins = region ? `\x1b[${region}r\x1b[${cursorY + 1};${cursorX + 1}H` : '';
    return Buffer.from(`\x1bc${this.#serializer.serialize()}${margins}${isCursorHidden ? '\x1b[?25l' : ''}`);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#emulator.dispose();
  }

  #skipOldest(): void {
    const oldest = this.#waiting.shift();
    if (!Buffer.isBuffer(oldest)) {
      if (oldest) this.#modes.size = oldest;
      return;
    }
    this.#waitingBytes -= oldest.length;
    this.#hasSkipped = true;
    this.#modes.follow(oldest);
  }

  #drawSoon(): void {
    if (this.#timer || this.#isDisposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const isFlood = this.#recentBytes > pace.floodBytes;
      this.#recentBytes = 0;
      if (isFlood) this.#drawSoon();
      else void this.#draw();
    }, pace.delay).unref();
  }

  /** Draws what waits, one caller at a time, until it is drawn or a flood begins that nobody waits for. */
  async #draw(): Promise<void> {
    this.#drawing ??= this.#drawWaiting().finally(() => {
      this.#drawing = undefined;
      if (this.#waiting.length > 0) this.#drawSoon();
    });
    await this.#drawing;
  }

  async #drawWaiting(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isDisposed) {
      if (this.#wanted === 0 && this.#recentBytes > pace.floodBytes) return;
      await this.#drawSlice();
    }
  }

  async #drawSlice(): Promise<void> {
    if (this.#hasSkipped) await this.#jump();
    const parts: Buffer[] = [];
    let bytes = 0;
    while (bytes < pace.sliceBytes) {
      const next = this.#waiting[0];
      if (!Buffer.isBuffer(next)) break;
      const part = next.subarray(0, pace.sliceBytes - bytes);
      if (part.length < next.length) this.#waiting[0] = next.subarray(part.length);
      else this.#waiting.shift();
      parts.push(part);
      bytes += part.length;
    }
    this.#waitingBytes -= bytes;
    if (bytes > 0) return await this.#feed(Buffer.concat(parts));
    const size = this.#waiting.shift() as Size | undefined;
    if (size) this.#emulator.resize(size.cols, size.rows);
  }

  /** Bytes are missing from here on: goes on at the next line, in the modes that the missing ones switched to. */
  async #jump(): Promise<void> {
    this.#hasSkipped = false;
    const { size, modes } = this.#modes.take();
    if (size) this.#emulator.resize(size.cols, size.rows);
    const [next] = this.#waiting;
    if (Buffer.isBuffer(next)) {
      const lineEnd = next.indexOf(0x0a);
      const skipped = lineEnd < 0 ? 0 : lineEnd + 1;
      this.#modes.follow(next.subarray(0, skipped));
      this.#waiting[0] = next.subarray(skipped);
      this.#waitingBytes -= skipped;
    }
    await this.#feed(startAfresh + modes + this.#modes.take().modes);
  }

  async #feed(data: string | Uint8Array): Promise<void> {
    if (!this.#isDisposed) await new Promise<void>((resolve) => this.#emulator.write(data, resolve));
  }

  #followHiddenState(): void {
    const { parser } = this.#emulator;
    const switchCursor = (isHidden: boolean) => (params: (number | number[])[]) => {
      if (params.includes(25)) this.#hidden.isCursorHidden = isHidden;
      return false;
    };
    const reset = () => {
      Object.assign(this.#hidden, { isCursorHidden: false, region: undefined });
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, switchCursor(true));
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, switchCursor(false));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset);
    parser.registerEscHandler({ final: 'c' }, reset);
    parser.registerCsiHandler({ final: 'r' }, (params) => {
      const [top, bottom] = [Number(params[0] ?? 0), Number(params[1] ?? 0)];
      const isWhole = top <= 1 && (bottom === 0 || bottom >= this.#emulator.rows);
      this.#hidden.region = isWhole ? undefined : `${top || 1};${bottom || this.#emulator.rows}`;
      return false;
    });
  }
}
