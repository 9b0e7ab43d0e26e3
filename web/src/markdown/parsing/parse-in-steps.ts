import { type Parsed, type ParseOptions, parseMarkdown } from './parse-markdown.ts';
import { beginningOf } from './text-pieces.ts';
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
