import { dirname, join } from 'node:path/posix';
import { linesOf, plainTitle } from './lesson-text.ts';
import { type Contents, type Entry, type Source, shown } from './source.ts';

/** No entry is longer. Some patterns take quadratic time. */
const maxLine = 5000;

type Open = { indent: number; entry: Entry };

/** A list item or a line of its own that is a link, with what precedes the link. The title has no nested brackets. */
const linkForm =
  /^([ \t]*)(?:([-*+]|\d{1,9}[.)])[ \t]+)?\[((?:[^[\]\\]|\\.)*)\]\(([^()]*(?:\([^()]*\)[^()]*)*)\)[ \t]*$/;
const groupForm = /^([ \t]*)[-*+][ \t]+(\S.*)$/;

/** The course of a `SUMMARY.md` of mdBook or GitBook. Headings after the first one begin parts. */
export function summaryContents(source: Source, file: string): Contents[] {
  const root: Entry[] = [];
  let list = root;
  let open: Open[] = [];
  let isFirst = true;
  for (const { line, isCode, number } of linesOf(source.text(file) ?? '')) {
    if (isCode || line.trim() === '' || line.length > maxLine) continue;
    const part = /^#{1,6}[ \t]+(.*)$/.exec(line)?.[1];
    if (part !== undefined) {
      open = [];
      const title = plainTitle(part);
      // The title of the page itself.
      if (title !== undefined && !(isFirst && /^(?:summary|table of contents)$/i.test(title))) {
        const entry: Entry = { title, name: title, children: [] };
        root.push(entry);
        list = entry.children;
      }
      isFirst = false;
      continue;
    }
    const item = itemOf(source, file, line, number);
    if (item === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= item.indent) open.pop();
    (open.at(-1)?.entry.children ?? list).push(item.entry);
    open.push(item);
  }
  return [{ ...aboutBook(source, file), entries: root }];
}

function itemOf(source: Source, file: string, line: string, number: number): Open | undefined {
  const link = linkForm.exec(line);
  if (!link) {
    const [, indent = '', text = ''] = groupForm.exec(line) ?? [];
    const title = plainTitle(text);
    return title === undefined || /^[-*_ ]+$/.test(text)
      ? undefined
      : { indent: width(indent), entry: { title, name: title, children: [] } };
  }
  const [, indent = '', , label = '', destination = ''] = link;
  const title = plainTitle(label);
  const entry: Entry = { title, name: title, children: [] };
  const bare = destination.trim().replace(/[ \t]+"[^"]*"$/, '');
  const reference = decoded(bare.replace(/^<(.*)>$/, '$1'));
  const place = { file, line: number };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference)) source.warn(file, number, 'other_site', { name: shown(reference) });
  else if (reference === '') {
    if (title === undefined) source.warn(file, number, 'chapter_empty');
    else source.warn(file, number, 'named_chapter_empty', { name: title });
  } else {
    const [path = '', fragment] = reference.split('#', 2);
    // A place within a lesson is listed below the lesson.
    if (fragment === undefined) entry.path = source.find(place, dirname(file), path);
  }
  return { indent: width(indent), entry };
}

const width = (indent: string): number => indent.replaceAll('\t', '    ').length;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The title and the description of `book.toml` or `book.json`, whose folder is that of the summary or one above. */
function aboutBook(source: Source, file: string): { title?: string | undefined; description?: string | undefined } {
  const folders = [dirname(file), dirname(dirname(file))];
  const toml = source.text(source.first(folders.map((folder) => join(folder, 'book.toml'))) ?? '');
  const json = source.text(source.first(folders.map((folder) => join(folder, 'book.json'))) ?? '');
  const text = toml ?? json ?? '';
  const field = (name: string): string | undefined => {
    const quoted = new RegExp(`^[ \\t{,]*"?${name}"?[ \\t]*[=:][ \\t]*"([^"\\\\\\n]*)"`, 'm').exec(text)?.[1];
    return quoted === undefined ? undefined : plainTitle(quoted);
  };
  return { title: field('title'), description: field('description') };
}
