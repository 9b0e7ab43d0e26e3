import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepLineBreaks } from '../../web/src/markdown/parsing/line-breaks.ts';
import { parseMarkdown } from '../../web/src/markdown/parsing/parse-markdown.ts';

it('intended line breaks are kept; wrapped lines, code and empty lines are unchanged', () => {
  const wrapped = 'A line that an editor has wrapped, as it came to the width that its author likes best';
  const text = ['Copy the file', '- `a` to `b`', '', wrapped, wrapped, '```', 'ls', '```', 'Done'].join('\n');
  const kept = ['Copy the file  ', '- `a` to `b`  ', '', wrapped, wrapped, '```', 'ls', '```', 'Done  '].join('\n');
  assert.equal(keepLineBreaks(text), kept);
});

it('admonitions open as in lessons', () => {
  const text = ['> [!WARNING]', '> One', '> Two', '', '- item', '', '  > [!TIP] Try this', '  > it'].join('\n');
  const kept = ['> [!WARNING]', '> One  ', '> Two  ', '', '- item  ', '', '  > [!TIP] Try this', '  > it  '].join('\n');
  assert.equal(keepLineBreaks(text), kept);
  for (const written of [text, '!!! note\n    One\n    Two', ':::tip\nOne\n:::', '??? info "Title"\n    One']) {
    const { blocks } = parseMarkdown(keepLineBreaks(written), {
      title: '',
      footnotes: 'Footnotes',
      backToText: 'Back',
    });
    assert.match(JSON.stringify(blocks), /"dataAlert"|"tagName":"details"/, written);
  }
});
