import { codeLinesOf } from './code-lines.ts';

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
export function beginningOf(markdown: string): string | undefined {
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
