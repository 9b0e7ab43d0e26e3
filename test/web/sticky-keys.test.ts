import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrowSequence, misreportedKey, noModifiers, withModifiers } from '../../web/src/terminal/sticky-keys.ts';

const control = { isControl: true, isAlt: false };
const alt = { isControl: false, isAlt: true };

describe('the keys for phones', () => {
  it('apply Ctrl and Alt to one character', () => {
    assert.deepEqual(
      ['c', 'C', '[', ' ', '?', '1', 'я', 'word'].map((data) => withModifiers(data, control)),
      ['\x03', '\x03', '\x1b', '\0', '\x7f', '1', 'я', 'word'],
    );
    assert.equal(withModifiers('b', alt), '\x1bb');
    assert.equal(withModifiers('c', { isControl: true, isAlt: true }), '\x1b\x03');
    assert.equal(withModifiers('c', noModifiers), 'c');
  });

  it('are mended where Safari reports Ctrl with a letter of an iPad as Enter', () => {
    const event = { type: 'keydown', keyCode: 13, ctrlKey: true, altKey: false, metaKey: false };
    assert.deepEqual(
      ['c', 'd', 'z', '['].map((key) => misreportedKey({ ...event, key })),
      ['\x03', '\x04', '\x1a', '\x1b'],
    );
    for (const other of [
      { key: 'Enter' },
      { key: 'c', keyCode: 67 },
      { key: 'c', ctrlKey: false },
      { key: 'c', type: 'keyup' },
      { key: 'c', metaKey: true },
    ])
      assert.equal(misreportedKey({ ...event, ...other }), undefined);
  });

  it('send arrows in the form that the program has asked for', () => {
    assert.equal(arrowSequence('ArrowUp', noModifiers, false), '\x1b[A');
    assert.equal(arrowSequence('ArrowUp', noModifiers, true), '\x1bOA');
    assert.equal(arrowSequence('ArrowLeft', control, true), '\x1b[1;5D');
    assert.equal(arrowSequence('ArrowRight', alt, false), '\x1b[1;3C');
  });
});
