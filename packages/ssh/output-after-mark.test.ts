import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { outputAfterMark } from './ssh-channels.ts';

/** What a reader receives of these chunks. */
async function received(chunks: readonly string[], mark = 'a1b2c3'): Promise<string> {
  const channel = outputAfterMark(new Readable({ read() {} }), mark);
  for (const chunk of chunks) channel.push(Buffer.from(chunk));
  channel.push(null);
  return await text(channel);
}

describe('the output of a command', () => {
  it('begins after its mark, however it arrives', async () => {
    assert.equal(await received(['PASS\na1b2a1b2c3PASS a1b2c3\n']), 'PASS a1b2c3\n');
    assert.equal(await received('PASS\na1b2a1b2c3FAIL\n'.split('')), 'FAIL\n');
    assert.equal(await received(['a1b2c3', 'FAIL', '\n']), 'FAIL\n');
  });

  it('is empty without it', async () => {
    assert.equal(await received(['PASS\n', 'a1b2c', 'a1b2c4']), '');
    assert.equal(await received([]), '');
  });

  it('keeps only a few bytes of what is dropped', () => {
    const channel = outputAfterMark(new Readable({ read() {} }), 'a1b2c3');
    const flood = Buffer.alloc(64 * 1024, 'x');
    for (let count = 0; count < 1000; count += 1) assert.equal(channel.push(flood), true);
    assert.equal(channel.readableLength, 0);
  });
});
