import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LastBytes } from './last-bytes.ts';

function keep(limit: number, ...chunks: (string | Buffer)[]): LastBytes {
  const bytes = new LastBytes(limit);
  for (const chunk of chunks) bytes.push(Buffer.from(chunk as string));
  return bytes;
}
const seen = (bytes: LastBytes) => [bytes.text(), bytes.isTruncated];

describe('the last bytes of a stream', () => {
  it('are the whole of a short stream', () => {
    assert.deepEqual(seen(keep(10)), ['', false]);
    assert.deepEqual(seen(keep(10, 'abc', '', 'def')), ['abcdef', false]);
    assert.deepEqual(seen(keep(6, 'abc', 'def')), ['abcdef', false]);
  });

  it('are the end of a long stream, for any sizes of pieces', () => {
    const text = Array.from({ length: 100 }, (_, index) => `${index},`).join('');
    for (const size of [1, 2, 3, 7, 19, 20, 21, 50, 1000]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      assert.deepEqual(seen(keep(20, ...chunks)), [text.slice(-20), true], `chunks of ${size}`);
    }
  });

  it('report truncation from the first excess byte, including at multiples of the limit', () => {
    assert.deepEqual(seen(keep(4, 'abcde')), ['bcde', true]);
    assert.deepEqual(seen(keep(4, 'abcd', 'efgh')), ['efgh', true]);
    assert.deepEqual(seen(keep(4, 'abcd', 'efgh', 'ijkl', 'mnop')), ['mnop', true]);
  });

  it('begin with a whole character', () => {
    assert.deepEqual(seen(keep(4, 'ab€cd')), ['cd', true]);
    assert.deepEqual(seen(keep(5, 'ab€cd')), ['€cd', true]);
    assert.deepEqual(seen(keep(4, 'x', Buffer.from('😀').subarray(0, 2), Buffer.from('😀').subarray(2))), ['😀', true]);
  });

  it('keep an invalid byte at the beginning if nothing was truncated', () => {
    assert.deepEqual(seen(keep(10, Buffer.from([0x80, 0x61]))), ['\uFFFDa', false]);
  });

  it('contain no NUL, which the database cannot store', () => {
    assert.equal(keep(10, 'a\0b').text(), 'a\uFFFDb');
  });

  it('use at most twice the limit for a stream of any length', () => {
    const bytes = new LastBytes(1024);
    const chunk = Buffer.alloc(512, 'x');
    for (let index = 0; index < 20_000; index += 1) bytes.push(chunk);
    assert.equal(bytes.text().length, 1024);
    assert.equal(bytes.isTruncated, true);
  });
});
