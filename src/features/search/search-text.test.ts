import assert from 'node:assert/strict';
import { it } from 'node:test';
import { searchText } from './lesson-index.ts';

it('is the text of a Markdown file without its marks, with its code', () => {
  const markdown =
    '\uFEFF---\ntitle: x\n---\n# A **title**\n\nSee ![a](b.png) [the manual](https://example.com/x), <b>bold</b>.\n\n```bash\nls -l | grep a\n```\n\0';
  assert.equal(searchText(markdown, 1000), 'A title See a the manual, bold . ls -l | grep a');
});

it('has no marks of Markdown outside of code', () => {
  const markdown = [
    '> [!NOTE]\n> A *capture* is a _record_, 2 * 3 * 4 and snake_case_name.',
    '- [x] one\n* two\n+ three `a*b*c` and `x | y`',
    '| file | what |\n|---|:-:|\n| `/var/log` | all **logs** |',
    '~~~\n* | kept *as* it | is\n```\n~~~\nafter *it*',
  ].join('\n\n');
  assert.equal(
    searchText(markdown, 1000),
    'A capture is a record, 2 * 3 * 4 and snake_case_name. one two three a*b*c and x | y file, what /var/log, all logs * | kept *as* it | is ``` after it',
  );
});

it('ends at the limit, and keeps front matter that does not end', () => {
  assert.equal(searchText('abcdef', 3), 'abc');
  assert.equal(searchText('---\nabc', 100), '--- abc');
});

it('takes time in proportion to the length of any text', () => {
  const length = 200_000;
  /** Microseconds of the processor. */
  const timeOf = (text: string): number => {
    const before = process.cpuUsage();
    searchText(text, length);
    return process.cpuUsage(before).user;
  };
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
    '|',
    '| ',
    '_a',
    ' *a',
    '- ',
    '~~~\n',
  ]) {
    assert.ok(timeOf(part.repeat(length / part.length)) < 1_000_000, `${part}: too slow`);
  }
  assert.ok(timeOf(`a${' '.repeat(length - 2)}b`) < 1_000_000, 'blanks: too slow');
});
