import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandLines } from './command-lines.ts';
import { likeness, MinHash } from './min-hash.ts';

describe('lines of input', () => {
  const linesOf = (...pieces: string[]): string[] => {
    const lines: string[] = [];
    const reader = new CommandLines((line) => lines.push(line));
    for (const piece of pieces) reader.add(piece);
    return lines;
  };

  it('follow what is edited in them', () => {
    assert.deepEqual(linesOf('lss\u007f -l', 'a\r', 'rm x\u0003', 'pwd\r'), ['ls -la', 'pwd']);
    assert.deepEqual(linesOf('cat\u0015echo  "a b" \'c\'\n'), ['echo a b c']);
  });

  it('leave out keys that are no characters, also in two pieces', () => {
    assert.deepEqual(linesOf('ls\u001b[A\u001b', '[1;5Da\u001bOHb\r', '\r'), ['lsab']);
  });

  it('are cut at 500 characters, whatever comes without an end', () => {
    const [line = ''] = linesOf('a'.repeat(100_000), '\r');
    assert.equal(line.length, 500);
  });
});

describe('the likeness of commands', () => {
  const signatureOf = (texts: readonly string[]): number[] => {
    const hash = new MinHash();
    for (const text of texts) hash.add(text);
    return [...hash.signature];
  };
  const texts = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `command ${from + index}`);

  it('is 1 for the same set in any order, and near 0 for different ones', () => {
    assert.equal(likeness(signatureOf(texts(0, 50)), signatureOf(texts(0, 50).reverse())), 1);
    assert.ok(likeness(signatureOf(texts(0, 50)), signatureOf(texts(50, 100))) < 0.1);
  });

  it('estimates what both have in common', () => {
    // A third: 50 of 150.
    const found = likeness(signatureOf(texts(0, 100)), signatureOf(texts(50, 150)));
    assert.ok(Math.abs(found - 1 / 3) < 0.2, `${found}`);
  });

  it('of two terminals together is the least of both', () => {
    const [one, other] = [signatureOf(texts(0, 30)), signatureOf(texts(30, 60))];
    assert.deepEqual(
      one.map((value, index) => Math.min(value, other[index] ?? 0)),
      signatureOf(texts(0, 60)),
    );
  });
});
