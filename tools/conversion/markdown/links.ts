import { dirname, join, relative } from 'node:path/posix';
import { referencedFiles } from '../../../src/features/lessons/references.ts';
import { mediaTypeOf } from '../../../src/values/media-types.ts';
import { linesOf } from './lesson-text.ts';
import { isMarkdown, type Source, type SourceFiles, shown } from './source.ts';

/** Folders prepended to a path, which reveal whether a reference leaves the repository. */
const depths = 'source/'.repeat(20);
/** Warnings for each lesson, at most. */
const maxWarnings = 10;
/** Where site generators put files that are addressed from the root of the site. */
const staticFolders = ['', 'static/', 'docs/', 'website/static/', 'src/', 'public/'];
const lessonEndings = ['', '.md', '/index.md', '/README.md', '.markdown'];

/** Another file in the place of a line: of MkDocs, Jekyll, Docusaurus or Microsoft's documents, mdBook. */
const includes =
  /^[ \t]*(?:-+8<-+.*|\{%-?[ \t]*include(?:_relative)?[ \t].*|:::[ \t]?include\b.*|\{\{[ \t]*#(?:rustdoc_)?include\b.*)$/;

/** The files of the repository that a lesson refers to, by the paths that the lesson's own references lead to. */
export function referencesOf(text: string, path: string): { path: string; isInside: boolean }[] {
  return [...referencedFiles(text, `${depths}${path}`)].map((found) => {
    // Docusaurus: an address from the root of the site.
    const site = found.indexOf('@site/');
    const isInside = found.startsWith(depths) && site === -1;
    const outside = site === -1 ? found.replace(/^(?:source\/)+/, '') : found.slice(site + '@site/'.length);
    return { path: isInside ? found.slice(depths.length) : outside, isInside };
  });
}

/** Warns about pictures and lessons that a lesson refers to and that readers will not find. */
export function linkWarnings(source: Source, path: string): void {
  const text = source.text(path) ?? '';
  for (const { line, isCode, number } of linesOf(text)) {
    const include = isCode ? undefined : includes.exec(line)?.[0];
    if (include !== undefined) source.warn(path, number, 'include_ignored', { name: shown(include.trim()) });
    if (!isCode && /<iframe\b[^>]*\ssrc=/i.test(line)) source.warn(path, number, 'frame_linked');
  }
  let count = 0;
  for (const { path: target, isInside } of referencesOf(text, path)) {
    if (isInside && (source.files.has(target) || lessonAt(source.files, target) !== undefined)) continue;
    if (!isInside && rootTarget(source.files, `/${target}`) !== undefined) continue;
    count += 1;
    if (count <= maxWarnings) source.warn(path, lineOf(text, target), 'target_missing', { name: shown(target) });
  }
  if (count > maxWarnings) source.warn(path, 1, 'targets_missing', { count: count - maxWarnings });
}

/** The lesson that a link without the ending of a file leads to. */
function lessonAt(files: SourceFiles, path: string): string | undefined {
  const base = path.replace(/\.html?$/i, '').replace(/\/$/, '');
  return lessonEndings.map((ending) => `${base}${ending}`).find((one) => isMarkdown(one) && files.has(one));
}

/** The file that an address from the root of a site leads to. */
function rootTarget(files: SourceFiles, address: string): string | undefined {
  const path = address.replace(/^\/+/, '');
  for (const folder of staticFolders) {
    const target = `${folder}${path}`;
    if (files.has(target)) return target;
    const lesson = lessonAt(files, target);
    if (lesson !== undefined) return lesson;
  }
  return undefined;
}

const destination =
  /(\]\([ \t]*<?|^[ \t>]*\[[^\]\n]{1,200}\]:[ \t]*<?|\s(?:src|href)[ \t]*=[ \t]*["'])((?:@site)?\/[^\s)>"'#?]*|[^\s)>"'#?:]+)/g;

/**
 * A lesson whose links lead to the files that they mean at a site: those from the root of the site, and those to lessons without the ending
 * of their files, become relative paths. Code is unchanged.
 */
export function withFileLinks(text: string, path: string, files: SourceFiles): string {
  const lines = text.split('\n');
  for (const { line, isCode, number } of linesOf(text)) {
    if (isCode || !/\]\(|\]:|src|href/.test(line)) continue;
    const ending = lines[number - 1]?.endsWith('\r') ? '\r' : '';
    const changed = line.replace(destination, (whole, before: string, address: string) => {
      const target = targetOf(files, path, address);
      return target === undefined ? whole : `${before}${encodeURI(relative(dirname(path), target))}`;
    });
    lines[number - 1] = `${changed}${ending}`;
  }
  return lines.join('\n');
}

/** The file that an address means, if it is not the one that the address names. */
function targetOf(files: SourceFiles, path: string, address: string): string | undefined {
  const decoded = decodedPath(address.replace(/^@site(?=\/)/, ''));
  if (decoded.startsWith('//')) return undefined;
  if (decoded.startsWith('/')) return rootTarget(files, decoded);
  const target = join(dirname(path), decoded);
  if (mediaTypeOf(target) !== undefined || files.has(target)) return undefined;
  return lessonAt(files, target);
}

function decodedPath(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The line that names a file first. */
export const lineOf = (text: string, reference: string): number => {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return text.slice(0, Math.max(text.indexOf(name), 0)).split('\n').length;
};
