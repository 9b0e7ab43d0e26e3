import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { itLong } from '../../../test/rounds.ts';
import { codeBlocks, firstHeading, hasPicture, takeDetails, withoutMarks } from './markdown.ts';
import { MarkdownReader, UnreadableMarkdownError } from './markdown-reader.ts';

suite("Killercoda's Markdown", () => {
  const reader = new MarkdownReader();
  after(() => reader[Symbol.asyncDispose]());
  const read = (text: string) => reader.read(text);
  const headingOf = async (text: string) => firstHeading(await read(text));
  const take = async (text: string, isWanted: (summary: string) => boolean) =>
    takeDetails(text, await read(text), isWanted);

  test('marks of code are removed in spans and after blocks, and the code is kept', async () => {
    const marked =
      'Run `ls -l`{{exec}}, `pwd`{{copy}} or `id`{{}}.\n\n```bash\nuname\n```{{exec interrupt}}\n~~~\nid\n~~~{{copy}}';
    const plain = 'Run `ls -l`, `pwd` or `id`.\n\n```bash\nuname\n```\n~~~\nid\n~~~';
    const commands = ['ls -l', 'uname'];
    assert.deepEqual(await withoutMarks(marked, read), { text: plain, remarks: [], commands });
  });

  test('braces that are code themselves are kept', async () => {
    const template = '`{{ .Values.name }}`\n\n```\necho `x`{{exec}}\n{{ .Name }}\n```\n';
    assert.equal((await withoutMarks(template, read)).text, template);
  });

  test('a link to a port becomes an address, and is reported with its line', async () => {
    const { text, remarks } = await withoutMarks('One\n[page]({{TRAFFIC_HOST1_8080}}/a) {{TRAFFIC_HOST2_80}}', read);
    assert.match(
      text,
      /^One\n\[page\]\(http:\/\/localhost:8080\/a\) \{\{TRAFFIC_HOST2_80\}\}\n\n> \[!NOTE\]\n> The ports of this machine cannot/,
    );
    assert.deepEqual(
      remarks.map(({ line, message }) => [line, /is unchanged/.test(message)]),
      [
        [2, false],
        [2, true],
      ],
    );
  });

  test('code blocks are returned without indentation and with their language', async () => {
    const blocks = codeBlocks(
      await read(
        '  ```Bash\n  one\n    two\n  ```\ntext\n- ~~~\n  three\n  ~~~\n\n> ```\n> four\n\n``` sh\nnever closed\n',
      ),
    );
    assert.deepEqual(blocks, [
      { language: 'bash', code: 'one\n  two\n' },
      { language: '', code: 'three\n' },
      { language: '', code: 'four\n' },
      { language: 'sh', code: 'never closed\n' },
    ]);
  });

  test('requested details are removed with their content, others are kept', async () => {
    const text =
      'Do it.\n\n<br>\n<details><summary>Solution</summary>\n<br>\nA<details><summary>Tip</summary>B</details>\n</details>\n\n<details>\n<summary>Info</summary>C</details>\n';
    const { text: rest, details } = await take(text, (summary) => summary === 'Solution');
    assert.equal(rest, 'Do it.\n\n<br>\n\n<details>\n<summary>Info</summary>C</details>\n');
    assert.deepEqual(details, [{ summary: 'Solution', body: 'A<details><summary>Tip</summary>B</details>\n' }]);
    assert.equal((await take('<details>never closed', () => true)).text, '<details>never closed');
  });

  test('details in code or a comment are kept', async () => {
    for (const text of [
      '`<details>`a`</details>`',
      '```\n<details>a</details>\n```\n',
      '<!-- <details>a</details> -->\n',
    ])
      assert.deepEqual(await take(text, () => true), { text, details: [] });
  });

  test('a heading is found outside of code', async () => {
    assert.equal(await headingOf('```\n# no\n```\n## The `first` one ##\n# Two'), 'The first one');
    assert.equal(await headingOf('A *line*\n===\n'), 'A line');
    assert.equal(await headingOf('Nothing'), undefined);
    assert.equal(await headingOf('# ###\n#\tFrom C to C# ##'), 'From C to C#');
    assert.equal(await headingOf('# F#'), 'F#');
  });

  test('pictures are found unless they are on another site', async () => {
    assert.equal(hasPicture(await read('![a](b.png)')), true);
    assert.equal(hasPicture(await read('<img src="b.png">')), true);
    assert.equal(hasPicture(await read('`![a](b.png)` ![a](https://example.com/b.png)')), false);
  });

  test('a text of blanks takes no longer than other texts', async () => {
    const body = `one${'\n    '.repeat(2000)}\ntwo\n <br>  \n\n`;
    const { details } = await take(`<details><summary>Hint</summary>\n <br/>\n${body}</details>`, () => true);
    assert.deepEqual(details, [{ summary: 'Hint', body: 'one\n\ntwo\n' }]);
  });

  itLong('a hostile text of a megabyte is refused in time, and the next text is read', async () => {
    await using limited = new MarkdownReader({ seconds: 2 });
    const size = 1_000_000;
    for (const piece of ['>', '[^1]', '*a_ ', '[']) {
      const start = performance.now();
      await assert.rejects(limited.read(piece.repeat(size / piece.length)), UnreadableMarkdownError);
      assert.ok(performance.now() - start < 20_000, piece);
    }
    assert.equal(firstHeading(await limited.read('# One')), 'One');
  });
});
