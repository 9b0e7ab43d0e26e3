import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import headless from '@xterm/headless';
import { itInRounds, rounds } from '../../test/rounds.ts';
import { widenEmoji } from './character-widths.ts';
import { Emulator } from './emulator.ts';
import { isZeroWidth, OutputFilter } from './output-filter.ts';
import { picture } from './picture.ts';

const size = { cols: 40, rows: 12 };
/** The number of random outputs of a test. */
const seeds = rounds(150, 1500, 40);

/** A deterministic pseudo-random number generator. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function filtered(output: string | Buffer, part = Number.POSITIVE_INFINITY): string {
  const filter = new OutputFilter(size);
  const bytes = Buffer.from(output);
  let text = '';
  for (let start = 0; start < bytes.length; start += part) {
    const chunk = bytes.subarray(start, start + part);
    for (let at = 0; at < chunk.length; ) {
      const { used, text: next } = filter.filter(chunk, at, 1000);
      text += next;
      at += used;
    }
  }
  return text;
}

const write = async (terminal: headless.Terminal, data: string | Uint8Array): Promise<void> =>
  await new Promise((resolve) => terminal.write(data, resolve));

/** Every cell of both screens with its visible style, and the cursor. */
function look(terminal: headless.Terminal, lines = Number.POSITIVE_INFINITY) {
  const screens = [terminal.buffer.normal, terminal.buffer.alternate].map((buffer) => {
    const rows: string[] = [];
    for (let y = Math.max(0, buffer.length - lines); y < buffer.length; y += 1) {
      const line = buffer.getLine(y);
      const cells: string[] = [];
      for (let x = 0; x < (line?.length ?? 0); x += 1) {
        const cell = line?.getCell(x);
        if (!cell) continue;
        const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()].map(
          (flag) => (flag === 0 ? 0 : 1),
        );
        // An empty last cell before the cursor is represented by a space.
        const isEmpty = cell.getChars() === '' || (cell.getChars() === ' ' && !flags.some(Boolean));
        // The first sixteen of 256 colours equal those with their own sequences.
        const front = isEmpty ? '' : `${cell.isFgRGB()}.${cell.getFgColor()}.${flags.join('.')}`;
        cells.push(`${cell.getChars().trim()}|${front}|${cell.isBgRGB()}.${cell.getBgColor()}`);
      }
      rows.push(cells.join(' '));
    }
    return rows;
  });
  const { type, cursorX, cursorY } = terminal.buffer.active;
  return { screens: type === 'normal' ? [screens[0]] : screens, type, cursorX, cursorY };
}

/** Output that a program might write: text, colours, movements, erasures, scrolling, modes, titles. */
function output(next: (below: number) => number, length: number): string {
  const pieces: (() => string)[] = [
    () => 'abcdefghijklmnopqrstuvwxyz'.slice(0, next(26)),
    () => 'some words and 漢字 and grün e\u0301 '.slice(next(10)),
    () => ['😀', '👩\u200d', '💻', '🇩', '🇪', '👍', '🏽', '❤\ufe0f', '1\ufe0f\u20e3', '🫠'][next(10)] ?? '',
    () => '\r\n',
    () => '\t',
    () => '\b',
    () => `\x1b[${next(12)}${'ABCDEFGHIZ`ade'[next(14)]}`,
    () => `\x1b[${next(14)};${next(44)}H`,
    () => `\x1b[${next(6)}${'@PXLMST'[next(7)]}`,
    // Not up to the cursor: the emulator itself fails at that at the end of the screen.
    () => `\x1b[${2 * next(2)}J`,
    () => `\x1b[${next(3)}K`,
    () => `\x1b[${[0, 1, 2, 3, 4, 7, 22, 23, 24, 27, 31, 42, 95, 104, 39, 49][next(16)]}m`,
    () => `\x1b[1;38;5;${next(256)};48;2;${next(256)};${next(256)};${next(256)}m`,
    () => `\x1b[38:2::${next(256)}:${next(256)}:7m`,
    () => `\x1b[${1 + next(6)};${7 + next(5)}r`,
    () => '\x1b[r',
    () => `\x1b[?${[6, 7, 25, 1, 2004, 1049, 47, 1000][next(8)]}${'hl'[next(2)]}`,
    () => `\x1b[4${'hl'[next(2)]}`,
    () => `\x1b${['7', '8', 'M', 'D', 'E', '(0', '(B', '='][next(8)]}`,
    () => `x\x1b[${next(5)}b`,
    () => `\x1b]0;title ${next(100)}\x07`,
    () => `\x1bP$qm\x1b\\`,
    () => `\x1b_application\x1b\\`,
    () => `\xc2\x9b`,
  ];
  return Array.from({ length }, () => pieces[next(pieces.length)]?.() ?? '').join('');
}

