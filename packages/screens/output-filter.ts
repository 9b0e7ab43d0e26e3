import { allowedSequence, mostParameters, type Parameter, sequenceCost } from './control-sequence.ts';
import type { ScreenSize } from './terminal-screens.ts';

/** Maximum combining marks per character. */
const mostMarks = 8;
/** Ends any sequence without effect. Later marks do not join the character before it. */
const nothing = '\x1b\\';
const largest = 0x7fffffff;

/**
 * The states of the emulator's parser (that of https://vt100.net/emu/dec_ansi_parser with its additions). Strings (OSC, DCS, SOS,
 * PM, APC) end in different ways.
 */
type State =
  | 'ground'
  | 'escape'
  | 'escape intermediate'
  | 'csi entry'
  | 'csi parameter'
  | 'csi intermediate'
  | 'csi ignore'
  | 'osc'
  | 'dcs head'
  | 'dcs string'
  | 'sos';

export type Filtered = {
  /** For the emulator. */
  text: string;
  /** Bytes of the output that were consumed. */
  used: number;
  /** Approximate cost of the text for the emulator, in written cells. */
  cost: number;
};

/**
 * Filters the output before the emulator, whose work and memory a program could otherwise control: it would repeat a character
 * 2147483647 times, store the address of each link, and put any number of marks into one cell. The picture of the screen does not
 * change.
 */
export class OutputFilter {
  #size: ScreenSize;
  readonly #characters = new Characters();
  #state: State = 'ground';
  #marks = 0;
  /** Insert mode. */
  #isInserting = false;
  #prefix = '';
  #intermediates = '';
  #parameters: Parameter[] = [];
  #text = '';
  #cost = 0;
  /** Marks and style changes so far, for which the emulator allocates objects. */
  weight = 0;
  /** Bytes at the end of the output that are the beginning of a sequence or character. */
  unfinished = 0;

  constructor(size: ScreenSize) {
    this.#size = size;
  }

  resize(size: ScreenSize): void {
    this.#size = size;
  }

  /** Filters output from `start`, until its end or until the result costs as much as `budget`. */
  filter(bytes: Uint8Array, start: number, budget: number): Filtered {
    this.#text = '';
    this.#cost = 0;
    let at = start;
    let begin = start - this.unfinished;
    while (at < bytes.length && this.#cost < budget) {
      if (this.#state === 'ground' && this.#characters.isWhole) {
        begin = at;
        const end = endOfPlain(
          bytes,
          at,
          Math.min(bytes.length, at + Math.max(1, (budget - this.#cost) / this.#plainCost)),
        );
        if (end > at) {
          this.#plain(bytes, at, end);
          at = end;
          continue;
        }
      }
      const code = this.#characters.next(bytes[at] as number);
      if (code === 'again') continue;
      at += 1;
      if (code !== undefined) this.#take(code);
    }
    this.unfinished = this.#state === 'ground' && this.#characters.isWhole ? 0 : at - begin;
    return { text: this.#text, used: at - start, cost: this.#cost };
  }

  #plain(bytes: Uint8Array, start: number, end: number): void {
    this.#marks = 0;
    this.#text += latin1(bytes, start, end);
    this.#cost += (end - start) * this.#plainCost;
  }

  #put(text: string, cost: number): void {
    this.#marks = 0;
    this.#text += text;
    this.#cost += cost;
  }

  #take(code: number): void {
    if (code === 0x1b) this.#escape();
    else if (code < 0x20) this.#control(code);
    else if (code >= 0x80 && code < 0xa0) this.#upperControl(code);
    else this.#character(code);
  }

  #escape(): void {
    this.#endString();
    this.#clear('escape');
  }

  /** C0. */
  #control(code: number): void {
    const isCancel = code === 0x18 || code === 0x1a;
    if (isCancel || (code === 0x07 && this.#state === 'osc')) {
      this.#endString();
      this.#state = 'ground';
      if (isCancel) this.#put(nothing, sequenceCost);
    } else if (!this.#isString()) this.#put(String.fromCharCode(code), this.#executionCost(code));
  }

  /** C1: 8-bit equivalents of ESC and a letter. They end every sequence. */
  #upperControl(code: number): void {
    this.#endString();
    this.#state = 'ground';
    if (code === 0x90) this.#clear('dcs head');
    else if (code === 0x9b) this.#clear('csi entry');
    else if (code === 0x9d) this.#state = 'osc';
    else if (code === 0x98 || code === 0x9e || code === 0x9f) this.#state = 'sos';
    else if (code !== 0x9c) this.#put(String.fromCharCode(code), this.#executionCost(0x0a));
  }

