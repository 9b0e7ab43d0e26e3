import { indentedLines, withoutIndent } from './code-lines.ts';

/** A tab of MkDocs Material: `=== "Title"`. */
const openingOfMkDocs = /^(?<indent>[ \t]*)===!? +"(?<title>[^"]*)" *$/;
/** One of Docusaurus: `<TabItem value="a" label="Title">`. */
const openingOfItem = /^(?<indent>[ \t]*)<TabItem\b(?<attributes>[^<>]*)>[ \t]*$/;
const closingOfItem = /^[ \t]*<\/TabItem>[ \t]*$/;
/** What surrounds them, which is not shown. */
const aroundItems = /^[ \t]*(?:<\/?Tabs\b[^<>]*>|import [\w{}, ]+ from '@theme\/[\w/]+';?)[ \t]*$/;

/** Whether a text can have tabs. */
export const mayHaveTabs = (markdown: string): boolean => /^[ \t]*(?:===!? +"|<TabItem\b)/m.test(markdown);

export const isAroundTabs = (line: string): boolean => aroundItems.test(line);

type Tab = { indent: string; title: string; content: string[]; end: number };

/** The tab that opens in a line. */
export function tabAt(lines: readonly string[], start: number): Tab | undefined {
  const line = lines[start] ?? '';
  const ofMkDocs = openingOfMkDocs.exec(line)?.groups;
  if (ofMkDocs) {
    const { indent = '', title = '' } = ofMkDocs;
    return { indent, title, ...indentedLines(lines, start, indent) };
  }
  const item = openingOfItem.exec(line)?.groups;
  if (!item) return undefined;
  const { indent = '', attributes = '' } = item;
  const rest = lines.slice(start + 1, start + 1 + maxLines);
  const length = rest.findIndex((each) => closingOfItem.test(each));
  if (length === -1) return undefined;
  const title = attribute(attributes, 'label') ?? attribute(attributes, 'value') ?? '';
  return { indent, title, content: withoutIndent(rest.slice(0, length)), end: start + length + 2 };
}

/** The lines of a tab of Docusaurus. One that does not end would otherwise be searched for to the end of the text, each time. */
const maxLines = 500;

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)'|\\{'([^']*)'\\})`).exec(attributes)?.slice(1).find(Boolean);
