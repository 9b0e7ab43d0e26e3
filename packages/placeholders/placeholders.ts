/** What stands in the place of each name. */
export type Values = Readonly<Record<string, string>>;

/** `\{{`, or a name in braces. */
const token = /\\\{\{|\{\{([^{}\n]*)\}\}/g;

/** The names in a text, as they are written. */
export const namesIn = (text: string): string[] => [...text.matchAll(token)].flatMap(([, name]) => name?.trim() ?? []);

/** Whether a value can stand in code of Markdown, where nothing is escaped: it must not end the code. */
export const canStand = (value: string): boolean => !/`|^\s*~~~/.test(value);

const oneLine = (value: string): string => value.replace(/\s+/g, ' ').trim();
/** In code every blank counts, but a line end would end a line of it. */
const inCode = (value: string): string => value.replace(/[\r\n]+/g, ' ');
/** Markdown takes any punctuation after a backslash for itself. */
const escaped = (value: string): string => oneLine(value).replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** What has no value stays as it is. */
const replaced = (text: string, values: Values, written: (value: string) => string): string =>
  text.replace(token, (all: string, name: string | undefined) => {
    if (name === undefined) return '{{';
    const key = name.trim();
    return Object.hasOwn(values, key) ? written(values[key] ?? '') : all;
  });

/** A text that is compared or used: each value as it is. */
export const fillExactly = (text: string, values: Values): string => replaced(text, values, (value) => value);

/** A text without markup, in one line where it was one. */
export const fillText = (text: string, values: Values): string => replaced(text, values, oneLine);

/** A text in Markdown. The values must be such that `canStand`. */
export function fillMarkdown(text: string, values: Values): string {
  const filled: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  const endBlock = (): void => {
    if (block.length > 0) filled.push(fillBlock(block.join('\n'), values));
    block = [];
  };
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      const [, closing] = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line) ?? [];
      if (closing?.startsWith(fence)) fence = undefined;
      filled.push(replaced(line, values, inCode));
      continue;
    }
    // In a list or a quotation as well. The information after backticks has none.
    const [, opening] = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
    if (opening !== undefined || line.trim() === '') endBlock();
    if (opening === undefined && line.trim() !== '') block.push(line);
    else filled.push(replaced(line, values, escaped));
    fence = opening;
  }
  endBlock();
  return filled.join('\n');
}

/** @param length of the backticks at both ends. Where a value brings blanks to both ends, Markdown would take one of each away. */
function fillSpan(span: string, values: Values, length: number): string {
  const isPadded = (text: string): boolean => /^[ \n]/.test(text) && /[ \n]$/.test(text) && text.trim() !== '';
  const code = span.slice(length, -length);
  const filled = replaced(code, values, inCode);
  const ticks = '`'.repeat(length);
  return isPadded(filled) && !isPadded(code) ? `${ticks} ${filled} ${ticks}` : `${ticks}${filled}${ticks}`;
}

/** A paragraph or the like: code in it is between two equal runs of backticks. */
function fillBlock(text: string, values: Values): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index: at }) => {
    let slashes = at;
    while (text[slashes - 1] === '\\') slashes -= 1;
    return { at, length, isEscaped: (at - slashes) % 2 === 1 };
  });
  const places = new Map<number, number[]>();
  for (const [index, { length }] of [...runs.entries()].reverse()) {
    const ofLength = places.get(length) ?? [];
    places.set(length, ofLength);
    ofLength.push(index);
  }
  let filled = '';
  let done = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const { at, length, isEscaped } = runs[index] ?? { at: 0, length: 0, isEscaped: true };
    const rest = places.get(length) ?? [];
    while ((rest.at(-1) ?? Number.POSITIVE_INFINITY) <= index) rest.pop();
    const end = isEscaped ? undefined : rest.at(-1);
    if (end === undefined) continue;
    const after = (runs[end]?.at ?? 0) + length;
    filled += replaced(text.slice(done, at), values, escaped) + fillSpan(text.slice(at, after), values, length);
    done = after;
    index = end;
  }
  return filled + replaced(text.slice(done), values, escaped);
}
