import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadEmoji } from '../../web/src/markdown/parsing/emoji.ts';
import { parseInSteps, type Step } from '../../web/src/markdown/parsing/parse-in-steps.ts';
import { parseMarkdown } from '../../web/src/markdown/parsing/parse-markdown.ts';
import { elementsOf, textOf } from '../../web/src/markdown/parsing/tree-plugins.ts';

const words = { title: 'Title', footnotes: 'Footnotes', backToText: 'Back' };
const parsed = (text: string, emoji?: Record<string, string>) => parseMarkdown(text, { ...words, emoji });
const elements = (text: string) => [...elementsOf(parsed(text).blocks)];
const formulas = (text: string): string[] =>
  elements(text).flatMap((element) =>
    element.properties['dataFormula'] === undefined && `${element.properties['className']}` !== 'language-math'
      ? []
      : [textOf(element).trim()],
  );

describe('formulas', () => {
  const cases: [text: string, found: string[]][] = [
    ['Let $a_1 * b_2$ be, $x$.', ['a_1 * b_2', 'x']],
    ['- in a list $a$\n\n> in a quote $b$\n\n| in | a table |\n|---|---|\n| $c$ | **$d$** |', ['a', 'b', 'c', 'd']],
    ['$`a\\_b`$ of GitHub, $$c$$ in a line', ['a\\_b', 'c']],
    ['$$\na\n+ b\n$$', ['a\n+ b']],
    ['$$a$$', ['a']],
    ['> $$\n> a\n> $$', ['a']],
    ['```math\na\n```', ['a']],
    ['The price is $5 and $10, $HOME and $PATH, $HOME/$USER, $A$B, \\$a\\$', []],
    ['`$a$` and ``$$a$$``\n\n    $a$\n\n```sh\necho $a$\n$$\n```', []],
    ['$$\na\n\nb', []],
    [`$${'a'.repeat(600)}$`, []],
  ];
  for (const [text, found] of cases)
    it(`of ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(formulas(text), found));
});

it('names of emoji are characters, outside of code and times', async () => {
  const { blocks, headings } = parsed(
    '# :rocket: Start\n\n:+1: at 12:100:30, `:rocket:`, :unknown:, :constructor:',
    await loadEmoji(),
  );
  assert.equal(blocks.map(textOf).join(''), '🚀 Start\n👍 at 12:100:30, :rocket:, :unknown:, :constructor:');
  assert.deepEqual(headings, [{ id: 'lesson-rocket-start', text: '🚀 Start', level: 2 }]);
});

describe('tabs', () => {
  const titles = (text: string) =>
    elements(text)
      .filter(({ properties }) => properties['dataTabs'])
      .map((group) => [...elementsOf(group.children)].flatMap(({ properties }) => properties['dataTab'] ?? []));
  it('of MkDocs Material', () => {
    const text =
      '=== "Debian"\n\n    ```sh\n    apt install a\n    ```\n\n=== "Fedora"\n\n    One\n\nBetween\n\n=== "Third"\n    Two';
    assert.deepEqual(titles(text), [['Debian', 'Fedora'], ['Third']]);
    const code = elements(text).find(({ tagName }) => tagName === 'code');
    assert.equal(code && textOf(code), 'apt install a\n');
  });
  it('of Docusaurus', () => {
    const text =
      'import Tabs from \'@theme/Tabs\';\n\n<Tabs groupId="os">\n  <TabItem value="a" label="Debian" default>\n\n  One\n\n  </TabItem>\n  <TabItem value="b">\n    Two\n  </TabItem>\n</Tabs>\n\nAfter';
    assert.deepEqual(titles(text), [['Debian', 'b']]);
    assert.equal(parsed(text).blocks.map(textOf).join('').replaceAll(/\s+/g, ' ').trim(), 'One Two After');
  });
});

it('a frame of another site is a link to what it shows', () => {
  const links = (text: string) =>
    [...elements(text)].filter(({ tagName }) => tagName === 'a').map((link) => [link.properties['href'], textOf(link)]);
  assert.deepEqual(links('a\n\n<iframe width="9" src="https://video.example.com/1" title="The film"></iframe>\n\nb'), [
    ['https://video.example.com/1', 'The film'],
  ]);
  assert.deepEqual(
    links('<iframe src="https://video.example.com/1"></iframe>').flat(),
    Array(2).fill('https://video.example.com/1'),
  );
  assert.deepEqual(links('<iframe src="javascript:a()"></iframe><iframe srcdoc="x"></iframe>'), []);
});

it('no Markdown brings elements, attributes or addresses that can act', () => {
  const hostile = [
    '$<img src=x onerror=a()>$ $\\href{javascript:a()}{x}$',
    '```mermaid\nclick A "javascript:a()"\n```',
    '=== "<img src=x onerror=a()>"\n    <script>a()</script>',
    '<TabItem value="a" label="<svg onload=a()>">\n<script>a()</script>\n</TabItem>',
    '<div data-tabs><div data-tab="x" onclick="a()" style="position:fixed" class="fixed">x</div></div>',
    '<code data-formula onclick="a()" style="position:fixed">x</code>',
    '!!! note "<img src=x onerror=a()>"\n    <iframe srcdoc="<script>a()</script>"></iframe>',
    '[x](javascript:a()) [y](data:text/html,a) ![z](javascript:a()) <a href="vbscript:a()">v</a>',
    '<a name="content" href="#x" id="root">x</a><form><input formaction="javascript:a()"></form>',
    '[^1]: <img src=x onerror=a()>\n\n[^1]',
    '<math><mtext><style><img src=x onerror=a()></style></mtext></math><svg><script>a()</script></svg>',
  ];
  for (const text of hostile)
    for (const { tagName, properties } of elements(text)) {
      assert.ok(
        !['script', 'style', 'iframe', 'svg', 'math', 'form', 'object'].includes(tagName),
        `${tagName}: ${text}`,
      );
      for (const [name, value] of Object.entries(properties)) {
        assert.doesNotMatch(name, /^(on|style$|srcDoc|srcSet|formAction)/i, text);
        assert.doesNotMatch(`${value}`, /^\s*(javascript|vbscript|data:text)/i, text);
        if (name === 'id') assert.match(`${value}`, /^lesson-/, text);
        if (name === 'className') assert.match(`${value}`, /^(language-[\w+#.-]+|sr-only)$/, text);
      }
    }
});

describe('a long text', () => {
  const section = (number: number): string => `## Part ${number}\n\n${'Words [link]. '.repeat(60)}\n\n`;
  const long = `# Title\n\n${Array.from({ length: 60 }, (_, at) => section(at)).join('')}[link]: https://example.com/ "x"\n[^1]: Note\n\nEnd[^1]\n`;
  const steps = (text: string): Step[] => {
    const all: Step[] = [];
    parseInSteps({ ...words, markdown: text }, (step) => all.push(step));
    return all;
  };
  it('has its beginning first, as it is in the whole', () => {
    const [first, ...rest] = steps(long);
    const whole = rest.at(-1);
    assert.deepEqual(
      [first, ...rest].map((step) => step?.isWhole),
      [false, ...rest.slice(1).map(() => false), true],
    );
    // The whole adds to the beginning, and replaces nothing of it but its last line end.
    const from = rest[0]?.from ?? 0;
    assert.ok(first && whole && from >= first.blocks.length - 1 && from > 20, `${from}`);
    assert.equal(whole.headings.length, 60);
    assert.deepEqual(
      [...first.blocks.slice(0, from), ...rest.flatMap(({ blocks }) => blocks)],
      parsed(long).blocks,
      'the steps together are the text',
    );
  });
  it('is shown at once where it is short', () => {
    const all = steps(long.slice(0, 5000));
    assert.deepEqual(
      all.map(({ isWhole }) => isWhole),
      [true],
    );
  });
});