  #character(code: number): void {
    switch (this.#state) {
      case 'ground':
        this.#print(code);
        break;
      case 'escape':
        this.#afterEscape(code);
        break;
      case 'escape intermediate':
        if (code <= 0x2f) this.#collect(code);
        else if (code !== 0x7f) this.#escapeEnds(code);
        break;
      case 'csi entry':
      case 'csi parameter':
      case 'csi intermediate':
        this.#controlSequence(code);
        break;
      case 'csi ignore':
        if (code >= 0x40 && code <= 0x7e) this.#state = 'ground';
        break;
      case 'dcs head':
        if (code >= 0xa0) this.#state = 'ground';
        else if (code >= 0x40 && code !== 0x7f) this.#state = 'dcs string';
        break;
      case 'sos':
        // The emulator treats non-ASCII characters as an error that ends the string.
        if (code >= 0xa0) this.#state = 'ground';
    }
  }

  #print(code: number): void {
    if (code === 0x7f) return;
    if (isZeroWidth(code)) {
      this.#marks += 1;
      if (this.#marks > mostMarks) return;
      this.weight += 1;
    } else this.#marks = 0;
    this.#text += String.fromCodePoint(code);
    this.#cost += 2 * this.#plainCost;
  }

  #afterEscape(code: number): void {
    if (code <= 0x2f) {
      this.#collect(code);
      this.#state = 'escape intermediate';
    } else if (code === 0x5b) this.#clear('csi entry');
    else if (code === 0x5d) this.#state = 'osc';
    else if (code === 0x50) this.#clear('dcs head');
    else if (code === 0x58 || code === 0x5e || code === 0x5f) this.#state = 'sos';
    else if (code !== 0x7f) this.#escapeEnds(code);
  }

  #escapeEnds(code: number): void {
    this.#state = 'ground';
    if (code >= 0xa0) return;
    const sequence = `${this.#intermediates}${String.fromCharCode(code)}`;
    const isKnown = sequence.length <= 2;
    this.#put(isKnown ? `\x1b${sequence}` : nothing, this.#escapeCost(sequence));
  }

  #controlSequence(code: number): void {
    if (code === 0x7f) return;
    const isEntry = this.#state === 'csi entry';
    if (code >= 0xa0) this.#state = 'ground';
    else if (code >= 0x40) this.#controlSequenceEnds(code);
    else if (code <= 0x2f) {
      this.#collect(code);
      this.#state = 'csi intermediate';
    } else if (this.#state === 'csi intermediate') this.#state = 'csi ignore';
    else if (code <= 0x3b) {
      this.#digit(code);
      this.#state = 'csi parameter';
    } else if (isEntry) {
      this.#prefix = String.fromCharCode(code);
      this.#state = 'csi parameter';
    } else this.#state = 'csi ignore';
  }

  #controlSequenceEnds(code: number): void {
    this.#state = 'ground';
    const sequence = {
      prefix: this.#prefix,
      intermediates: this.#intermediates,
      final: String.fromCharCode(code),
    };
    const allowed = allowedSequence(sequence, this.#parameters.slice(0, mostParameters), this.#size);
    this.#put(allowed?.text ?? nothing, allowed?.cost ?? sequenceCost);
    if (sequence.final === 'm') this.weight += 1;
    if (sequence.final === 'h' || sequence.final === 'l') this.#followInserting(sequence.prefix, sequence.final);
  }

  #followInserting(prefix: string, final: string): void {
    if (prefix === '' && this.#parameters.some(({ value }) => value === 4)) this.#isInserting = final === 'h';
  }

  get #plainCost(): number {
    return this.#isInserting ? plainCost + 10 * this.#size.cols : plainCost;
  }

  #digit(code: number): void {
    const last = this.#parameters.at(-1);
    if (!last) return;
    if (code === 0x3b) {
      // One more than the maximum collects the digits of all excess parameters.
      if (this.#parameters.length <= mostParameters) this.#parameters.push({ value: 0, parts: [] });
    } else if (code === 0x3a) {
      if (last.parts.length < mostParameters) last.parts.push(-1);
    } else if (last.parts.length > 0) {
      const value = last.parts[last.parts.length - 1] as number;
      last.parts[last.parts.length - 1] = Math.min(Math.max(0, value) * 10 + code - 0x30, largest);
    } else last.value = Math.min(last.value * 10 + code - 0x30, largest);
  }

  #collect(code: number): void {
    if (this.#intermediates.length < 3) this.#intermediates += String.fromCharCode(code);
  }

  #clear(state: State): void {
    this.#state = state;
    this.#prefix = '';
    this.#intermediates = '';
    this.#parameters = [{ value: 0, parts: [] }];
  }

  #isString(): boolean {
    return this.#state === 'osc' || this.#state === 'dcs head' || this.#state === 'dcs string' || this.#state === 'sos';
  }

  /** No string changes the visible screen, so none is passed on. */
  #endString(): void {
    if (this.#isString()) this.#put(nothing, sequenceCost);
  }

  #executionCost(code: number): number {
    return code >= 0x0a && code <= 0x0c ? 60 + 3 * this.#size.cols : 20;
  }

  #escapeCost(sequence: string): number {
    const { cols, rows } = this.#size;
    if (sequence === 'c') {
      this.#isInserting = false;
      return 20_000 + 6 * cols * rows;
    }
    if (sequence === '#8') return 2 * cols * rows;
    return 'DEM'.includes(sequence) ? 60 + 3 * cols + 16 * rows : sequenceCost;
  }
}

