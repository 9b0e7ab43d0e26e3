import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import headless from '@xterm/headless';
import type { ScreenSize, TerminalScreen } from '../../ports/terminal-screens.ts';
import { ScreenPool, type ScreenPoolOptions } from './screen-pool.ts';

const size = { cols: 80, rows: 24 };
const options: ScreenPoolOptions = {
  ...{ bufferBytes: 64 * 1024, scrollback: 100, cells: 250_000, pictureBytes: 2 * 1024 * 1024 },
  ...{ workers: 1, heapMb: 128, silence: 2000, log: { warn: () => undefined } },
};
const lost = () => assert.fail('a screen was lost');

/** What a terminal shows that drew these bytes: the lines of its screen, without the empty ones at the end. */
async function draw(...parts: (Buffer | string)[]) {
  const terminal = new headless.Terminal({ ...size, scrollback: 1000, allowProposedApi: true });
  for (const part of parts) await new Promise<void>((resolve) => terminal.write(part, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, index) => active.getLine(index)?.translateToString(true) ?? '',
  );
  while (lines.at(-1) === '') lines.pop();
  return { lines, type: active.type, cursor: [active.cursorX, active.cursorY], modes: terminal.modes };
}

describe('ScreenPool', () => {
  const pool = new ScreenPool(options);
  const newScreen = (of: ScreenSize = size): TerminalScreen => pool.open(of, lost);
  after(() => pool[Symbol.asyncDispose]());

  it('is drawn again over whatever another terminal showed', async () => {
    using screen = newScreen();
    const output = 'one\r\n\x1b[31mtwo\x1b[m grün 漢字\r\n\x1b[?1049h\x1b[2J\x1b[5;3Hfull screen\x1b[?1h\x1b[?2004h';
    for (const byte of Buffer.from(output)) screen.write(Buffer.from([byte]));
    const picture = await screen.snapshot();
    assert.deepEqual(await draw('what was there before\x1b[?1000h', picture), await draw(output));
    assert.deepEqual(await draw(picture, '\x1b[?1049l'), await draw(output, '\x1b[?1049l'));
  });

  it('draws of many sizes without output between them the last', async () => {
    using screen = newScreen();
    for (let line = 0; line < 100; line += 1) screen.write(Buffer.from(`${'x'.repeat(400)}\r\n`));
    await screen.snapshot();
    const begin = performance.now();
    for (let count = 0; count < 20_000; count += 1) screen.resize({ cols: count % 2 ? 500 : 1, rows: 24 });
    screen.resize({ cols: 40, rows: 24 });
    // To the last column, wherever that is.
    screen.write(Buffer.from('\x1b[2J\x1b[1;999Hz'));
    const { lines } = await draw(await screen.snapshot());
    assert.ok(lines.includes(`${' '.repeat(39)}z`));
    assert.ok(performance.now() - begin < 5000, 'and not each of them');
  });

  it('keeps what a full-screen program hides: the cursor and the lines that scroll', async () => {
    using screen = newScreen();
    const output = '\x1b[?25l\x1b[1;1Htop\x1b[24;1Hbottom\x1b[2;23r\x1b[23;5H';
    screen.write(Buffer.from(output));
    const picture = await screen.snapshot();
    assert.ok(picture.toString().endsWith('\x1b[2;23r\x1b[23;5H\x1b[?25l'));
    const scrolled = '\n\n\nnext';
    assert.deepEqual(await draw(picture, scrolled), await draw(output, scrolled));
    screen.write(Buffer.from('\x1b[r\x1b[?25h'));
    const later = (await screen.snapshot()).toString();
    assert.ok(!later.includes('\x1b[2;23r') && !later.includes('\x1b[?25l'));
  });

  it('shows the end of a flood, in the modes that the skipped part switched to', async () => {
    using screen = newScreen();
    const numbers = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('');
    const flood = Buffer.from(`\x1b[?1049h\x1b[?1049l\x1b[?2004h${numbers}`);
    // Cut where it falls: also within the sequence that switches a mode.
    for (let at = 0; at < flood.length; at += 21) screen.write(flood.subarray(at, at + 21));
    const { lines, type, modes } = await draw(await screen.snapshot());
    assert.equal(type, 'normal');
    assert.equal(modes.bracketedPasteMode, true);
    assert.equal(lines.at(-1), '200000');
    const breaks = lines.filter((line, index) => index > 0 && Number(line) !== Number(lines[index - 1]) + 1);
    assert.deepEqual(breaks, []);
    assert.ok(lines.length >= 100);
  });

  it('changes its size where the output does', async () => {
    using screen = newScreen();
    screen.write(Buffer.from('x'.repeat(100)));
    screen.resize({ cols: 40, rows: 10 });
    screen.write(Buffer.from(`\x1b[2J\x1b[H${'y'.repeat(50)}`));
    const text = (await screen.snapshot()).toString();
    assert.match(text, /y{50}/);
    assert.ok((await draw(text)).lines.includes('y'.repeat(50)), 'one line that was wrapped, not two');
  });

  it('keeps no more than its bound, however fast output comes', async () => {
    using screen = newScreen();
    const chunk = Buffer.alloc(32 * 1024, 'x');
    for (let count = 0; count < 10_000; count += 1) screen.write(chunk);
    const begin = performance.now();
    await screen.snapshot();
    assert.ok(performance.now() - begin < 2000, 'only the end is drawn');
  });
});
