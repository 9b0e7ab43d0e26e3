import type { MarkdownPart } from './markdown-worker.ts';

/** A part of a text that is shown in another form, or that leads nowhere. */
type Remark = { line: number; kind: 'changed' | 'lost'; message: string };

export type CodeBlock = { language: string; code: string };

/** The structure of a text, see `MarkdownReader`. */
export type Read = (text: string) => Promise<MarkdownPart[]>;

/** With this mark, Markdown does not recognize the end of a code block. */
const markedFence = /^([ \t>]*(?:`{3,}|~{3,}))[ \t]*\{\{([^{}]*)\}\}[ \t]*$/gm;
const actionMark = /\{\{((?:exec|execute|copy|open)(?:[ \t][^{}`]*)?)?\}\}/y;
const runs = /^exec/;
const trafficMark =
  /\{\{TRAFFIC_([A-Z0-9_]+)\}\}|https?:\/\/\[\[HOST_SUBDOMAIN\]\]-(\d+)-\[\[KATACODA_HOST\]\]\.environments\.katacoda\.com/g;
const hostAndPort = /^HOST1_(\d{1,5}|[A-Z]+)$/;
const noPorts = `
> [!NOTE]
> The ports of this machine cannot be opened in a browser. \`curl ADDRESS\` in its terminal shows what an address answers.
`;

/** A text without marks, and the commands in it that its readers run with a click. */
type Unmarked = { text: string; remarks: Remark[]; commands: string[] };

/**
 * Removes Killercoda's marks from a Markdown text. Marks that make code run or be copied at a click are removed, because here code is only
 * shown. A link to a port of the machine is replaced by the address of that port within the machine, and the text explains it.
 */
export async function withoutMarks(markdown: string, read: Read): Promise<Unmarked> {
  const remarks: Remark[] = [];
  const lines = markdown.split('\n').map((line, index) =>
    line.replace(trafficMark, (mark: string, name = '', port: string | undefined) => {
      const address = addressOf(name, port);
      const outcome = address === undefined ? 'is unchanged: it is not of this machine' : `became ${address}`;
      const kind = address === undefined ? 'lost' : 'changed';
      remarks.push({ line: index + 1, kind, message: `${mark}, a link to a port of the machine, ${outcome}` });
      return address ?? mark;
    }),
  );
  const runnable = new Set<number>();
  const text = lines
    .join('\n')
    .replace(markedFence, (_all, fence: string, action: string, offset: number, whole: string) => {
      if (runs.test(action)) runnable.add(lineAt(whole, offset));
      return fence;
    });
  const parts = await read(text);
  const blocks = parts.filter(({ kind, end }) => kind === 'code' && runnable.has(lineAt(text, end)));
  const { kept, spans } = withoutActions(text, parts);
  const commands = [...blocks, ...spans].toSorted((a, b) => a.begin - b.begin).map((part) => part.text);
  const explained = remarks.some(({ kind }) => kind === 'changed') ? `${kept.replace(/\n*$/, '\n')}${noPorts}` : kept;
  return { text: explained, remarks, commands };
}

function addressOf(name: string, katacodaPort: string | undefined): string | undefined {
  if (katacodaPort !== undefined) return `http://localhost:${katacodaPort}`;
  if (name === 'SELECTOR') return 'http://localhost';
  const port = hostAndPort.exec(name)?.[1];
  return port === undefined ? undefined : `http://localhost:${port}`;
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** A mark follows the code in a line. The same text within code is part of the code. */
function withoutActions(text: string, parts: readonly MarkdownPart[]): { kept: string; spans: MarkdownPart[] } {
  const kept: string[] = [];
  const spans: MarkdownPart[] = [];
  let position = 0;
  for (const part of parts.filter(({ kind }) => kind === 'inlineCode')) {
    actionMark.lastIndex = part.end;
    const found = actionMark.exec(text);
    if (!found) continue;
    if (runs.test(found[1] ?? '')) spans.push(part);
    kept.push(text.slice(position, part.end));
    position = actionMark.lastIndex;
  }
  return { kept: kept.join('') + text.slice(position), spans };
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
