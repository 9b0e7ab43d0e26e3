import { codeLinesOf, indentedLines } from './code-lines.ts';
import { isAroundTabs, mayHaveTabs, tabAt } from './tabs.ts';

/** How an admonition looks. Their names are those of GitHub's alerts. */
export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** The types of admonitions of GitHub, MkDocs Material, Docusaurus and Obsidian. */
const kinds: Record<string, AlertKind> = {
  ...{
    note: 'note',
    info: 'note',
    abstract: 'note',
    summary: 'note',
    example: 'note',
    quote: 'note',
    question: 'note',
  },
  ...{ tip: 'tip', hint: 'tip', success: 'tip', check: 'tip' },
  ...{ important: 'important', todo: 'important' },
  ...{ warning: 'warning', attention: 'warning' },
  ...{ caution: 'caution', danger: 'caution', error: 'caution', failure: 'caution', bug: 'caution' },
};

/** @returns undefined for a type that is not known */
export const alertKindOf = (type: string): AlertKind | undefined => {
  const name = type.toLowerCase();
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
};

/** The line that opens an admonition of MkDocs: `!!! note "Title"`, or `??? note` for one that is closed until a reader opens it. */
const openingOfMkDocs =
  /^(?<indent>[ \t]*)(?<mark>!!!|\?\?\?\+?) +(?<type>[\w-]+)(?: +[\w-]+)*(?: +"(?<title>[^"]*)")? *$/;
/** The line that opens one of Docusaurus or VuePress: `:::note[Title]`, `:::note Title`. */
const openingOfColons = /^(?<indent>[ \t]*)(?<mark>:{3,})[ \t]*(?<type>[\w-]+)(?<rest>(?:[[{ \t].*)?)$/;
const closingOfColons = /^[ \t]*(:{3,}) *$/;
/** Admonitions within admonitions that are converted. Deeper ones stay as they are written. */
const maxDepth = 8;

/**
 * Markdown in which admonitions of MkDocs (`!!! note`), Docusaurus and VuePress (`:::note`) are written as those of GitHub: a quote that
 * begins with `[!NOTE]`. Those that are closed until a reader opens them become `<details>`. Tabs become quotes that begin with `[!TAB]`.
 * Code and unknown types stay as they are.
 */
export function withGitHubAlerts(markdown: string): string {
  return mayHaveTabs(markdown) || /^[ \t]*(!!!|\?\?\?|:::)/m.test(markdown)
    ? convert(markdown.split('\n'), 0).join('\n')
    : markdown;
}

function convert(lines: readonly string[], depth: number): string[] {
  if (depth === maxDepth) return [...lines];
  const isCode = codeLinesOf(lines);
  const ends = endsOfColons(lines, isCode);
  const result: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const block = isCode[at] ? undefined : blockAt(lines, at, ends.get(at));
    if (block === undefined) {
      if (isCode[at] || !isAroundTabs(line)) result.push(line);
      continue;
    }
    result.push(...rendered(block, convert(block.content, depth + 1)));
    at = block.end - 1;
  }
  return result;
}

/** The line that closes each admonition with colons, by the line that opens it. An outer one has as many colons as an inner one, or more. */
function endsOfColons(lines: readonly string[], isCode: readonly boolean[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { start: number; length: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (isCode[at]) continue;
    const closing = closingOfColons.exec(line)?.[1];
    const opening = openingOfColons.exec(line)?.groups?.['mark'];
    if (opening !== undefined) open.push({ start: at, length: opening.length });
    else if (closing !== undefined) {
      const place = open.findLastIndex(({ length }) => length === closing.length);
      const closed = open.splice(place === -1 ? open.length : place)[0];
      if (closed) ends.set(closed.start, at);
    }
  }
  return ends;
}

type Block = {
  indent: string;
  kind: AlertKind | 'tab';
  title: string;
  isFolded: boolean;
  content: string[];
  end: number;
};

function blockAt(lines: readonly string[], at: number, end: number | undefined): Block | undefined {
  const tab = tabAt(lines, at);
  if (tab) return { ...tab, kind: 'tab', isFolded: false };
  return ofMkDocs(lines, at) ?? ofColons(lines, at, end);
}

function ofMkDocs(lines: readonly string[], start: number): Block | undefined {
  const found = openingOfMkDocs.exec(lines[start] ?? '')?.groups;
  if (!found) return undefined;
  const { indent = '', mark = '', type = '', title = '' } = found;
  const isFolded = mark.startsWith('???');
  const kind = alertKindOf(type);
  if (kind === undefined) return undefined;
  return {
    indent,
    kind,
    isFolded,
    ...indentedLines(lines, start, indent),
    title: title.trim() || (isFolded ? capitalised(type) : ''),
  };
}

/** @param end the line that closes it */
function ofColons(lines: readonly string[], start: number, end: number | undefined): Block | undefined {
  const found = end === undefined ? undefined : openingOfColons.exec(lines[start] ?? '')?.groups;
  if (!found || end === undefined) return undefined;
  const { indent = '', type = '', rest = '' } = found;
  const isFolded = type === 'details';
  const kind = isFolded ? 'note' : alertKindOf(type);
  if (kind === undefined) return undefined;
  const bracket = rest.indexOf(']');
  const title = (rest.startsWith('[') && bracket > 0 ? rest.slice(1, bracket) : (rest.split('{', 1)[0] ?? '')).trim();
  const content = lines.slice(start + 1, end);
  return { indent, kind, isFolded, content, end: end + 1, title: title || (isFolded ? capitalised(type) : '') };
}

function rendered({ indent, kind, title, isFolded }: Block, content: readonly string[]): string[] {
  if (isFolded) {
    const own = content.map((line) => (line === '' ? '' : indent + line));
    return ['', `${indent}<details><summary>${escaped(title)}</summary>`, '', ...own, '', `${indent}</details>`, ''];
  }
  const head = `[!${kind.toUpperCase()}]${title === '' ? '' : ` ${title}`}`;
  // A blank line before it ends a paragraph, and one after the title separates it from the text.
  return ['', ...[head, '', ...content].map((line) => `${indent}> ${line}`.trimEnd()), ''];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
