import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCast, recordedAt, shownAt } from '../../web/src/teaching/cast.ts';

const header = JSON.stringify({ version: 2, width: 100, height: 30 });

describe('a recording in the player', () => {
  it('has its output and sizes with times, and shortened long pauses', () => {
    const lines = [
      header,
      '[1.5, "o", "a"]',
      '[61.5, "o", "b"]',
      '[62, "r", "120x40"]',
      '[62.25, "i", "typed"]',
      '[62.5, "m", "Ada types"]',
      '',
    ];
    assert.deepEqual(parseCast(lines.join('\n'), 3), {
      size: { cols: 100, rows: 30 },
      events: [
        { at: 1.5, output: 'a' },
        { at: 4.5, output: 'b' },
        { at: 5, size: { cols: 120, rows: 40 } },
      ],
      marks: [{ at: 5.5, text: 'Ada types' }],
      duration: 5.5,
      beats: [
        { recorded: 0, shown: 0 },
        { recorded: 1.5, shown: 1.5 },
        { recorded: 61.5, shown: 4.5 },
        { recorded: 62, shown: 5 },
        { recorded: 62.25, shown: 5.25 },
        { recorded: 62.5, shown: 5.5 },
      ],
    });
  });

  it('shows each moment of the recording at one position, with pauses cut off', () => {
    const cast = parseCast(`${header}\n[1.5, "o", "a"]\n[61.5, "o", "b"]\n[62, "o", "c"]`, 3);
    for (const [recorded, shown] of [
      [0, 0],
      [1, 1],
      [1.5, 1.5],
      [3, 3],
      [61.5, 4.5],
      [61.75, 4.75],
      [62, 5],
    ] as const)
      assert.deepEqual([shownAt(cast, recorded), recordedAt(cast, shown)], [shown, recorded]);
    assert.equal(shownAt(cast, 40), 4.5, 'in the part of a pause that is cut off: where it ends');
    assert.equal(shownAt(cast, 1000), 5, 'beyond the end');
    assert.deepEqual([shownAt(parseCast('', 3), 7), recordedAt(parseCast('', 3), 0)], [0, 0]);
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
