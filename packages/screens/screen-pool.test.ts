import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import headless from '@xterm/headless';
import { itLong } from '../../test/rounds.ts';
import { until } from '../../test/until.ts';
import { ScreenPool, type ScreenPoolOptions } from './screen-pool.ts';
import type { ScreenSize, TerminalScreen } from './terminal-screens.ts';

const size = { cols: 80, rows: 24 };
const options: ScreenPoolOptions = {
  ...{ bufferBytes: 64 * 1024, scrollback: 100, cells: 250_000, pictureBytes: 2 * 1024 * 1024 },
  ...{ workers: 1, heapMb: 128, silence: 2000, log: { warn: () => undefined } },
};
const lost = () => assert.fail('a screen was lost');

/** The content of a terminal that drew these bytes: the lines of its screen without the empty ones at the end. */
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

  it('is drawn over any previous content', async () => {
    using screen = newScreen();
    const output = 'one\r\n\x1b[31mtwo\x1b[m grün 漢字\r\n\x1b[?1049h\x1b[2J\x1b[5;3Hfull screen\x1b[?1h\x1b[?2004h';
    for (const byte of Buffer.from(output)) screen.write(Buffer.from([byte]));
    const picture = await screen.snapshot();
    assert.deepEqual(await draw('what was there before\x1b[?1000h', picture), await draw(output));
    assert.deepEqual(await draw(picture, '\x1b[?1049l'), await draw(output, '\x1b[?1049l'));
  });

  it('draws only the last of several sizes without output', async () => {
    using screen = newScreen();
    for (let line = 0; line < 100; line += 1) screen.write(Buffer.from(`${'x'.repeat(400)}\r\n`));
    await screen.snapshot();
    const begin = performance.now();
    for (let count = 0; count < 20_000; count += 1) screen.resize({ cols: count % 2 ? 500 : 1, rows: 24 });
    screen.resize({ cols: 40, rows: 24 });
    // To the last column, whatever its number.
    screen.write(Buffer.from('\x1b[2J\x1b[1;999Hz'));
    const { lines } = await draw(await screen.snapshot());
    assert.ok(lines.includes(`${' '.repeat(39)}z`));
    assert.ok(performance.now() - begin < 30_000, 'and not each of them');
  });

  it('keeps the cursor and scrollback hidden by a full-screen program', async () => {
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

  it('shows the end of a flood in the modes of the skipped part', async () => {
    using screen = newScreen();
    const numbers = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join('');
    const flood = Buffer.from(`\x1b[?1049h\x1b[?1049l\x1b[?2004h${numbers}`);
    // Split at any byte, including within a sequence that sets a mode.
    for (let at = 0; at < flood.length; at += 21) screen.write(flood.subarray(at, at + 21));
    const { lines, type, modes } = await draw(await screen.snapshot());
    assert.equal(type, 'normal');
    assert.equal(modes.bracketedPasteMode, true);
    assert.equal(lines.at(-1), '200000');
    const breaks = lines.filter((line, index) => index > 0 && Number(line) !== Number(lines[index - 1]) + 1);
    assert.deepEqual(breaks, []);
    assert.ok(lines.length >= 100);
  });

  it('resizes at the right position of the output', async () => {
    using screen = newScreen();
    screen.write(Buffer.from('x'.repeat(100)));
    screen.resize({ cols: 40, rows: 10 });
    screen.write(Buffer.from(`\x1b[2J\x1b[H${'y'.repeat(50)}`));
    const text = (await screen.snapshot()).toString();
    assert.match(text, /y{50}/);
    assert.ok((await draw(text)).lines.includes('y'.repeat(50)), 'one line that was wrapped, not two');
  });

  it('stays within its limit for any rate of output', async () => {
    using screen = newScreen();
    const chunk = Buffer.alloc(32 * 1024, 'x');
    for (let count = 0; count < 10_000; count += 1) screen.write(chunk);
    const begin = performance.now();
    await screen.snapshot();
    assert.ok(performance.now() - begin < 30_000, 'only the end is drawn');
  });
});

