import type { IBuffer, IBufferCell } from '@xterm/headless';
import { isJoined } from './character-widths.ts';
import type { Emulator } from './emulator.ts';
import { type Detail, diffStyle, plainStyle, type Style, styleOf } from './style.ts';

/** Levels of detail of a picture, best first: full, sixteen colours, no colours and combining marks. */
const details: readonly Detail[] = ['full', 'sixteen colours', 'plain'];
/** Cells between two yields to other work. */
const cellsInOneGo = 8_000;

/**
 * The screen as at most `most` bytes that draw it on any terminal, whatever its previous content. To fit, scrollback lines are
 * dropped first, then colours. Yields at intervals; nothing may be written to the terminal until it is done.
 */
export function* picture(emulator: Emulator, most: number): Generator<void, Uint8Array> {
  const { terminal } = emulator;
  const { normal, alternate, active } = terminal.buffer;
  for (const detail of details) {
    const screen = yield* screenOf(normal, detail);
    const other = active === alternate ? yield* screenOf(alternate, detail) : undefined;
    const end = ending(emulator, detail);
    const second = other === undefined ? '' : `\x1b[?1049h\x1b[H${other}`;
    const room = most - Buffer.byteLength(`\x1bc${screen}${second}${end}`);
    if (room < 0 && detail !== 'plain') continue;
    if (room < 0) break;
    const above = yield* linesAbove(normal, detail, room);
    return new TextEncoder().encode(`\x1bc${above}${screen}${second}${end}`);
  }
  return new TextEncoder().encode(`\x1bc${ending(emulator, 'plain')}`);
}

/** The visible lines and the cursor. */
function* screenOf(buffer: IBuffer, detail: Detail): Generator<void, string> {
  const first = buffer.baseY;
  const texts: string[] = [];
  let cells = 0;
  const last = lastLine(buffer);
  for (let y = first; y <= last; y += 1) {
    texts.push(lineText(buffer, y, detail), y < last ? separator(buffer, y) : '');
    cells += buffer.getLine(y)?.length ?? 0;
    if (cells > cellsInOneGo) yield;
    if (cells > cellsInOneGo) cells = 0;
  }
  // Relative: after the scrollback lines the position of the screen in the terminal is unknown.
  const { column, text } = cursor(buffer, detail);
  return `${texts.join('')}\r${move(last - buffer.baseY - buffer.cursorY, 'A')}${move(column, 'C')}${text}`;
}

const move = (count: number, final: string): string => (count > 0 ? `\x1b[${count}${final}` : '');

/** The position of the cursor. Only a character, not a movement, puts it after the last column. */
function cursor(buffer: IBuffer, detail: Detail): { column: number; text: string } {
  const line = buffer.getLine(buffer.baseY + buffer.cursorY);
  if (!line || buffer.cursorX < line.length) return { column: buffer.cursorX, text: '' };
  const cell = buffer.getNullCell();
  let column = line.length - 1;
  line.getCell(column, cell);
  if (cell.getWidth() === 0) line.getCell(--column, cell);
  const style = styleOf(cell, detail);
  return {
    column,
    text: `${diffStyle(plainStyle, style)}${charactersOf(cell, detail) || ' '}${diffStyle(style, plainStyle)}`,
  };
}

/** With scrollback the whole screen counts: its last line is that of the terminal. */
function lastLine(buffer: IBuffer): number {
  const bottom = buffer.length - 1;
  if (buffer.baseY > 0) return bottom;
  for (let y = bottom; y > buffer.cursorY; y -= 1) if (lineText(buffer, y, 'full') !== '') return y;
  return Math.min(bottom, buffer.cursorY);
}

/** As many of the last scrollback lines as fit. */
function* linesAbove(buffer: IBuffer, detail: Detail, room: number): Generator<void, string> {
  const texts: string[] = [];
  let bytes = 0;
  let cells = 0;
  for (let y = buffer.baseY - 1; y >= 0; y -= 1) {
    const text = lineText(buffer, y, detail) + separator(buffer, y);
    bytes += Buffer.byteLength(text);
    if (bytes > room) break;
    texts.push(text);
    cells += buffer.getLine(y)?.length ?? 0;
    if (cells > cellsInOneGo) yield;
    if (cells > cellsInOneGo) cells = 0;
  }
  return texts.reverse().join('');
}

