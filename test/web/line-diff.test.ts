import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineDiff } from '../../web/src/written-lessons/line-diff.ts';

const shown = (before: string, after: string): string =>
  lineDiff(before, after)
    .flatMap(({ kind, lines }) => lines.map((line) => `${{ same: ' ', added: '+', gone: '-' }[kind]}${line}`))
    .join('|');

describe('the differences of two texts', () => {
  it('are the fewest lines', () => {
    assert.equal(shown('a\nb\nc', 'a\nb\nc'), ' a| b| c');
    assert.equal(shown('a\nb\nc', 'a\nx\nc'), ' a|-b|+x| c');
    assert.equal(shown('', 'a'), '-|+a');
    assert.equal(
      shown('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').replaceAll(/[ ]./g, '').split('|').filter(Boolean).length,
      5,
    );
  });

  it('of random texts lead from one to the other', () => {
    let seed = 7;
    const random = (max: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % max;
    };
    const text = (): string => Array.from({ length: random(30) }, () => 'abcd'[random(4)]).join('\n');
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(), text()];
      const parts = lineDiff(before, after);
      const without = (kind: string): string =>
        parts.flatMap((part) => (part.kind === kind ? [] : part.lines)).join('\n');
      assert.deepEqual([without('added'), without('gone')], [before, after]);
    }
  });

  it('of long texts that have nothing in common are shown at once', () => {
    const lines = (word: string): string => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join('\n');
    assert.deepEqual(
      lineDiff(lines('a'), lines('b')).map(({ kind }) => kind),
      ['gone', 'added'],
    );
  });
});
