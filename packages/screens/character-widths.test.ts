import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import headless from '@xterm/headless';
import { widenEmoji } from './character-widths.ts';

const wide = ['😀', '🫠', '✅', '☕', '👩‍💻', '👩‍👩‍👧‍👦', '🇩🇪', '❤️', '⚠️', '👍🏽', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '漢', '한'];
const narrow = ['a', 'ж', 'é', 'e\u0301', '─', '→', '1', '❤', '©', '🇩'];

describe('the widths of characters', () => {
  const drawn = async (text: string): Promise<headless.Terminal> => {
    const terminal = new headless.Terminal({ cols: 80, rows: 4, allowProposedApi: true });
    widenEmoji(terminal);
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    return terminal;
  };
  const columns = async (text: string): Promise<number> => (await drawn(text)).buffer.active.cursorX;

  it('are two for emoji, as a whole, and as before for all others', async () => {
    for (const text of wide) assert.equal(await columns(text), 2, text);
    for (const text of narrow) assert.equal(await columns(text), 1, text);
  });

  it('are those of each one in a row, and followed by text', async () => {
    for (const text of [...wide, ...narrow]) {
      const width = await columns(text);
      const apart = text === '🇩' ? 2 : width;
      assert.equal(await columns(`${text}a`), width + 1, text);
      assert.equal(await columns(`${text} ${text}`), 2 * width + 1, text);
      assert.equal(await columns(`${text}${text}`), width + apart - (text === '🇩' ? 1 : 0), text);
    }
  });

  it('are the same where a character arrives in pieces', async () => {
    for (const text of wide) {
      const terminal = await drawn('');
      for (const part of text) await new Promise<void>((done) => terminal.write(part, done));
      assert.equal(terminal.buffer.active.cursorX, 2, text);
      assert.equal(terminal.buffer.active.getLine(0)?.getCell(0)?.getChars(), text);
    }
  });

  it('bound what one cell holds', async () => {
    const terminal = await drawn(`👨${'\u200d👨'.repeat(500)}`);
    const cell = terminal.buffer.active.getLine(0)?.getCell(0);
    assert.ok((cell?.getChars().length ?? 0) < 40);
  });
});
