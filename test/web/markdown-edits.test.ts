import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  block,
  callout,
  code,
  type Edit,
  heading,
  lessonLink,
  type Selected,
  wrap,
} from '../../web/src/written-lessons/markdown-edits.ts';

/** A text with its selection between two bars; one bar is the cursor. */
function selected(marked: string): Selected {
  const [before = '', ...rest] = marked.split('|');
  const inner = rest.length > 1 ? (rest[0] ?? '') : '';
  return { value: before + rest.join(''), selectionStart: before.length, selectionEnd: before.length + inner.length };
}

/** The text after an edit, marked in the same way. */
function edited(marked: string, edit: (area: Selected) => Edit): string {
  const area = selected(marked);
  const { from, to, text, select } = edit(area);
  const value = area.value.slice(0, from) + text + area.value.slice(to);
  const [start, end] = [from + select[0], from + select[1]];
  const bar = start === end ? '' : '|';
  return `${value.slice(0, start)}|${value.slice(start, end)}${bar}${value.slice(end)}`;
}

describe('the edits of the toolbar of a lesson', () => {
  it('make lines headings, change their level, and take it back', () => {
    assert.equal(
      edited('a\nFi|les\nb', (area) => heading(area, 2)),
      'a\n## Files|\nb',
    );
    assert.equal(
      edited('## Fi|les', (area) => heading(area, 3)),
      '### Files|',
    );
    assert.equal(
      edited('### |Files|', (area) => heading(area, 3)),
      'Files|',
    );
    assert.equal(
      edited('|', (area) => heading(area, 2)),
      '## |',
    );
    assert.equal(
      edited('|one\n\ntwo\n|three', (area) => heading(area, 2)),
      '## one\n\n## two|\nthree',
    );
  });

  it('put marks around the selection, and take them away', () => {
    assert.equal(
      edited('a |word| b', (area) => wrap(area, '**')),
      'a **|word|** b',
    );
    assert.equal(
      edited('a **|word|** b', (area) => wrap(area, '**')),
      'a |word| b',
    );
    assert.equal(
      edited('|', (area) => wrap(area, '**')),
      '**|**',
    );
    assert.equal(edited('run |ls| now', code), 'run `|ls|` now');
    assert.equal(edited('|ls\ncd|', code), '```\n|ls\ncd|\n```');
  });

  it('make blocks with empty lines around them, and a fence longer than those within', () => {
    const runs = (area: Selected) => block(area, 'bash');
    assert.equal(edited('text\n|ls -l|\nmore', runs), 'text\n\n```bash\n|ls -l|\n```\n\nmore');
    assert.equal(edited('|', runs), '```bash\n|\n```');
    assert.equal(edited('|```\nx\n```|', runs), '````bash\n|```\nx\n```|\n````');
    assert.equal(
      edited('a\n\n|one\ntwo|\n\nb', (area) => callout(area, 'warning')),
      'a\n\n> [!WARNING]\n> one\n> two|\n\nb',
    );
  });

  it('link to a lesson by its title, or with the selected words', () => {
    assert.equal(
      edited('see |', (area) => lessonLink(area, 'Files', 'linux/01 files.md')),
      'see [Files](/linux/01%20files.md)|',
    );
    assert.equal(
      edited('see |this|', (area) => lessonLink(area, 'Files', 'a(1).md')),
      'see [this](/a%281%29.md)|',
    );
    assert.equal(
      edited('|', (area) => lessonLink(area, 'Files [1]', 'a.md')),
      '[Files \\[1\\]](/a.md)|',
    );
  });
});
