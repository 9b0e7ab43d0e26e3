import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnInput } from './own-input.ts';

describe('the input of the user of a shared shell', () => {
  it('is counted without that of others, in whatever pieces it is received', () => {
    const own = new OwnInput();
    // The user types 10 bytes, somebody else 5, the user 2, somebody else 3.
    own.add(15, 5);
    own.add(20, 3);
    assert.deepEqual([own.others, own.accepted(20)], [8, 12]);
    const received = [4, 10, 12, 15, 16, 17, 19, 20, 30].map((offset) => own.received(offset));
    assert.deepEqual(received, [4, 10, 10, 10, 11, 12, 12, 12, 22]);
  });

  it('continues in another process', () => {
    const own = new OwnInput(8);
    assert.deepEqual([own.accepted(20), own.received(20)], [12, 12]);
    own.add(22, 2);
    assert.deepEqual([own.others, own.accepted(22), own.received(21), own.received(22)], [10, 12, 12, 12]);
  });
});
