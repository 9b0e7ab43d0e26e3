import headless from '@xterm/headless';
import { widenEmoji } from './character-widths.ts';
import { OutputFilter } from './output-filter.ts';
import type { Styled } from './style.ts';
import type { ScreenSize } from './terminal-screens.ts';

/** Internals of the emulator. Errors of a synchronous write are thrown here, not in the event loop of the thread. */
type Core = {
  _core: {
    writeSync: (text: string) => void;
    _inputHandler: {
      _curAttrData: Styled;
      eraseInDisplay: (params: { params: number[] }, respectProtect: boolean) => boolean;
    };
  };
};

export type EmulatorOptions = {
  /** Scrollback lines. */
  scrollback: number;
  /** Maximum cells of the screen and its scrollback: wide terminals store fewer lines. */
  cells: number;
};

/** State set by full-screen programs that the emulator does not expose. */
export type Hidden = {
  isCursorHidden: boolean;
  region: { top: number; bottom: number } | undefined;
  /** The mode for encoding mouse positions. */
  mouseEncoding: 1006 | 1016 | undefined;
};

const nothingHidden: Hidden = { isCursorHidden: false, region: undefined, mouseEncoding: undefined };

/** Limit of the new lines from a resize to fewer columns: the emulator creates all of them before it drops most. */
const mostNewLines = 20_000;

/** A terminal with bounded work and memory for any output. */
export class Emulator implements Disposable {
  readonly terminal: headless.Terminal;
  readonly hidden: Hidden = { ...nothingHidden };
  readonly #options: EmulatorOptions;
  readonly #core: Core['_core'];
  readonly #filter: OutputFilter;

  constructor(size: ScreenSize, options: EmulatorOptions) {
    this.#options = options;
    this.#filter = new OutputFilter(size);
    this.terminal = new headless.Terminal({
      ...size,
      scrollback: scrollbackFor(size, options),
      allowProposedApi: true,
      // It would print unknown sequences.
      logLevel: 'off',
    });
    widenEmoji(this.terminal);
    this.#core = (this.terminal as unknown as Core)._core;
    this.#followHidden();
    this.#mendErasing();
  }

  /** Number of marks and styles written, for which objects are allocated. */
  get weight(): number {
    return this.#filter.weight;
  }

  /** Bytes at the end of the output that are the beginning of a sequence or character. */
  get unfinished(): number {
    return this.#filter.unfinished;
  }

  /** The style of the next character. The emulator's own serializer reads it in the same way, because there is no public access. */
  get pen(): Styled {
    return this.#core._inputHandler._curAttrData;
  }

  /**
   * Draws bytes from `start`, up to the budget.
   * @returns the number of bytes and their cost
   * @throws if the emulator fails; it is then unusable
   */
  draw(bytes: Uint8Array, start: number, budget: number): { used: number; cost: number } {
    const { text, used, cost } = this.#filter.filter(bytes, start, budget);
    if (text !== '') this.#core.writeSync(text);
    return { used, cost };
  }

  /** Handles a gap in the output: ends a partial sequence and resets colours and the scroll region. */
  startAfresh(modes: string): void {
    // Through the filter, which must discard a partial sequence.
    const bytes = Buffer.from(`\x18\x1b[m\x1b[r${modes}`);
    for (let at = 0; at < bytes.length; ) at += this.draw(bytes, at, 100_000_000).used;
  }

  /** Number of cells with a separate object, because of marks or an underline. */
  countObjects(): number {
    const { normal, alternate } = this.terminal.buffer;
    const cell = normal.getNullCell();
    let count = 0;
    for (const buffer of [normal, alternate]) {
      for (let y = 0; y < buffer.length; y += 1) {
        const line = buffer.getLine(y);
        for (let x = 0; line && x < line.length; x += 1) {
          line.getCell(x, cell);
          if (cell.isUnderline() || cell.getChars().length > 1) count += 1;
        }
      }
    }
    return count;
  }

  resize(size: ScreenSize): void {
    const { terminal } = this;
    const scrollback = scrollbackFor(size, this.#options);
    const { normal, active } = terminal.buffer;
    if ((normal.length * terminal.cols) / size.cols > mostNewLines) {
      if (active === normal) terminal.clear();
      else this.#core.writeSync('\x1bc');
    }
    // Reduces the number of lines first if the new ones are longer.
    if (scrollback < (terminal.options.scrollback ?? 0)) terminal.options.scrollback = scrollback;
    terminal.resize(size.cols, size.rows);
    terminal.options.scrollback = scrollback;
    this.#filter.resize({ cols: terminal.cols, rows: terminal.rows });
    // A resize resets it in the emulator.
    this.hidden.region = undefined;
  }

  [Symbol.dispose](): void {
    this.terminal.dispose();
  }

  /** Erasing up to the last cell of a screen without scrollback: the emulator fails there, because it reads the line after it. */
  #mendErasing(): void {
    const { terminal } = this;
    for (const prefix of ['', '?']) {
      terminal.parser.registerCsiHandler({ prefix, final: 'J' }, ([part]) => {
        const { active } = terminal.buffer;
        const isToEnd = active.cursorX + 1 >= terminal.cols && active.getLine(active.cursorY + 1) === undefined;
        return part === 1 && isToEnd && this.#core._inputHandler.eraseInDisplay({ params: [2] }, prefix === '?');
      });
    }
  }

  #followHidden(): void {
    const { parser } = this.terminal;
    const follow = (isSet: boolean) => (params: (number | number[])[]) => {
      if (params.includes(25)) this.hidden.isCursorHidden = !isSet;
      for (const mode of [1006, 1016] as const)
        if (params.includes(mode)) this.hidden.mouseEncoding = isSet ? mode : undefined;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, follow(false));
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, follow(true));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => {
      Object.assign(this.hidden, { isCursorHidden: false, region: undefined });
      return false;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      Object.assign(this.hidden, nothingHidden);
      return false;
    });
    parser.registerCsiHandler({ final: 'r' }, (params) => {
      const { rows } = this.terminal;
      const [top, bottom] = [Number(params[0] ?? 0) || 1, Math.min(Number(params[1] ?? 0) || rows, rows)];
      if (bottom > top) this.hidden.region = top === 1 && bottom === rows ? undefined : { top, bottom };
      return false;
    });
  }
}

const scrollbackFor = ({ cols, rows }: ScreenSize, { scrollback, cells }: EmulatorOptions): number =>
  Math.max(0, Math.min(scrollback, Math.floor(cells / cols) - rows));
