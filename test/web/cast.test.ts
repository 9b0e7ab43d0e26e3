import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCast } from '../../web/src/teaching/cast.ts';

const header = JSON.stringify({ version: 2, width: 100, height: 30 });

describe('a recording in the player', () => {
  it('has its output and sizes with times, and shortened long pauses', () => {
    const lines = [header, '[1.5, "o", "a"]', '[61.5, "o", "b"]', '[62, "r", "120x40"]', '[62.25, "i", "typed"]', ''];
    assert.deepEqual(parseCast(lines.join('\n'), 3), {
      size: { cols: 100, rows: 30 },
      events: [
        { at: 1.5, output: 'a' },
        { at: 4.5, output: 'b' },
        { at: 5, size: { cols: 120, rows: 40 } },
      ],
      duration: 5.25,
    });
  });

  it('ends before an incomplete line', () => {
    const { events, duration } = parseCast(`${header}\n[1, "o", "a"]\n[2, "o", "b`, 3);
    assert.deepEqual([events, duration], [[{ at: 1, output: 'a' }], 1]);
  });

  it('ignores impossible sizes and decreasing times', () => {
    const lines = [
      '{"width": -1, "height": 1e9}',
      '[5, "r", "100000x2"]',
      '[4, "o", "a"]',
      '[6, "o", "b"]',
      'null',
      '{}',
    ];
    const { size, events } = parseCast(lines.join('\n'), 10);
    assert.deepEqual(size, { cols: 80, rows: 24 });
    assert.deepEqual(events, [
      { at: 5, output: 'a' },
      { at: 6, output: 'b' },
    ]);
  });
});
