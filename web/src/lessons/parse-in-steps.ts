import { type Parsed, type ParseOptions, parseMarkdown } from './parse-markdown.ts';
import { beginningOf } from './text-pieces.ts';
import type { Node } from './tree-plugins.ts';

export type TextToParse = ParseOptions & { markdown: string };
/** The blocks of a text from a number on. Those before it are as they were in the step before. */
export type Step = Parsed & { from: number; isWhole: boolean };

/** Converts a text. A long one has two steps: its beginning, and all of it. */
export function parseInSteps({ markdown, ...options }: TextToParse, report: (step: Step) => void): void {
  const beginning = beginningOf(markdown);
  const first = beginning === undefined ? [] : withoutNotes(parseMarkdown(beginning, options).blocks);
  if (first.length > 0) report({ blocks: first, headings: [], from: 0, isWhole: false });
  const whole = parseMarkdown(markdown, options);
  const same = first.findIndex((block, at) => JSON.stringify(block) !== JSON.stringify(whole.blocks[at]));
  const from = same === -1 ? first.length : same;
  report({ blocks: whole.blocks.slice(from), headings: whole.headings, from, isWhole: true });
}

/** The footnotes are at the end of the whole text. */
const withoutNotes = (blocks: Node[]): Node[] =>
  blocks.filter((node) => !(node.type === 'element' && node.properties['dataFootnotes'] !== undefined));