describe('OutputFilter', () => {
  itInRounds('does not change the display for any sizes of pieces', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const next = numbers(seed);
      const bytes = Buffer.from(output(next, 200));
      const plain = new headless.Terminal({ ...size, scrollback: 50, allowProposedApi: true, logLevel: 'off' });
      widenEmoji(plain);
      using emulator = new Emulator(size, { scrollback: 50, cells: 100_000 });
      await write(plain, bytes);
      for (let start = 0; start < bytes.length; ) {
        const chunk = bytes.subarray(start, start + 1 + next(50));
        for (let at = 0; at < chunk.length; ) at += emulator.draw(chunk, at, 500).used;
        start += chunk.length;
      }
      assert.deepEqual(look(emulator.terminal), look(plain), `seed ${seed}`);
    }
  });

  itInRounds('returns a picture with the same display', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const bytes = Buffer.from(output(numbers(seed), 200));
      using emulator = new Emulator(size, { scrollback: 50, cells: 100_000 });
      for (let at = 0; at < bytes.length; ) at += emulator.draw(bytes, at, 1_000_000).used;
      const again = new headless.Terminal({ ...size, scrollback: 50, allowProposedApi: true, logLevel: 'off' });
      widenEmoji(again);
      const making = picture(emulator, 1_000_000);
      let made = making.next();
      while (!made.done) made = making.next();
      await write(again, `what was there before\x1b[31m`);
      await write(again, made.value);
      const [shown, kept] = [look(again, size.rows), look(emulator.terminal, size.rows)];
      // In origin mode the cursor cannot be placed outside of the scroll region.
      if (again.modes.originMode) Object.assign(shown, { cursorX: kept.cursorX, cursorY: kept.cursorY });
      assert.deepEqual(shown, kept, `seed ${seed}`);
      assert.deepEqual(again.modes, emulator.terminal.modes, `seed ${seed}`);
    }
  });

  it('erases up to the last cell of a screen, unlike the emulator', () => {
    using emulator = new Emulator(size, { scrollback: 50, cells: 100_000 });
    const bytes = Buffer.from('text\x1b[999;999H\x1b[1J');
    for (let at = 0; at < bytes.length; ) at += emulator.draw(bytes, at, 1_000_000).used;
    assert.equal(emulator.terminal.buffer.active.getLine(0)?.translateToString(true), '');
  });

  it('bounds counts by the size of the screen', () => {
    for (const count of ['20000000', '2147483647', '99999999999999999999']) {
      for (const final of 'LMST') assert.equal(filtered(`\x1b[${count}${final}`), `\x1b[12${final}`);
      for (const final of '@PXb') assert.equal(filtered(`\x1b[${count}${final}`), `\x1b[40${final}`);
      for (const final of 'ABCDIZ') assert.equal(filtered(`\x1b[${count}${final}`), `\x1b[40${final}`);
      assert.equal(filtered(`\x1b[${count};${count}H`, 1), '\x1b[9999;9999H');
      // Split at any byte.
      assert.equal(filtered(`\x1b[${count}L`, 1), '\x1b[12L');
    }
    assert.equal(filtered(`\x1b[${'1;'.repeat(1000)}m`), `\x1b[${Array(32).fill('1').join(';')}m`);
  });

  it('removes what a picture cannot show and the emulator would store', () => {
    const end = '\x1b\\';
    for (const string of ['\x1b]8;id=1;http://x/\x07', '\x1bP+q00\x18', '\x1b]0;title\x07'])
      assert.ok(!/[a-z0]/.test(filtered(string)), string);
    assert.equal(filtered('\x1b[22;0t'), end);
    assert.equal(filtered('\x1b[?1234567h'), end);
    assert.equal(filtered('\x1b[?1234567;25h'), '\x1b[?25h');
    assert.equal(filtered('\x1b[4:3;58:5:7;1m'), '\x1b[4;1m');
    assert.equal(filtered('\x1b[58;2;1;2;3;31m'), '\x1b[31m');
  });

  it('permits a few combining marks per character', () => {
    const marks = filtered(`a${'\u0301'.repeat(100_000)}b`).split('\u0301');
    assert.equal(marks.length - 1, 8);
  });

  it('treats the same characters as marks as the emulator', async () => {
    const terminal = new headless.Terminal({ cols: 500, rows: 10, allowProposedApi: true });
    widenEmoji(terminal);
    const missed: string[] = [];
    for (let code = 0xa0; code < 0x2_0000; code += 1) {
      if (isZeroWidth(code) || (code >= 0xd800 && code <= 0xdfff)) continue;
      await new Promise<void>((resolve) => {
        if (code % 256 !== 0) resolve();
        else setImmediate(resolve);
      });
      terminal.write(`\x1b[H\x1b[2Ka${String.fromCodePoint(code)}`, () => {
        if (terminal.buffer.active.cursorX === 1) missed.push(code.toString(16));
      });
    }
    await write(terminal, '');
    assert.deepEqual(missed, []);
  });
});
