import { codeLinesOf } from './code-lines.ts';
import { type Parsed, type ParseOptions, parseMarkdown } from './parse-markdown.ts';
import type { Node } from './tree-plugins.ts';

export type TextToParse = ParseOptions & { markdown: string };
/** The blocks of a text from a number on. Those before it are as they were in the step before. */
export type Step = Parsed & { from: number; isWhole: boolean };

/** Blocks of a step. A page that receives all of a long text at once does not respond meanwhile. */
const stepSize = 200;

/** Converts a text. The first step of a long one is its beginning, and the others are the rest of the whole. */
export function parseInSteps({ markdown, ...options }: TextToParse, report: (step: Step) => void): void {
  const beginning = beginningOf(markdown);
  const first = beginning === undefined ? [] : withoutNotes(parseMarkdown(beginning, options).blocks);
  if (first.length > 0) report({ blocks: first, headings: [], from: 0, isWhole: false });
  const whole = parseMarkdown(markdown, options);
  const same = first.findIndex((block, at) => JSON.stringify(block) !== JSON.stringify(whole.blocks[at]));
  const from = same === -1 ? first.length : same;
  for (let at = from; ; at += stepSize) {
    const blocks = whole.blocks.slice(at, at + stepSize);
    const isWhole = at + stepSize >= whole.blocks.length;
    report({ blocks, headings: isWhole ? whole.headings : [], from: at, isWhole });
    if (isWhole) return;
  }
}

/** The footnotes are at the end of the whole text. */
const withoutNotes = (blocks: Node[]): Node[] =>
  blocks.filter((node) => !(node.type === 'element' && node.properties['dataFootnotes'] !== undefined));

/** Characters of a text that is shown in one piece. */
const shortText = 12_000;
/** Characters of the beginning of a longer one, which is shown while the rest is converted. */
const beginning = 6000;
/** What the rest of a text defines for its beginning: the targets of links, and footnotes. */
const definition = /^ {0,3}\[[^\]]+\]:[ \t]/;

/**
 * The beginning of a long text, with the definitions of the rest. It ends before a heading, or at least between two blocks. Undefined for
 * a text that is short enough.
 */
function beginningOf(markdown: string): string | undefined {
  if (markdown.length <= shortText) return undefined;
  const lines = markdown.split('\n');
  const isCode = codeLinesOf(lines);
  let length = 0;
  let end = 0;
  for (let at = 0; at < lines.length && length <= beginning; at += 1) {
    const line = lines[at] ?? '';
    length += line.length + 1;
    if (isCode[at] || at === 0) continue;
    const isNew = lines[at - 1]?.trim() === '' && /^[^\s>]/.test(line);
    if (/^#{1,6} /.test(line) || isNew) end = at;
  }
  if (end === 0) return undefined;
  const rest = lines.filter((line, at) => at >= end && !isCode[at] && definition.test(line));
  return [...lines.slice(0, end), '', ...rest].join('\n');
}