const plainCost = 12;

/** The end of the printable ASCII characters from `start`, at most `most`. */
function endOfPlain(bytes: Uint8Array, start: number, most: number): number {
  let at = start;
  while (at < most) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e) break;
    at += 1;
  }
  return at;
}

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');

/**
 * Decodes bytes to characters. Invalid UTF-8 and the byte order mark are skipped, as in the emulator and in xterm.js in browsers.
 */
class Characters {
  #code = 0;
  #missing = 0;
  #length = 0;

  /** Whether there is no incomplete character. */
  get isWhole(): boolean {
    return this.#missing === 0;
  }

  /** @returns a character that ends with this byte; 'again' if the byte ends an invalid one and must be processed again */
  next(byte: number): number | 'again' | undefined {
    if (this.#missing === 0) return this.#begin(byte);
    if ((byte & 0xc0) !== 0x80) {
      this.#missing = 0;
      return 'again';
    }
    this.#code = (this.#code << 6) | (byte & 0x3f);
    this.#missing -= 1;
    return this.#missing === 0 && this.#isValid() ? this.#code : undefined;
  }

  #begin(byte: number): number | undefined {
    if (byte < 0x80) return byte;
    this.#length = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    this.#missing = Math.max(0, this.#length - 1);
    this.#code = byte & (0xff >> (this.#length + 1));
    return undefined;
  }

  #isValid(): boolean {
    const code = this.#code;
    if (this.#length === 2) return code >= 0x80;
    if (this.#length === 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff) && code !== 0xfeff;
    return code >= 0x1_0000 && code <= 0x10_ffff;
  }
}

const zeroWidthPattern = /\p{Mn}|\p{Me}|\p{Cf}/u;
/** Further ranges that the emulator treats as zero-width. */
const furtherZeroWidth = [
  [0x06de, 0x06de],
  [0x0c3e, 0x0c40],
  [0x0cbf, 0x0cbf],
  [0x0cc6, 0x0cc6],
  [0x1160, 0x11ff],
  [0x1734, 0x1734],
  [0x17b4, 0x17b5],
  [0x302e, 0x302f],
  // Skin tones of emoji.
  [0x1f3fb, 0x1f3ff],
] as const;
const unknownWidth = 0;
const [no, yes] = [1, 2];
const zeroWidths = new Uint8Array(0x20000);

/** Whether the emulator may put a character into the cell of the previous one. The set is slightly too large. */
export function isZeroWidth(code: number): boolean {
  if (code < 0x300) return code === 0xad;
  if (code >= zeroWidths.length) return code >= 0xe0000 && code <= 0xe0fff;
  if (zeroWidths[code] === unknownWidth) zeroWidths[code] = isMark(code) ? yes : no;
  return zeroWidths[code] === yes;
}

const isMark = (code: number): boolean =>
  zeroWidthPattern.test(String.fromCodePoint(code)) ||
  furtherZeroWidth.some(([first, last]) => code >= first && code <= last);
