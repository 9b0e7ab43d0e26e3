import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { type Options } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { withGitHubAlerts } from './alerts.ts';
import { replaceEmoji, withEmoji } from './emoji.ts';
import { inlineFormulas, withMathBlocks } from './formulas.ts';
import { withoutFrontMatter } from './front-matter.ts';
import { lessonPrefix } from './references.ts';
import { alerts, anchors, frameLinks, type Heading, headings, type Node, tabs } from './tree-plugins.ts';

export type ParseOptions = {
  /** The title of the page. A first heading that repeats it is left out. */
  title: string;
  footnotes: string;
  backToText: string;
  /** What the ids of the text begin with, where it is not the text of a lesson. */
  prefix?: string | undefined;
  /** The characters of emoji by their names, where they are loaded. */
  emoji?: Record<string, string> | undefined;
};
/** The blocks of a text, with the HTML that is allowed in it, and its headings. */
export type Parsed = { blocks: Node[]; headings: Heading[] };

/** Converts the text of a lesson. Its Markdown may contain HTML, of which only the elements in markdown-schema.ts are kept. */
export function parseMarkdown(markdown: string, options: ParseOptions): Parsed {
  const { title, footnotes, backToText, emoji, prefix = lessonPrefix } = options;
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(inlineFormulas)
    .use(remarkRehype, {
      allowDangerousHtml: true,
      clobberPrefix: '',
      footnoteLabel: footnotes,
      footnoteBackLabel: backToText,
    })
    .use(rehypeRaw)
    .use(() => frameLinks as never)
    .use(rehypeSanitize, { ...markdownSchema, clobberPrefix: prefix });
  const text = withMathBlocks(withGitHubAlerts(withoutFrontMatter(markdown)));
  const tree = processor.runSync(processor.parse(text));
  tabs(tree);
  alerts(tree);
  anchors(tree);
  let found = headings(tree, title, prefix);
  const blocks = tree.children.filter((node) => node.type !== 'doctype');
  for (const block of blocks) forgetPlaces(block);
  if (emoji) {
    replaceEmoji(blocks, emoji);
    found = found.map((heading) => ({ ...heading, text: withEmoji(heading.text, emoji) }));
  }
  return { blocks, headings: found };
}

/** The places of the elements in the text are as large as the elements, and nothing uses them. */
function forgetPlaces(node: Node): void {
  delete node.position;
  if (node.type === 'element') for (const child of node.children) forgetPlaces(child);
}

/**
 * The allowed HTML in a lesson. All other elements and attributes are removed: scripts, styles, frames, forms, every `on...`, every other
 * kind of URL. Removed elements leave their text, except those whose text is not for readers.
 */
const markdownSchema: Options = {
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'div', 'section', 'details', 'summary'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['a', 'img', 'code', 'pre', 'kbd', 'samp', 'var', 'strong', 'b', 'em', 'i', 'u', 's', 'del', 'ins', 'mark'],
    ...['sub', 'sup', 'small', 'q', 'cite', 'abbr', 'span', 'figure', 'figcaption', 'input'],
  ],
  attributes: {
    '*': ['id', 'title', 'lang', 'dir'],
    // Footnotes use the last four.
    a: ['href', 'name', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    img: ['src', 'alt', 'width', 'height'],
    // The language of a block, as in its fence.
    code: [['className', /^language-[\w+#.-]{1,40}$/], 'dataFormula'],
    h2: [['className', 'sr-only']],
    section: ['dataFootnotes'],
    // The checkboxes of task lists.
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    ol: ['start', 'reversed'],
    li: ['value'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    td: ['align', 'colSpan', 'rowSpan'],
    details: ['open'],
    abbr: ['title'],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  ancestors: Object.fromEntries(
    ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((tag) => [tag, ['table']]),
  ),
  // An empty list of protocols would allow all.
  protocols: { href: ['http', 'https', 'mailto'], src: ['https', 'data'] },
  // Prevents an `id` in a lesson from colliding with one of the page.
  clobber: ['id', 'name', 'ariaDescribedBy'],
  clobberPrefix: lessonPrefix,
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'math', 'title', 'textarea'],
  allowComments: false,
  allowDoctypes: false,
};
