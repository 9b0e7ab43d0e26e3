import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withGitHubAlerts } from '../../web/src/markdown/parsing/alerts.ts';
import { withoutFrontMatter } from '../../web/src/markdown/parsing/front-matter.ts';

describe('admonitions', () => {
  const lines = (...all: string[]): string => all.join('\n');
  const cases: [name: string, written: string, converted: string][] = [
    [
      'of MkDocs, with the text below',
      lines('Before', '!!! note', '    One', '', '    Two', 'After'),
      lines('Before', '', '> [!NOTE]', '>', '> One', '>', '> Two', '', 'After'),
    ],
    ['of MkDocs, with a title', lines('!!! danger "Take care"', '\tOne'), lines('', '> [!CAUTION] Take care', '>', '> One', '')],
    [
      'of MkDocs, in a list',
      lines('- item', '', '    !!! tip inline end', '        One'),
      lines('- item', '', '', '    > [!TIP]', '    >', '    > One', ''),
    ],
    [
      'of MkDocs, folded',
      lines('??? question "What is <b>?"', '    One'),
      lines('', '<details><summary>What is &lt;b>?</summary>', '', 'One', '', '</details>', ''),
    ],
    [
      'of MkDocs, with code that looks like one',
      lines('!!! note', '    ```', '    !!! note', '        text', '    ```'),
      lines('', '> [!NOTE]', '>', '> ```', '> !!! note', '>     text', '> ```', ''),
    ],
    [':::note', lines(':::note', 'One', ':::'), lines('', '> [!NOTE]', '>', '> One', '')],
    [':::, with a title in brackets', lines(':::tip[A *title*]', 'One', ':::'), lines('', '> [!TIP] A *title*', '>', '> One', '')],
    [':::, with a title', lines('::: warning Take care', 'One', ':::'), lines('', '> [!WARNING] Take care', '>', '> One', '')],
    [
      ':::, one in the other',
      lines('::::info', ':::tip', 'One', ':::', '::::'),
      lines('', '> [!NOTE]', '>', '>', '> > [!TIP]', '> >', '> > One', '>', ''),
    ],
    [
      ':::details',
      lines(':::details Solution', 'One', ':::'),
      lines('', '<details><summary>Solution</summary>', '', 'One', '', '</details>', ''),
    ],
    [
      'of The Carpentries, with a folded solution and colons of any number',
      lines(':::::::::: challenge', '', '## Who may `read`?', '', 'One', '', '::::: solution', 'Two', '::::::', '::::::::::'),
      lines('', '> [!IMPORTANT] Who may `read`?', '>', '>', '> One', '>', '>', '> <details><summary>Solution</summary>', '>', '> Two', '>', '> </details>', '>', ''),
    ],
    [
      'of The Carpentries, decorated',
      lines(':::::: objectives ::::::', '- One', '::::::::::::::'),
      lines('', '> [!NOTE] Objectives', '>', '> - One', ''),
    ],
    [
      'of The Carpentries, a solution with a title in code',
      lines('::: solution', '### `ls` & more {#ls}', 'One', ':::'),
      lines('', '<details><summary><code>ls</code> &amp; more</summary>', '', 'One', '', '</details>', ''),
    ],
    [
      'of The Carpentries, that closes with the colons of the outer one',
      lines(':::::: discussion', ':::: hint', 'One', '::::::', '::::::', 'After'),
      lines('', '> [!NOTE] Discussion', '>', '>', '> <details><summary>Hint</summary>', '>', '> One', '>', '> </details>', '>', '', 'After'),
    ],
    [
      'of Sphinx with colons',
      lines('::::{admonition} Try it', ':class: warning', 'One', ':::{dropdown} Two', 'Three', ':::', '::::'),
      lines('', '> [!WARNING] Try it', '>', '> One', '>', '> <details><summary>Two</summary>', '>', '> Three', '>', '> </details>', '>', ''),
    ],
    [
      'of Sphinx with the fence of code',
      lines('````{tip}', '```sh', 'ls', '```', '````', '```{note}', ':class: dropdown', 'One', '```'),
      lines('', '> [!TIP]', '>', '> ```sh', '> ls', '> ```', '', '', '<details><summary>Note</summary>', '', 'One', '', '</details>', ''),
    ],
    [
      'of Quarto',
      lines('::: {.callout-tip #one}', '## Two', 'Three', ':::'),
      lines('', '> [!TIP] Two', '>', '> Three', ''),
    ],
    [
      ':::, within one of an unknown type',
      lines(':::: {.columns}', '::: note', 'One', ':::', '::::'),
      lines(':::: {.columns}', '', '> [!NOTE]', '>', '> One', '', '::::'),
    ],
    [
      ':::, beside an include',
      lines('::: note', ':::include file.md:::', ':::'),
      lines('', '> [!NOTE]', '>', '> :::include file.md:::', ''),
    ],
  ]; // biome-ignore format: a table
  for (const [name, written, converted] of cases)
    it(`${name}, are quotes of GitHub`, () => assert.equal(withGitHubAlerts(written), converted));

  const unchanged: [name: string, text: string][] = [
    ['code', '```\n!!! note\n    One\n:::note\n:::\n```'],
    ['code with longer fences', '~~~~\n~~~\n!!! note\n    One\n~~~~'],
    ['an unknown type', '!!! unknown\n    One\n\n:::unknown\nOne\n:::'],
    ['one that does not end', ':::note\nOne'],
    ['a fence of Sphinx that does not end', '```{note}\nOne'],
    ['code in a language in braces', '```{r}\n1 + 1\n```'],
    ['an example of a fence of Sphinx', '````\n```{note}\nOne\n```\n````'],
    ['exclamation', 'Stop!!! note this'],
  ];
  for (const [name, text] of unchanged) it(`leave ${name} unchanged`, () => assert.equal(withGitHubAlerts(text), text));

  it('are converted up to a depth, in time that grows with the text alone', () => {
    const deep = Array.from({ length: 2000 }, (_, depth) => `${'    '.repeat(depth)}!!! note`).join('\n');
    assert.match(withGitHubAlerts(deep), /^\n> \[!NOTE\]/);
    const many = ':::note\n'.repeat(20_000);
    assert.equal(withGitHubAlerts(many), many);
    const spaces = `::: note ${' '.repeat(20_000)}x\n`.repeat(100);
    assert.equal(withGitHubAlerts(spaces), spaces);
  });
});

describe('front matter', () => {
  const cases: [name: string, text: string, shown: string][] = [
    ['is left out', '---\ntitle: One\ntags:\n  - a\n- b\n# comment\n---\n# One\n', '# One\n'],
    ['of Windows is left out', '\uFEFF---\r\ntitle: One\r\n---\r\nText', 'Text'],
    ['that ends with dots is left out', '---\n"title": One\n...\nText', 'Text'],
    ['is not a rule between paragraphs', '---\n\nText: with a colon\nand more\n\n---\nText', '---\n\nText: with a colon\nand more\n\n---\nText'],
    ['is not empty', '---\n---\nText', '---\n---\nText'],
    ['has an end', '---\ntitle: One\n', '---\ntitle: One\n'],
    ['is at the beginning', 'Text\n\n---\ntitle: One\n---\n', 'Text\n\n---\ntitle: One\n---\n'],
  ]; // biome-ignore format: a table
  for (const [name, text, shown] of cases) it(name, () => assert.equal(withoutFrontMatter(text), shown));
});
