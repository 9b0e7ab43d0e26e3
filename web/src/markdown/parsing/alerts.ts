import { type AlertKind, alertKindOf } from './alert-kinds.ts';
import { codeEnd, codeLinesOf, indentedLines } from './code-lines.ts';
import { colonBlockAt, endsOfColons, fencedBlockAt } from './colon-blocks.ts';
import { isAroundTabs, mayHaveTabs, tabAt } from './tabs.ts';

/** The line that opens an admonition of MkDocs: `!!! note "Title"`, or `??? note` for one that is closed until a reader opens it. */
const openingOfMkDocs =
  /^(?<indent>[ \t]*)(?<mark>!!!|\?\?\?\+?) +(?<type>[\w-]+)(?: +[\w-]+)*(?: +"(?<title>[^"]*)")? *$/;
/** Admonitions within admonitions that are converted. Deeper ones stay as they are written. */
const maxDepth = 8;

/**
 * Markdown in which admonitions of MkDocs (`!!! note`), Docusaurus, The Carpentries and Sphinx (`:::note`) are written as those of GitHub: a
 * quote that begins with `[!NOTE]`. Those that are closed until a reader opens them, as solutions are, become `<details>`. Tabs become quotes
 * that begin with `[!TAB]`. Code and unknown types stay as they are.
 */
export function withGitHubAlerts(markdown: string): string {
  return mayHaveTabs(markdown) || /^[ \t]*(!!!|\?\?\?|:::|[`~]{3,}\{)/m.test(markdown)
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
    // The lines of a fence are passed over together, so this one opens it.
    const fenceEnd = isCode[at] ? codeEnd(lines, at) : undefined;
    const block = fenceEnd === undefined ? blockAt(lines, at, ends.get(at)) : fencedBlockAt(lines, at, fenceEnd);
    if (block === undefined) {
      if (fenceEnd !== undefined || !isAroundTabs(line)) result.push(...lines.slice(at, fenceEnd ?? at + 1));
      at = (fenceEnd ?? at + 1) - 1;
      continue;
    }
    result.push(...rendered(block, convert(block.content, depth + 1)));
    at = block.end - 1;
  }
  return result;
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
  return ofMkDocs(lines, at) ?? (end === undefined ? undefined : colonBlockAt(lines, at, end));
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

function rendered({ indent, kind, title, isFolded }: Block, content: readonly string[]): string[] {
  if (isFolded) {
    const own = content.map((line) => (line === '' ? '' : indent + line));
    return [
      '',
      `${indent}<details><summary>${escaped(title).replace(/`([^`]+)`/g, '<code>$1</code>')}</summary>`,
      '',
      ...own,
      '',
      `${indent}</details>`,
      '',
    ];
  }
  const head = `[!${kind.toUpperCase()}]${title === '' ? '' : ` ${title}`}`;
  // A blank line before it ends a paragraph, and one after the title separates it from the text.
  return ['', ...[head, '', ...content].map((line) => `${indent}> ${line}`.trimEnd()), ''];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
