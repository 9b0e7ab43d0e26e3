import { isMap, isScalar, parseDocument } from 'yaml';

/** What the text of a lesson says about itself. */
export type Lesson = {
  /** The settings of a site generator that are plain texts and numbers. */
  settings: ReadonlyMap<string, string>;
  /** The text of the first heading. */
  heading?: string | undefined;
  /** The estimated reading time. */
  minutes: number;
};

/** The speed of a careful reader of technical prose. */
const wordsPerMinute = 200;
/** Chinese and Japanese have no spaces between words. */
const charactersPerMinute = 400;
/** A line of code is read, typed and tried. */
const secondsPerCodeLine = 5;
const maxMinutes = 10_000;
const maxFrontMatter = 64 * 1024;
/** Characters of a line that can belong to a title. Some patterns take quadratic time. */
const maxTitleLine = 2000;

/** The running time is proportional to the length of any text. */
export function readLesson(text: string): Lesson {
  const { settings, begin } = frontMatter(text.replace(/^\uFEFF/, ''));
  let heading: string | undefined;
  let before = '';
  let [words, characters, codeLines] = [0, 0, 0];
  for (const { line, isCode } of linesOf(text.slice(begin))) {
    if (isCode) {
      if (line.trim() !== '') codeLines += 1;
      continue;
    }
    if (heading === undefined) heading = headingOf(line, before);
    before = line;
    const ideographs = line.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
    characters += ideographs;
    words += line.match(/[\p{L}\p{N}][\p{L}\p{N}'’_.-]*/gu)?.length ?? 0;
  }
  const minutes = words / wordsPerMinute + characters / charactersPerMinute + (codeLines * secondsPerCodeLine) / 60;
  return { settings, heading, minutes: Math.min(Math.max(Math.round(minutes), 1), maxMinutes) };
}

/** The lines of a text, with those inside fenced code blocks marked. The fences themselves are left out. */
export function* linesOf(text: string): Generator<{ line: string; isCode: boolean; number: number }> {
  let fence: string | undefined;
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number += 1;
    const marker = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence === undefined && marker !== undefined) fence = marker;
    else if (fence !== undefined && marker?.startsWith(fence) && line.trimEnd().endsWith(marker)) fence = undefined;
    else yield { line, isCode: fence !== undefined, number };
  }
}

/** A heading as `# Text`, or as a text that is underlined with `=`. */
function headingOf(line: string, before: string): string | undefined {
  const marked = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line.slice(0, maxTitleLine))?.[1];
  if (marked !== undefined) return plainTitle(marked.replace(/[ \t]+#+[ \t]*$/, ''));
  return /^ {0,3}=+[ \t]*$/.test(line) && before.trim() !== '' ? plainTitle(before) : undefined;
}

/** A title without the marks of Markdown. Undefined where nothing is left. */
export function plainTitle(text: string): string | undefined {
  const plain = text
    .slice(0, maxTitleLine)
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\{[#.:][^{}]*\}/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/`|\*\*|__|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain === '' ? undefined : plain;
}

/** The settings between two lines `---` at the beginning, and the offset of the text behind them. */
function frontMatter(text: string): { settings: Map<string, string>; begin: number } {
  const opening = /^---[ \t]*\r?\n/.exec(text)?.[0];
  const none = { settings: new Map<string, string>(), begin: 0 };
  if (opening === undefined) return none;
  const end = /^(?:---|\.\.\.)[ \t]*\r?$/m.exec(text.slice(opening.length, maxFrontMatter));
  if (!end) return none;
  const settings = new Map<string, string>();
  const document = parseDocument(text.slice(opening.length, opening.length + end.index), { logLevel: 'silent' });
  if (document.errors.length > 0 || !isMap(document.contents)) return none;
  for (const { key, value } of document.contents.items) {
    if (isScalar(key) && isScalar(value) && ['string', 'number', 'boolean'].includes(typeof value.value))
      settings.set(String(key.value), String(value.value));
  }
  return { settings, begin: opening.length + end.index + end[0].length };
}