describe('a worker that fails', () => {
  const script = new URL('./failing-worker.fixture.ts', import.meta.url);
  const failing = (): ScreenPool => new ScreenPool({ ...options, script, silence: 500, heapMb: 64, firstBreak: 5000 });

  /** A screen that counts its blank restarts, and its content. */
  function open(pool: ScreenPool) {
    const of = { losses: 0 };
    const screen = pool.open(size, () => {
      of.losses += 1;
    });
    const show = async (text = '') => {
      if (text !== '') screen.write(Buffer.from(text));
      return (await draw(await screen.snapshot())).lines.join('');
    };
    return Object.assign(of, { screen, show });
  }

  itLong('is not replaced while it only waits for its turn on a busy machine', async () => {
    await using pool = failing();
    const waiting = open(pool);
    assert.match(await waiting.show('WAIT'), /WAIT/);
    assert.equal(waiting.losses, 0);
  });

  for (const word of ['HANG', 'HEAP', 'EXIT']) {
    const replaced = word === 'HEAP' ? itLong : it;
    replaced(`is replaced, and its screens start blank (${word})`, async () => {
      await using pool = failing();
      const [hostile, other] = [open(pool), open(pool)];
      assert.deepEqual([await hostile.show('before'), await other.show('before')], ['before', 'before']);
      // A pending picture request is answered.
      assert.equal(await hostile.show(word), '');
      assert.deepEqual([hostile.losses, other.losses], [1, 1]);
      assert.deepEqual([await hostile.show('after'), await other.show('after')], ['after', 'after']);
    });

    itLong(`takes the others' screens once, and not again and again (${word})`, async () => {
      await using pool = failing();
      const [hostile, other] = [open(pool), open(pool)];
      assert.equal(await other.show('one'), 'one');
      await hostile.show(word);
      assert.equal(await other.show('two'), 'two');
      // It is now isolated from the others. After the second failure it has no emulator for a while.
      await hostile.show(word);
      assert.equal(await hostile.show('nothing is kept of this'), '');
      assert.equal(await other.show(' and three'), 'two and three');
      assert.deepEqual([hostile.losses, other.losses], [2, 1]);
      await until(async () => (await hostile.show('again')).startsWith('again'), 'the end of its break');
      assert.equal(await other.show(' and four'), 'two and three and four');
    });
  }

  it('loses one screen if its emulator throws', async () => {
    await using pool = failing();
    const [hostile, other] = [open(pool), open(pool)];
    assert.equal(await other.show('one'), 'one');
    assert.equal(await hostile.show('THROW'), '');
    assert.equal(await other.show(' two'), 'one two');
    assert.deepEqual([hostile.losses, other.losses], [1, 0]);
  });
});

describe('the cost of screens', () => {
  it('is nothing before the first, and one thread for several', async () => {
    await using pool = new ScreenPool({ ...options, workers: 2 });
    assert.equal(pool.workers, 0);
    for (let count = 0; count < 40; count += 1) pool.open(size, lost);
    assert.equal(pool.workers, 2);
  });

  it('is a picture of limited size, with fewer lines, then fewer colours', async () => {
    const pictureBytes = 256 * 1024;
    await using pool = new ScreenPool({ ...options, pictureBytes, bufferBytes: 16 * 1024 * 1024 });
    const colour = (count: number) => `\x1b[38;2;${count % 255};7;9;48;2;1;${count % 251};3m`;
    const large = { cols: 500, rows: 100 };
    const screen = pool.open(large, lost);
    for (let y = 0; y < 300; y += 1) {
      const cells = Array.from({ length: 500 }, (_, x) => `${colour(x * y)}${'abcdefgh'[(x + y) % 8]}`);
      screen.write(Buffer.from(`${cells.join('')}\x1b[m\r\n`));
    }
    screen.write(Buffer.from('the end'));
    const picture = await screen.snapshot();
    assert.ok(picture.length <= pictureBytes, `${picture.length} bytes`);
    assert.match(picture.toString(), /the end/);
    // With few colours the picture is smaller: the scrollback is included.
    screen.write(Buffer.from(`\x1bc${'some words\r\n'.repeat(300)}`));
    assert.equal((await screen.snapshot()).toString().split('some words').length, 200);
  });

  itLong('is bounded memory for any content of cells', async () => {
    await using pool = new ScreenPool({ ...options, heapMb: 64, bufferBytes: 64 * 1024 * 1024, silence: 20_000 });
    const marks = Array.from({ length: 9 }, (_, index) => String.fromCodePoint(0x300 + index)).join('');
    const line = Buffer.from(`${`\x1b[4:3ma${marks}\x1b[24mb${marks}`.repeat(250)}\r\n`);
    let losses = 0;
    const count = () => {
      losses += 1;
    };
    const screens = Array.from({ length: 4 }, () => pool.open({ cols: 500, rows: 200 }, count));
    for (const screen of screens) {
      for (let y = 0; y < 210; y += 1) screen.write(line);
      await screen.snapshot();
    }
    // The largest screens are dropped before the thread, with all its screens, is lost.
    assert.ok(losses < screens.length, `${losses} were lost`);
    for (const screen of screens) {
      screen.write(Buffer.from('\x1bcalive'));
      assert.match((await screen.snapshot()).toString(), /alive/);
    }
  });
});
