import assert from 'node:assert/strict';
import { it } from 'node:test';
import { searchText } from './search-text.ts';

it('is the text of a Markdown file without its marks, with its code', () => {
  const markdown =
    '\uFEFF---\ntitle: x\n---\n# A **title**\n\nSee ![a](b.png) [the manual](https://example.com/x), <b>bold</b>.\n\n```bash\nls -l | grep a\n```\n\0';
  assert.equal(searchText(markdown, 1000), 'A title See a the manual, bold . ls -l | grep a');
});

it('ends at the limit, and keeps front matter that does not end', () => {
  assert.equal(searchText('abcdef', 3), 'abc');
  assert.equal(searchText('---\nabc', 100), '--- abc');
});

it('takes time in proportion to the length of any text', () => {
  const length = 200_000;
  for (const part of [
    '[',
    '[a](',
    '[a]',
    '<a',
    '<a ',
    '`',
    '```',
    '*',
    '#',
    '---\n',
    '\n',
    ' ',
    '](',
    '<!--',
    '> > ',
  ]) {
    const before = process.cpuUsage();
    searchText(part.repeat(length / part.length), length);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_000_000, `${part}: ${user} µs`);
  }
});
