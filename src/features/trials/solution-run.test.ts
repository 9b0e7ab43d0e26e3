import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainText } from './solution-run.ts';

describe('the plain text of a terminal', () => {
  for (const [name, output, text] of [
    ['colours and titles', '\u001b]0;student\u0007\u001b[1;31mred\u001b[0m\r\n', 'red\n'],
    ['a progress bar', '10 %\r50 %\r100 %\r\ndone', '100 %\ndone'],
    ['a correction', 'abx\b \bc', 'abc'],
    ['a tabulator and a bell', 'a\tb\u0007', 'a\tb'],
    ['words of other languages', 'г\u001b[Kотово é 😀', 'готово é 😀'],
  ] as const) {
    it(`shows ${name}`, () => assert.equal(plainText(output), text));
  }
});
