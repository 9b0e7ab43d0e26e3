import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { codeBlocks, firstHeading, plainText, takeDetails, withoutMarks } from './markdown.ts';

suite("Killercoda's Markdown", () => {
  test('marks of code go, in spans and at the ends of blocks, and the code stays', () => {
    const marked =
      'Run `ls -l`{{exec}}, `pwd`{{copy}} or `id`{{}}.\n\n```bash\nuname\n```{{exec interrupt}}\n~~~\nid\n~~~{{copy}}';
    const plain = 'Run `ls -l`, `pwd` or `id`.\n\n```bash\nuname\n```\n~~~\nid\n~~~';
    assert.deepEqual(withoutMarks(marked), { text: plain, remarks: [] });
  });

  test('braces that are code of its own stay', () => {
    const template = '`{{ .Values.name }}`\n\n```\necho `x`{{exec}}\n{{ .Name }}\n```\n';
    assert.equal(withoutMarks(template).text, template);
  });

  test('a link to a port becomes an address, and is said with its line', () => {
    const { text, remarks } = withoutMarks('One\n[page]({{TRAFFIC_HOST1_8080}}/a) {{TRAFFIC_HOST2_80}}');
    assert.equal(text, 'One\n[page](http://localhost:8080/a) {{TRAFFIC_HOST2_80}}');
    assert.deepEqual(
      remarks.map(({ line, message }) => [line, /is left/.test(message)]),
      [
        [2, false],
        [2, true],
      ],
    );
  });

  test('code blocks come without indentation and with their language', () => {
    const blocks = codeBlocks('  ```Bash\n  one\n    two\n  ```{{exec}}\ntext\n~~~\nthree\n~~~\n```\nnever closed\n');
    assert.deepEqual(blocks, [
      { language: 'bash', code: 'one\n  two\n' },
      { language: '', code: 'three\n' },
    ]);
  });

  test('wanted details are taken out with all that is in them, others stay', () => {
    const text =
      'Do it.\n\n<br>\n<details><summary>Solution</summary>\n<br>\nA<details><summary>Tip</summary>B</details>\n</details>\n\n<details>\n<summary>Info</summary>C</details>\n';
    const { text: rest, details } = takeDetails(text, (summary) => summary === 'Solution');
    assert.equal(rest, 'Do it.\n\n<br>\n\n<details>\n<summary>Info</summary>C</details>\n');
    assert.deepEqual(details, [{ summary: 'Solution', body: 'A<details><summary>Tip</summary>B</details>\n' }]);
    assert.equal(takeDetails('<details>never closed', () => true).text, '<details>never closed');
  });

  test('a heading is found outside of code, a text loses what Windows put into it', () => {
    assert.equal(firstHeading('```\n# no\n```\n## The `first` one ##\n# Two'), 'The first one');
    assert.equal(firstHeading('Nothing'), undefined);
    assert.equal(firstHeading('# ###\n#\tFrom C to C# ##'), 'From C to C#');
    assert.equal(firstHeading('# F#'), 'F#');
    assert.equal(plainText('\uFEFFa\r\nb\r\n'), 'a\nb\n');
  });

  test('a text of blanks takes no longer than another one', () => {
    const size = 200_000;
    const start = performance.now();
    const body = `one${'\n    '.repeat(size / 5)}\ntwo\n <br>  \n\n`;
    const { details } = takeDetails(`<details><summary>Hint</summary>\n <br/>\n${body}</details>`, () => true);
    assert.deepEqual(details, [{ summary: 'Hint', body: 'one\n\ntwo\n' }]);
    assert.equal(firstHeading(`# ${' '.repeat(size)}\u2028${' '.repeat(size)}#x`), '#x');
    assert.ok(performance.now() - start < 5000);
  });
});
