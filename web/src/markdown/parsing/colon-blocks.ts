import { type AlertKind, alertKindOf } from './alert-kinds.ts';

/** How a block is shown: as a box, or folded until a reader opens it. Without a title a box has the name of its kind. */
type Shape = { kind: AlertKind; title: string; isFolded: boolean };
export type ColonBlock = Shape & { indent: string; content: string[]; end: number };

const box = (kind: AlertKind, title = ''): Shape => ({ kind, title, isFolded: false });
const folded = (title: string): Shape => ({ kind: 'note', title, isFolded: true });

/** Types of Docusaurus, The Carpentries and Sphinx that are no kinds of alerts. */
const shapes = new Map<string, Shape>([
  ['details', folded('Details')],
  ['dropdown', folded('Details')],
  ['spoiler', folded('Details')],
  ['solution', folded('Solution')],
  ['answer', folded('Answer')],
  ['hint', folded('Hint')],
  ['instructor', folded('Instructor note')],
  ['admonition', box('note')],
  ['callout', box('note')],
  ['testimonial', box('note')],
  ['discussion', box('note', 'Discussion')],
  ['objectives', box('note', 'Objectives')],
  ['questions', box('note', 'Questions')],
  ['seealso', box('note', 'See also')],
  ['keypoints', box('tip', 'Key points')],
  ['checklist', box('tip', 'Checklist')],
  ['challenge', box('important', 'Challenge')],
  ['exercise', box('important', 'Exercise')],
  ['prereq', box('important', 'Prerequisites')],
  ['prerequisite', box('important', 'Prerequisites')],
]);

/**
 * The line that opens a block: `:::note[Title]` and `:::note Title` of Docusaurus and VuePress, `::::: challenge ::::::` of The Carpentries,
 * `:::{note} Title` of Sphinx (MyST), `::: {.callout-note}` of Quarto.
 */
const opening = /^(?<indent>[ \t]*):{3,}[ \t]*(?:\{(?<braces>[^{}]*)\}|(?<type>[\w-]+))(?<rest>(?:[[{ \t].*)?)$/;
const closing = /^[ \t]*:{3,}[ \t]*$/;
/** The same of Sphinx with the fence of code. */
const openingOfFence = /^(?<indent>[ \t]*)(?:`{3,}|~{3,})\{(?<braces>[\w-]+)\}(?<rest>.*)$/;
/** No line that opens a block is longer. Some patterns take quadratic time. */
const maxLine = 1000;

const matched = (form: RegExp, line: string) => (line.length > maxLine ? undefined : form.exec(line)?.groups);

function openingOf(line: string) {
  const found = matched(opening, line);
  const [colons] = /[ \t]*:{3,}[ \t]*$/.exec(found?.['rest'] ?? '') ?? [''];
  if (!found || colons === '') return found;
  // Colons at the end decorate, unless they end a word: `:::include file.md:::` has no content.
  return /^[ \t]/.test(colons) ? { ...found, rest: (found['rest'] ?? '').slice(0, -colons.length) } : undefined;
}

/** The line that closes each block, by the line that opens it. A line of colons closes the innermost block, whatever its length, as in Pandoc. */
export function endsOfColons(lines: readonly string[], isCode: readonly boolean[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (isCode[at]) continue;
    if (closing.test(line)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    } else if (openingOf(line)) open.push(at);
  }
  return ends;
}

/** @param end the line that closes it. @returns undefined for a type that is not known */
export function colonBlockAt(lines: readonly string[], start: number, end: number): ColonBlock | undefined {
  return blockOf(openingOf(lines[start] ?? ''), lines.slice(start + 1, end), end + 1);
}

/** A block of Sphinx in a fence of code. @param end the line after it. @returns undefined for code */
export function fencedBlockAt(lines: readonly string[], start: number, end: number): ColonBlock | undefined {
  const found = matched(openingOfFence, lines[start] ?? '');
  const isClosed = end - 1 > start && /^[ \t]*[`~]{3,}[ \t]*$/.test(lines[end - 1] ?? '');
  return isClosed ? blockOf(found, lines.slice(start + 1, end - 1), end) : undefined;
}

function blockOf(found: Record<string, string> | undefined, lines: string[], end: number): ColonBlock | undefined {
  if (!found) return undefined;
  const { indent = '', braces, type = typeOfBraces(braces ?? ''), rest = '' } = found;
  const shape = shapes.get(type.toLowerCase()) ?? ofAlert(type);
  if (!shape) return undefined;
  const inner = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const { classes, content } = braces === undefined ? { classes: [], content: inner } : withoutOptions(inner);
  const isFolded = shape.isFolded || classes.includes('dropdown');
  const kind = classes.map(alertKindOf).find((one) => one !== undefined) ?? shape.kind;
  const own = titleOf(rest);
  const heading = own === '' ? headingOf(content) : undefined;
  const title = own || heading?.title || shape.title || (isFolded ? capitalised(type) : '');
  return { indent, kind, isFolded, title, content: heading?.content ?? content, end };
}

/** `note`, or the first class of `.callout-note #id`. */
const typeOfBraces = (braces: string): string =>
  (/(?:^|\s)\.([\w-]+)/.exec(braces)?.[1] ?? /^[\w-]+/.exec(braces.trim())?.[0] ?? '').replace(/^callout-/, '');

function ofAlert(type: string): Shape | undefined {
  const kind = alertKindOf(type);
  return kind && box(kind);
}

/** Lines without the options of Sphinx at their beginning, such as `:class: dropdown`. */
function withoutOptions(lines: readonly string[]): { classes: string[]; content: string[] } {
  const begin = lines.findIndex((line) => !/^[ \t]*:[\w-]+:/.test(line));
  const options = lines.slice(0, begin === -1 ? lines.length : begin);
  const classes = options.flatMap((line) => /^[ \t]*:class:(.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? []);
  return { classes, content: lines.slice(options.length) };
}

/** `[Title]`, or a text before attributes in braces. */
function titleOf(rest: string): string {
  const bracket = rest.indexOf(']');
  return (rest.startsWith('[') && bracket > 0 ? rest.slice(1, bracket) : (rest.split('{', 1)[0] ?? '')).trim();
}

/** A heading that a block begins with is its title, in The Carpentries and Quarto. */
function headingOf(lines: readonly string[]): { title: string; content: string[] } | undefined {
  const at = lines.findIndex((line) => line.trim() !== '');
  const found = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec((lines[at] ?? '').slice(0, maxLine))?.[1];
  const title = found
    ?.replace(/\{[#.:][^{}]*\}/g, '')
    .replace(/[ \t]+#+[ \t]*$/, '')
    .trim();
  return title ? { title, content: lines.slice(at + 1) } : undefined;
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
