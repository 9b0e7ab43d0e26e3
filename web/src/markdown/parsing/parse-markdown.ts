import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { withGitHubAlerts } from './alerts.ts';
import { replaceEmoji, withEmoji } from './emoji.ts';
import { inlineFormulas, withMathBlocks } from './formulas.ts';
import { withoutFrontMatter } from './front-matter.ts';
import { markdownSchema } from './markdown-schema.ts';
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
