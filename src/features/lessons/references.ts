import { dirname, join } from 'node:path/posix';

const maxDestination = 2000;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
};

/**
 * The path from the repository's root of a `reference` in a Markdown file. A reference that begins with a slash is relative to the root.
 * Undefined where it leads outside.
 */
export function resolveReference(markdownPath: string, reference: string): string | undefined {
  const path = reference.startsWith('/') ? join('.', reference) : join(dirname(markdownPath), reference);
  return path === '.' || path === '..' || path.startsWith('../') || path.endsWith('/') ? undefined : path;
}

/**
 * The files of the repository that a Markdown text refers to: links and pictures, reference definitions, and `src` and `href` in HTML.
 * References in code are ignored. The running time is proportional to the length of any text.
 */
export function referencedFiles(markdown: string, markdownPath: string): Set<string> {
  const text = withoutCode(markdown);
  const found = new Set<string>();
  for (const destination of [...inlineDestinations(text), ...definitions(text), ...htmlReferences(text)]) {
    const reference = localPath(destination);
    const path = reference === undefined ? undefined : resolveReference(markdownPath, reference);
    if (path !== undefined) found.add(path);
  }
  return found;
}

/** Removes fenced code blocks and code spans. A span ends with its paragraph at the latest. */
function withoutCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const [, marker] = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
    if (fence === undefined && marker !== undefined) fence = marker;
    else if (fence === undefined) kept.push(line);
    else if (marker?.startsWith(fence) && line.trimEnd().endsWith(marker)) fence = undefined;
  }
  return kept
    .join('\n')
    .split(/\n[ \t]*\n/)
    .map(withoutSpans)
    .join('\n\n');
}

function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  const last = new Map(runs.map((run, index) => [run.length, index]));
  let text = '';
  let position = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    if (open === undefined || (last.get(open.length) ?? -1) <= index) continue;
    let closing = index + 1;
    while (runs[closing]?.length !== open.length) closing += 1;
    text += paragraph.slice(position, open.at);
    position = (runs[closing]?.at ?? 0) + open.length;
    index = closing;
  }
  return text + paragraph.slice(position);
}

/** The destinations after `](`: in angle brackets, or up to white space or the closing parenthesis. */
function* inlineDestinations(text: string): Generator<string> {
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at)) {
    at += 2;
    while (/\s/.test(text.charAt(at))) at += 1;
    const start = at;
    const isBracketed = text.charAt(at) === '<';
    let depth = 0;
    for (; at < text.length && at - start < maxDestination; at += 1) {
      const character = text.charAt(at);
      if (character === '\\') at += 1;
      else if (character === '\n' || (isBracketed ? character === '>' : /\s/.test(character))) break;
      else if (!isBracketed && character === '(') depth += 1;
      else if (!isBracketed && character === ')' && --depth < 0) break;
    }
    yield text.slice(isBracketed ? start + 1 : start, at);
  }
}

/** Definitions at the start of a line, or of a line within a list or a quotation. */
function* definitions(text: string): Generator<string> {
  for (const [, bracketed, plain] of text.matchAll(
    /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*\[[^\]\n]{1,999}\]:[ \t]*(?:\n[ \t>]*)?(?:<([^>\n]*)>|(\S+))/gm,
  )) {
    yield bracketed ?? plain ?? '';
  }
}

function* htmlReferences(text: string): Generator<string> {
  for (const [tag] of text.matchAll(/<(?:img|a|source|object|embed|iframe)\s[^<>]*>/gi)) {
    for (const [, double, single, bare] of tag.matchAll(
      /\s(?:src|href|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi,
    )) {
      yield double ?? single ?? bare ?? '';
    }
  }
}

/** A destination as a decoded path. Undefined where it is external or invalid. */
function localPath(destination: string): string | undefined {
  const url = destination
    .trim()
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(#39|[a-z]{2,4});/g, (entity, name: string) => entities[name] ?? entity);
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(url)) return undefined;
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return path === '' ? undefined : decodeURIComponent(path);
  } catch {
    return path;
  }
}
