/** A text as our content holds it: no byte order mark, lines that end in a line feed. */
export const plainText = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** Something of a text that readers here get in another form or not at all. */
export type Remark = { line: number; message: string };

export type CodeBlock = { language: string; code: string };

const fencePattern = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`{]*)/;
const closingPattern = /^([ \t>]*(`{3,}|~{3,}))[ \t]*(\{\{[^{}]*\}\})?[ \t]*$/;
const actionMark = /`\{\{(?:(?:exec|execute|copy|open)(?:[ \t][^{}`]*)?)?\}\}/g;
const trafficMark = /\{\{TRAFFIC_([A-Z0-9_]+)\}\}/g;
const hostAndPort = /^HOST1_(\d{1,5})$/;

/**
 * Killercoda's marks in a Markdown text: what makes code run or be copied at a click is taken away, since here all code is only shown, and
 * a link to a port of the machine becomes the address that the port has within it.
 */
export function withoutMarks(markdown: string): { text: string; remarks: Remark[] } {
  const remarks: Remark[] = [];
  let fence: string | undefined;
  const lines = markdown.split('\n').map((line, index) => {
    const withAddresses = line.replace(trafficMark, (mark, name: string) => {
      const port = hostAndPort.exec(name)?.[1];
      const address = port === undefined ? mark : `http://localhost:${port}`;
      const outcome = port === undefined ? 'is left as it is' : `became ${address}`;
      remarks.push({ line: index + 1, message: `${mark}, a link to a port of the machine, ${outcome}` });
      return address;
    });
    if (fence !== undefined) {
      const closing = closingPattern.exec(withAddresses);
      if (!closing?.[2]?.startsWith(fence)) return withAddresses;
      fence = undefined;
      return closing[1] ?? '';
    }
    fence = fencePattern.exec(withAddresses)?.[1];
    return fence === undefined ? withAddresses.replace(actionMark, '`') : withAddresses;
  });
  return { text: lines.join('\n'), remarks };
}

/** The fenced code blocks of a text, in their order, without what they are indented by. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: number; language: string; lines: string[] } | undefined;
  for (const line of markdown.split('\n')) {
    if (open === undefined) {
      const [, fence, language = ''] = fencePattern.exec(line) ?? [];
      if (fence !== undefined)
        open = { fence, indent: line.indexOf(fence), language: language.toLowerCase(), lines: [] };
    } else if (closingPattern.exec(line)?.[2]?.startsWith(open.fence)) {
      blocks.push({ language: open.language, code: open.lines.map((text) => `${text}\n`).join('') });
      open = undefined;
    } else {
      const blanks = line.length - line.trimStart().length;
      open.lines.push(line.slice(Math.min(blanks, open.indent)));
    }
  }
  return blocks;
}

/** A `<details>` block that can be opened: its summary, and what is in it. */
export type Details = { summary: string; body: string };

/** Takes the `<details>` blocks whose summary `isWanted` out of a text. Blocks in others stay with these. */
export function takeDetails(
  markdown: string,
  isWanted: (summary: string) => boolean,
): { text: string; details: Details[] } {
  const details: Details[] = [];
  const kept: string[] = [];
  let position = 0;
  for (const { begin, end, inner } of outerDetails(markdown)) {
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

function outerDetails(markdown: string): { begin: number; end: number; inner: string }[] {
  const found: { begin: number; end: number; inner: string }[] = [];
  let depth = 0;
  let begin = 0;
  let contentBegin = 0;
  for (const tag of markdown.matchAll(/<details\b[^<>]*>|<\/details\s*>/gi)) {
    const end = tag.index + tag[0].length;
    if (!tag[0].startsWith('</')) {
      if (depth === 0) [begin, contentBegin] = [tag.index, end];
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) found.push({ begin, end, inner: markdown.slice(contentBegin, tag.index) });
    }
  }
  return found;
}

/** Without the lines that only make room at either end or, after something was taken out, in a row. */
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

/** The text of the first heading, without its marks. */
export function firstHeading(markdown: string): string | undefined {
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? '' : headingOf(line);
    if (heading !== '') return heading.replace(/[*_`]/g, '').trim();
  }
  return undefined;
}

/** Empty for a line that is none. Hashes at its end close it only after a blank: there is a language called C#. */
function headingOf(line: string): string {
  const text = /^ {0,3}#{1,6}[ \t](.*)$/s.exec(line)?.[1]?.trim() ?? '';
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return /^[ \t]?$/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
}