/** One line, starting and ending in the plain style, without empty cells at its end. */
function lineText(buffer: IBuffer, y: number, detail: Detail): string {
  const line = buffer.getLine(y);
  if (!line) return '';
  const cell = buffer.getNullCell();
  let text = '';
  let style: Style = plainStyle;
  let blanks = 0;
  let last = 0;
  for (let x = 0; x < line.length; x += 1) {
    line.getCell(x, cell);
    if (cell.getWidth() === 0) continue;
    const next = styleOf(cell, detail);
    const isBlank = cell.getChars() === '' && next.background === plainStyle.background;
    if (isBlank) {
      blanks += 1;
      continue;
    }
    const isColouredBlank = cell.getChars() === '';
    const wanted = isColouredBlank ? { ...plainStyle, background: next.background } : next;
    // Moves the cursor: a space would be a character, but blanks are empty.
    if (blanks > 0) text += `\x1b[${blanks}C`;
    blanks = 0;
    text += diffStyle(style, wanted);
    style = wanted;
    if (!isColouredBlank) {
      const characters = charactersOf(cell, detail);
      // They were written at different times. Together they would be one emoji.
      if (isJoined(last, characters.codePointAt(0) ?? 0)) text += apart;
      text += characters;
      last = lastCode(characters);
    } else {
      const count = sameBlanks(line.length, x, (at) => {
        line.getCell(at, cell);
        return (
          cell.getChars() === '' && cell.getWidth() === 1 && styleOf(cell, detail).background === wanted.background
        );
      });
      // An erasure leaves blanks in the current colour.
      text += `\x1b[${count}X`;
      blanks += count;
      x += count - 1;
    }
  }
  return text + diffStyle(style, plainStyle);
}

const lastCode = (text: string): number => {
  const last = text.charCodeAt(text.length - 1);
  const isHalf = last >= 0xdc00 && last <= 0xdfff;
  return isHalf ? (text.codePointAt(text.length - 2) ?? last) : last;
};

/** A sequence without effect. */
const apart = '\x1b\\';

function sameBlanks(length: number, start: number, isSame: (x: number) => boolean): number {
  let end = start + 1;
  while (end < length && isSame(end)) end += 1;
  return end - start;
}

function charactersOf(cell: IBufferCell, detail: Detail): string {
  const characters = cell.getChars();
  return detail === 'plain' ? String.fromCodePoint(characters.codePointAt(0) ?? 0x20) : characters;
}

/** Empty if the next line continues this one, so that a terminal of another width wraps it at its own width. */
function separator(buffer: IBuffer, y: number): string {
  const [line, next] = [buffer.getLine(y), buffer.getLine(y + 1)];
  if (!line || !next?.isWrapped) return '\r\n';
  const cell = buffer.getNullCell();
  next.getCell(0, cell);
  const [begins, isWide, hasColour] = [cell.getChars() !== '', cell.getWidth() === 2, !cell.isBgDefault()];
  line.getCell(line.length - 1, cell);
  const isFull = cell.getChars() !== '' || cell.getWidth() === 0;
  line.getCell(line.length - 2, cell);
  const isFullForWide = isWide && (cell.getChars() !== '' || cell.getWidth() === 0);
  // A line that starts in a colour is filled with it.
  return begins && !hasColour && (isFull || isFullForWide) ? '' : '\r\n';
}

/** The modes and other state that a program has set. */
function ending({ terminal, hidden, pen }: Emulator, detail: Detail): string {
  const { modes, buffer } = terminal;
  const texts = [
    modes.applicationCursorKeysMode && '\x1b[?1h',
    modes.applicationKeypadMode && '\x1b[?66h',
    modes.bracketedPasteMode && '\x1b[?2004h',
    modes.reverseWraparoundMode && '\x1b[?45h',
    modes.sendFocusMode && '\x1b[?1004h',
    modes.wraparoundMode === false && '\x1b[?7l',
    mouseModes[modes.mouseTrackingMode],
    hidden.mouseEncoding && `\x1b[?${hidden.mouseEncoding}h`,
  ];
  // Setting a scroll region or the origin moves the cursor.
  const { region } = hidden;
  const { column, text } = cursor(buffer.active, detail);
  const top = modes.originMode && region ? region.top - 1 : 0;
  const isMoved = region !== undefined || modes.originMode;
  return [
    ...texts.filter(Boolean),
    region ? `\x1b[${region.top};${region.bottom}r` : '',
    modes.originMode ? '\x1b[?6h' : '',
    isMoved ? `\x1b[${buffer.active.cursorY - top + 1};${column + 1}H${text}` : '',
    diffStyle(plainStyle, styleOf(pen, detail)),
    // Last, because it would shift later characters.
    modes.insertMode ? '\x1b[4h' : '',
    hidden.isCursorHidden ? '\x1b[?25l' : '',
  ].join('');
}

const mouseModes = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' };
