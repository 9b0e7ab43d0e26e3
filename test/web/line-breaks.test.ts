import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepLineBreaks } from '../../web/src/attempts/line-breaks.ts';

it('intended line breaks are kept; wrapped lines, code and empty lines are unchanged', () => {
  const wrapped = 'A line that an editor has wrapped, as it came to the width that its author likes best';
  const text = ['Copy the file', '- `a` to `b`', '', wrapped, wrapped, '```', 'ls', '```', 'Done'].join('\n');
  const kept = ['Copy the file  ', '- `a` to `b`  ', '', wrapped, wrapped, '```', 'ls', '```', 'Done  '].join('\n');
  assert.equal(keepLineBreaks(text), kept);
});
