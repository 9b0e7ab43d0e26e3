import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanPaste, mustAsk } from '../../web/src/terminal/pastes.ts';

describe('a paste', () => {
  it('cannot end the bracketed paste, and keeps its text', () => {
    assert.equal(cleanPaste('a\tb\r\nc ü\n\x1b[201~rm -rf ~\n\x9b201~\0'), 'a\tb\r\nc ü\n[201~rm -rf ~\n201~');
  });

  it('of several lines is asked about where the shell would run them, or always, or never', () => {
    const asked = (text: string) =>
      (['auto', 'always', 'never'] as const).map((choice) => [true, false].map((is) => mustAsk(text, choice, is)));
    assert.deepEqual(asked('one line'), Array(3).fill([false, false]));
    assert.deepEqual(asked('two\nlines'), [
      [false, true],
      [true, true],
      [false, false],
    ]);
    assert.deepEqual(asked('one\r'), [
      [false, true],
      [true, true],
      [false, false],
    ]);
  });
});
