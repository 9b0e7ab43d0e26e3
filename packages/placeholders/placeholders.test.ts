import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canStand, fillMarkdown, fillText, namesIn } from './placeholders.ts';

const values = { port: '20311', file: 'a_b*.txt', odd: '](x) <b>\n\n# no', user: 'anna' };

describe('placeholders', () => {
  it('are found, with blanks or without, and two braces can stand for themselves', () => {
    assert.deepEqual(namesIn('{{port}} {{ user }} \\{{none}} {{a b}} {{\n}} {{{file}}}'), [
      'port',
      'user',
      'a b',
      'file',
    ]);
    assert.equal(fillText('{{port}} {{ user }} \\{{port}} {{none}}', values), '20311 anna {{port}} {{none}}');
    assert.equal(fillText('{{constructor}} {{odd}}', values), '{{constructor}} ](x) <b> # no');
  });

  it('are escaped in the text of Markdown', () => {
    assert.equal(fillMarkdown('Use **{{file}}** on {{port}}', values), 'Use **a\\_b\\*\\.txt** on 20311');
    assert.equal(fillMarkdown('[x](/{{odd}})\n', values), '[x](/\\]\\(x\\) \\<b\\> \\# no)\n');
  });

  it('are as they are in code', () => {
    for (const [text, expected] of [
      ['`ls {{file}}` and {{file}}', '`ls a_b*.txt` and a\\_b\\*\\.txt'],
      ['``a ` {{file}}`` {{file}}', '``a ` a_b*.txt`` a\\_b\\*\\.txt'],
      ['\\`{{file}}\\`', '\\`a\\_b\\*\\.txt\\`'],
      ['`{{file}}\n\n{{file}}`', '`a\\_b\\*\\.txt\n\na\\_b\\*\\.txt`'],
      ['```bash\nls {{file}}\n```\n{{file}}', '```bash\nls a_b*.txt\n```\na\\_b\\*\\.txt'],
      ['- x\n  ~~~~\n  {{odd}}\n  ~~~\n  {{file}}', '- x\n  ~~~~\n  ](x) <b> # no\n  ~~~\n  a_b*.txt'],
      ['1. ```\n   {{file}}\n   ```\n{{file}}', '1. ```\n   a_b*.txt\n   ```\na\\_b\\*\\.txt'],
      ['```{{file}}``` `{{file}}`', '```a_b*.txt``` `a_b*.txt`'],
    ] as const)
      assert.equal(fillMarkdown(text, values), expected);
    const blanks = { two: 'a  b', padded: ' a  b ', blank: ' ', lines: 'a\r\n\tb' };
    for (const [text, expected] of [
      ['`{{two}}` {{two}}', '`a  b` a b'],
      ['`{{padded}}` ` {{padded}} ` `x {{padded}}`', '`  a  b  ` `  a  b  ` `x  a  b `'],
      ['`{{blank}}` and ``{{blank}}``', '` ` and `` ``'],
      ['~~~\n{{padded}}|{{lines}}\n~~~', '~~~\n a  b |a \tb\n~~~'],
    ] as const)
      assert.equal(fillMarkdown(text, blanks), expected);
    assert.deepEqual(['a`', '~~~', '\n ~~~~x', '~/x'].map(canStand), [false, false, false, true]);
  });

  it('take time in proportion to the text', () => {
    const start = performance.now();
    for (const piece of ['{{', '`', '{{port}}', '`` ', '\\', '\n> ', '` `` ``` '])
      fillMarkdown(piece.repeat(100_000 / piece.length), values);
    fillMarkdown(Array.from({ length: 400 }, (_, index) => `${'`'.repeat(index + 1)} `).join(''), values);
    assert.ok(performance.now() - start < 2000, String(performance.now() - start));
  });
});
