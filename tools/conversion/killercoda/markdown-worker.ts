/**
 * A thread that parses Markdown. The parser takes disproportionate time for some texts (40 kilobytes of `>` take minutes), so it
 * runs where it can be terminated.
 */
import { parentPort } from 'node:worker_threads';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A part of a text, ordered by its start. */
export type MarkdownPart = {
  kind: 'code' | 'inlineCode' | 'heading' | 'html' | 'image';
  /** Offsets in the text. */
  begin: number;
  end: number;
  /** The content of code, the text of a heading, raw HTML, or the address of a picture. */
  text: string;
  /** The language of a code block, in lower case; empty if it has none. */
  language: string;
};
export type MarkdownResult = { parts: MarkdownPart[] } | { error: string };

type Node = {
  type: string;
  value?: string;
  url?: string;
  lang?: string | null | undefined;
  children?: readonly Node[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
};

parentPort?.on('message', (text: string) => parentPort?.postMessage(resultOf(text)));

function resultOf(text: string): MarkdownResult {
  try {
    // The same extensions as in the pages.
    const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    return { parts: [...nodesOf(tree as Node)].flatMap((node) => partOf(node) ?? []) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'the text could not be read' };
  }
}

/** A node and all its descendants in document order. Not recursive, because the text controls the depth. */
function* nodesOf(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    for (const child of node.children?.toReversed() ?? []) waiting.push(child);
  }
}

function partOf(node: Node): MarkdownPart | undefined {
  const { type: kind, value = '', url = '', lang, position } = node;
  const [begin, end] = [position?.start.offset, position?.end.offset];
  if (begin === undefined || end === undefined) return undefined;
  const place = { begin, end, language: lang?.toLowerCase() ?? '' };
  if (kind === 'code' || kind === 'inlineCode' || kind === 'html') return { kind, ...place, text: value };
  if (kind === 'image') return { kind, ...place, text: url };
  if (kind === 'heading') return { kind, ...place, text: [...nodesOf(node)].map((part) => part.value ?? '').join('') };
  return undefined;
}
