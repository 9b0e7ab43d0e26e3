import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PacedResize } from './client-input.ts';
import type { Size } from './protocol.ts';

const sizeOf = (cols: number): Size => ({ cols, rows: 24 });

it('applies the first change immediately, and the last one within each pause', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const applied: number[] = [];
  const resizes = new PacedResize(({ cols }) => applied.push(cols));
  for (const cols of [81, 82, 83]) resizes.request(sizeOf(cols));
  assert.deepEqual(applied, [81]);
  t.mock.timers.tick(50);
  assert.deepEqual(applied, [81, 83]);
  t.mock.timers.tick(500);
  assert.deepEqual(applied, [81, 83]);
});

it('forgets a pending change', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const applied: number[] = [];
  const resizes = new PacedResize(({ cols }) => applied.push(cols));
  resizes.request(sizeOf(81));
  resizes.request(sizeOf(82));
  resizes.forget();
  t.mock.timers.tick(50);
  assert.deepEqual(applied, [81]);
  resizes.request(sizeOf(83));
  assert.deepEqual(applied, [81, 83]);
});
