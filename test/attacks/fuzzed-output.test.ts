import assert from 'node:assert/strict';
import { it } from 'node:test';
import headless from '@xterm/headless';
import { widenEmoji } from '../../packages/screens/character-widths.ts';
import { ScreenPool } from '../../packages/screens/screen-pool.ts';
import type { TerminalScreen } from '../../packages/screens/terminal-screens.ts';
import { describeLong, rounds } from '../rounds.ts';

const terminals = 10;
const counts = ['', '0', '1', '3', '24', '80', '1000', '65536', '20000000', '2147483647', '4294967296', '9'.repeat(40)];
const size = { cols: 80, rows: 24 };
const options = {
  ...{ bufferBytes: 1024 * 1024, scrollback: 1000, cells: 250_000, pictureBytes: 2 * 1024 * 1024 },
  ...{ workers: 2, heapMb: 256, silence: 500, log: { warn: () => undefined } },
};

/** Reproducible pseudo-random numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random escape sequence: every kind, every final byte, any count, often incomplete. */
function sequence(next: (below: number) => number): Buffer {
  const pick = (list: string | readonly string[]): string => list[next(list.length)] ?? '';
  const any = (from: number, to: number): string => String.fromCharCode(from + next(to - from + 1));
  const parameters = () => Array.from({ length: next(6) }, () => pick(counts)).join(pick(';;;;:'));
  const csi = () =>
    `${pick(['\x1b[', '\x1b[', '\u009b'])}${pick(['', '', '?', '>', '<', '='])}${parameters()}${pick(['', '', '', ' ', '!', '$', '"', "'", '#*'])}${any(0x40, 0x7e)}`;
  const string = () =>
    `\x1b${pick(']P_^X')}${next(200)};${any(0x20, 0x7e).repeat(next(300))}${pick(['\x07', '\x1b\\', '\x18', '\u009c', '', '\x1b'])}`;
  const kinds = [
    csi,
    csi,
    csi,
    csi,
    string,
    () => `\x1b${pick(['', '#', '(', ')', '%', ' ', '**'])}${any(0x30, 0x7e)}`,
    () => any(0x00, 0x1f),
    () => any(0x80, 0x9f),
    () => `${pick(['x', '漢', '', '\u{1F600}'])}${pick(['\u0301', '\u200d', '\ufe0f']).repeat(next(40))}`,
    () => any(0x20, 0x7e).repeat(next(100)),
  ];
  const whole = Buffer.from(kinds[next(kinds.length)]?.() ?? '');
  if (next(8) === 0) return whole.subarray(0, next(whole.length + 1));
  // Invalid UTF-8.
  return next(20) === 0 ? Buffer.concat([whole, Buffer.from([0x80 + next(128)])]) : whole;
}

async function lines(bytes: Buffer | string): Promise<string[]> {
  const terminal = new headless.Terminal({ ...size, scrollback: 1000, allowProposedApi: true, logLevel: 'off' });
  widenEmoji(terminal);
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, index) => active.getLine(index)?.translateToString(true) ?? '');
}

describeLong('terminals with random output', () => {
  const total = rounds(60_000, 1_000_000);
  const megabytes = rounds(5, 100);

  // Long: the generator and the comparison belong together.
  it(`are alive after ${total} escape sequences and strings of ${megabytes} MB, and show what comes then`, async (context) => {
    await using pool = new ScreenPool(options);
    let losses = 0;
    const screens: TerminalScreen[] = Array.from({ length: terminals }, () =>
      pool.open(size, () => {
        losses += 1;
      }),
    );
    const next = numbers(2026);
    const begin = performance.now();
    let largest = 0;
    const perTerminal = total / terminals;
    for (let count = 0; count < perTerminal; count += 500) {
      await Promise.all(
        screens.map(async (screen, index) => {
          for (let at = 0; at < 500; at += 1) screen.write(sequence(next));
          if (next(10) === 0) screen.resize({ cols: 1 + next(500), rows: 1 + next(300) });
          // Each is drawn, not skipped.
          if ((count / 500 + index) % 3 === 0) largest = Math.max(largest, (await screen.snapshot()).length);
        }),
      );
    }
    const chunk = Buffer.alloc(256 * 1024, 'long string ');
    for (const [index, start] of ['\x1b]0;', '\x1bP$q', '\x1b_', '\x1b]8;;', '\x1b^'].entries()) {
      screens[index]?.write(Buffer.from(start));
      for (let bytes = 0; bytes < megabytes * 1024 * 1024; bytes += chunk.length) {
        screens[index]?.write(chunk);
        // In turns, like the output of a shell.
        if (bytes % (4 * 1024 * 1024) === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const harmless = `\x18\x1bc\x1b[31mharmless\x1b[m text\r\n${'a line of it\r\n'.repeat(40)}grün 漢字\x1b[5;7Hthere`;
    const wanted = await lines(harmless);
    for (const screen of screens) {
      screen.resize(size);
      screen.write(Buffer.from(harmless));
      const picture = await screen.snapshot();
      largest = Math.max(largest, picture.length);
      assert.deepEqual(await lines(picture), wanted);
    }
    context.diagnostic(
      `${total} sequences in ${Math.round(performance.now() - begin)} ms, ${losses} screens lost, the largest picture has ${largest} bytes`,
    );
    assert.equal(losses, 0, 'screens were lost');
    assert.ok(largest <= options.pictureBytes);
  });
});
