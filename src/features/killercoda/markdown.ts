import type { MarkdownPart } from '../../workers/markdown.ts';

/** A text as our content stores it: without a byte order mark, and with line feeds as line ends. */
export const plainText = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** A part of a text that is shown in another form or omitted. */
export type Remark = { line: number; message: string };

export type CodeBlock = { language: string; code: string };

/** The structure of a text, see `MarkdownReader`. */
export type Read = (text: string) => Promise<MarkdownPart[]>;

/** With this mark, Markdown does not recognize the end of a code block. */
const markedFence = /^([ \t>]*(?:`{3,}|~{3,}))[ \t]*\{\{[^{}]*\}\}[ \t]*$/gm;
const actionMark = /\{\{(?:(?:exec|execute|copy|open)(?:[ \t][^{}`]*)?)?\}\}/y;
const trafficMark = /\{\{TRAFFIC_([A-Z0-9_]+)\}\}/g;
const hostAndPort = /^HOST1_(\d{1,5})$/;

/**
 * Removes Killercoda's marks from a Markdown text. Marks that make code run or be copied at a click are removed, because here code is only
 * shown. A link to a port of the machine is replaced by the address of that port within the machine.
 */
export async function withoutMarks(markdown: string, read: Read): Promise<{ text: string; remarks: Remark[] }> {
  const remarks: Remark[] = [];
  const lines = markdown.split('\n').map((line, index) =>
    line.replace(trafficMark, (mark, name: string) => {
      const port = hostAndPort.exec(name)?.[1];
      const address = port === undefined ? mark : `http://localhost:${port}`;
      const outcome = port === undefined ? 'is unchanged' : `became ${address}`;
      remarks.push({ line: index + 1, message: `${mark}, a link to a port of the machine, ${outcome}` });
      return address;
    }),
  );
  const text = lines.join('\n').replace(markedFence, '$1');
  return { text: withoutActions(text, await read(text)), remarks };
}

/** A mark follows the code in a line. The same text within code is part of the code. */
function withoutActions(text: string, parts: readonly MarkdownPart[]): string {
  const kept: string[] = [];
  let position = 0;
  for (const { end } of parts.filter(({ kind }) => kind === 'inlineCode')) {
    actionMark.lastIndex = end;
    if (!actionMark.test(text)) continue;
    kept.push(text.slice(position, end));
    position = actionMark.lastIndex;
  }
  return kept.join('') + text.slice(position);
}

/** The code blocks of a text, in their order, without their indentation. */
export const codeBlocks = (parts: readonly MarkdownPart[]): CodeBlock[] =>
  parts
    .filter(({ kind }) => kind === 'code')
    .map(({ language, text }) => ({ language, code: text === '' ? '' : `${text}\n` }));

/** The text of the first heading that is not empty. */
export const firstHeading = (parts: readonly MarkdownPart[]): string | undefined =>
  parts.find(({ kind, text }) => kind === 'heading' && text.trim() !== '')?.text.trim();

/** Whether the text shows a picture that is not on another site. */
export const hasPicture = (parts: readonly MarkdownPart[]): boolean =>
  parts.some(
    ({ kind, text }) => (kind === 'image' && !/^[a-z]+:/i.test(text)) || (kind === 'html' && /<img\s/i.test(text)),
  );

/** A `<details>` block that can be opened: its summary and its body. */
export type Details = { summary: string; body: string };

/** Removes the `<details>` blocks whose summary `isWanted` from a text. Nested blocks stay in their outer block. */
export function takeDetails(
  markdown: string,
  parts: readonly MarkdownPart[],
  isWanted: (summary: string) => boolean,
): { text: string; details: Details[] } {
  const details: Details[] = [];
  const kept: string[] = [];
  let position = 0;
  for (const { begin, end, inner } of outerDetails(markdown, parts)) {
    const [whole, content] = /^\s*<summary\b[^>]*>([\s\S]*?)<\/summary>/i.exec(inner) ?? [];
    const summary = (content ?? '')
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (!isWanted(summary)) continue;
    kept.push(markdown.slice(position, begin));
    position = end;
    details.push({ summary, body: tidy(inner.slice(whole?.length ?? 0)) });
  }
  kept.push(markdown.slice(position));
  return { text: details.length > 0 ? tidy(kept.join('')) : markdown, details };
}

function outerDetails(
  markdown: string,
  parts: readonly MarkdownPart[],
): { begin: number; end: number; inner: string }[] {
  const found: { begin: number; end: number; inner: string }[] = [];
  let depth = 0;
  let begin = 0;
  let contentBegin = 0;
  for (const tag of detailsTags(markdown, parts)) {
    if (!tag.isClosing) {
      if (depth === 0) [begin, contentBegin] = [tag.begin, tag.end];
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) found.push({ begin, end: tag.end, inner: markdown.slice(contentBegin, tag.begin) });
    }
  }
  return found;
}

function* detailsTags(markdown: string, parts: readonly MarkdownPart[]) {
  for (const html of parts.filter(({ kind, text }) => kind === 'html' && !text.startsWith('<!--'))) {
    for (const tag of markdown.slice(html.begin, html.end).matchAll(/<details\b[^<>]*>|<\/details\s*>/gi)) {
      const begin = html.begin + tag.index;
      yield { begin, end: begin + tag[0].length, isClosing: tag[0].startsWith('</') };
    }
  }
}

/** Removes blank lines and `<br>` lines at both ends, and collapses repeated blank lines. */
function tidy(text: string): string {
  const lines = text.split('\n');
  const makesRoom = (index: number): boolean => /^[ \t]*(?:<br\s*\/?>[ \t]*)?$/i.test(lines[index] ?? '');
  let begin = 0;
  while (begin < lines.length - 1 && makesRoom(begin)) begin += 1;
  let end = lines.length;
  while (end - 1 > begin && makesRoom(end - 1)) end -= 1;
  const kept = lines.slice(begin, end).join('\n') + (end < lines.length ? '\n' : '');
  return kept.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n');
}
