import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { referencedFiles, resolveReference } from './references.ts';

const found = (markdown: string) => [...referencedFiles(markdown, 'course/lesson.md')].sort();

it('finds the references of a text', () => {
  const cases: [string, string[]][] = [
    ['![shell](images/shell.png)', ['course/images/shell.png']],
    ['[notes](notes.txt "A title") and ![](./a.gif)', ['course/a.gif', 'course/notes.txt']],
    ['![](<two words.png>)', ['course/two words.png']],
    ['![](two%20words.png#part) ![](x.png?raw=1)', ['course/two words.png', 'course/x.png']],
    ['![](gr%C3%B6%C3%9Fe.png) ![](größe2.png)', ['course/größe.png', 'course/größe2.png']],
    ['![](a(1).png) ![](b\\(2\\).png) ![](c&amp;d.png)', ['course/a(1).png', 'course/b(2).png', 'course/c&d.png']],
    ['![](../shared/logo.svg) ![](/root.png)', ['root.png', 'shared/logo.svg']],
    ['![](../../outside.png) ![](..)', []],
    ['![logo][logo]\n\n[logo]: logo.png "Logo"\n[other]:\n  <o p.pdf>', ['course/logo.png', 'course/o p.pdf']],
    [
      '<img alt="x" src="a.png"> <a href=\'b.pdf\'>b</a> <IMG SRC=c.jpg>',
      ['course/a.png', 'course/b.pdf', 'course/c.jpg'],
    ],
    ['[![thumb](thumb.png)](full.png)', ['course/full.png', 'course/thumb.png']],
    [
      'https://x.example.com/a.png ![](https://x.example.com/a.png) ![](//x/a.png) ![](data:image/png;base64,xx) [top](#top)',
      [],
    ],
    ['a.png and "b.png" and (c.png)', []],
    ['![](100%.png)', ['course/100%.png']],
    ['- item\n  ![](in-list.png)', ['course/in-list.png']],
  ];
  for (const [markdown, expected] of cases) assert.deepEqual(found(markdown), expected, markdown);
});

it('treats code as text', () => {
  assert.deepEqual(found('```\n![](a.png)\n```\n![](b.png)'), ['course/b.png']);
  assert.deepEqual(found('~~~ sh\n![](a.png)\n```\n~~~\n![](b.png)'), ['course/b.png']);
  assert.deepEqual(found('````\n```\n![](a.png)\n````\n![](b.png)'), ['course/b.png']);
  assert.deepEqual(found('- ```sh\n  ![](a.png)\n  ```\n- ![](b.png)'), ['course/b.png']);
  assert.deepEqual(found('```\n![](a.png)'), []);
  assert.deepEqual(found('`![](a.png)` ``![](b.png)` `` ![](c.png)'), ['course/c.png']);
  assert.deepEqual(found('a lone ` here\n\n![](a.png) and ` there'), ['course/a.png']);
  assert.deepEqual(found('```inline``` ![](a.png)\n![](b.png)'), ['course/a.png', 'course/b.png']);
});

it('takes time in proportion to the text', () => {
  const size = 1_000_000;
  for (const piece of [
    '](',
    '![',
    '<img ',
    '`',
    '` ',
    '``` ',
    '[a]:',
    '>',
    '](<',
    '\\',
    '\n\n',
    ' src',
    '[',
    '](   ',
    '1.',
    '> ',
    '> [a]:\n',
    '[a]:\n>',
    '<a href="',
  ]) {
    const start = process.cpuUsage();
    found(piece.repeat(size / piece.length));
    assert.ok(process.cpuUsage(start).user < 5_000_000, JSON.stringify(piece));
  }
  for (const head of ['[a]:', '[a]:\n', '](', '<a href=', '```']) {
    const start = process.cpuUsage();
    found(head + ' '.repeat(size));
    assert.ok(process.cpuUsage(start).user < 5_000_000, JSON.stringify(head));
  }
});

it('resolves references only inside the repository', () => {
  assert.equal(resolveReference('a/b.md', 'c.png'), 'a/c.png');
  assert.equal(resolveReference('b.md', 'c.png'), 'c.png');
  assert.equal(resolveReference('a/b.md', '../c.png'), 'c.png');
  assert.equal(resolveReference('a/b.md', '/c.png'), 'c.png');
  assert.equal(resolveReference('a/b.md', '..c.png'), 'a/..c.png');
  for (const path of ['../../c.png', '..', '/', '/..', '.', 'c/'])
    assert.equal(resolveReference('a/b.md', path), path === '.' ? 'a' : undefined);
});

it('finds the same references as the parser of the pages', async () => {
  const folder = join(import.meta.dirname, '../../../content/lessons');
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.md'));
  const lessons = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  const written = [
    '> ```\n> ![](a.png)\n> ```\n> ![](b.png)',
    '1. one\n\n   ~~~\n   [a](b.txt)\n   ~~~\n\n2. [two](c.txt)',
    '| a | b |\n|---|---|\n| `[x](d.txt)` | [y](e.txt) |',
    'a\n\n> - [l]: f.png\n>   ![l]',
    '<!-- -->\n[a](g.txt "t") ![b][c]\n\n[c]: <h i.png>',
  ];
  for (const markdown of [...lessons, ...written]) {
    const asAddresses = addressesIn(markdown).map((address) => `![](<${address}>)`);
    assert.deepEqual(found(markdown), found(asAddresses.join('\n')), markdown.slice(0, 80));
  }
});

type Node = { type: string; url?: string; children?: readonly Node[] };

/** The addresses of links, pictures and definitions, from another Markdown parser. It is too slow for the service: decision 30. */
function addressesIn(markdown: string): string[] {
  const below = ({ url, children = [] }: Node): string[] => [
    ...(url === undefined ? [] : [url]),
    ...children.flatMap(below),
  ];
  return below(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node);
}
