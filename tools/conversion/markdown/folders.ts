import { basename, dirname, join } from 'node:path/posix';
import { type Contents, type Entry, isMarkdown, type Source } from './source.ts';
import { isTranslation } from './translations.ts';
import { readYaml } from './yaml-tree.ts';

/** Of a folder, the lesson that comes first. */
const indexNames = /^_?(?:index|readme)\.(?:md|markdown)$/i;
/** Files of a repository that are no lessons, at its root. */
const aboutRepository =
  /^(?:license|licence|contributing|changelog|code[-_]of[-_]conduct|security|authors|contributors|summary|pull_request_template|issue_template)\.(?:md|markdown)$/i;
const skippedFolders = new Set(['node_modules', 'vendor', 'build', 'dist', 'site', '_site', '_build']);
/** The keys of site generators for the place of a page among its siblings. */
const positionKeys = ['sidebar_position', 'nav_order', 'weight', 'order'];

type Folder = { files: string[]; folders: Map<string, Folder> };
type Placed = { name: string; isIndex: boolean; position: number | undefined; entry: Entry };

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The course of the Markdown files below a folder. The order is that of front matter and `_category_` files, then of the names. */
export function folderContents(source: Source, base: string): Contents {
  let folder = treeOf(source, base);
  let path = base;
  // A single folder with everything in it is no section.
  for (
    let [only] = folder.folders;
    only && folder.folders.size === 1 && lessonsIn(folder, path).length === 0;
    [only] = folder.folders
  )
    [path, folder] = [join(path, only[0]), only[1]];
  const entries = entriesOf(source, folder, path);
  const [first] = entries;
  const index = first?.path !== undefined && indexNames.test(basename(first.path)) ? first.path : undefined;
  const about = index === undefined ? undefined : source.lesson(index);
  return { title: about?.settings.get('title') ?? about?.heading, entries };
}

function treeOf(source: Source, base: string): Folder {
  const root: Folder = { files: [], folders: new Map() };
  const prefix = base === '.' || base === '' ? '' : `${base}/`;
  let translations = 0;
  for (const path of source.files.keys()) {
    if (!path.startsWith(prefix)) continue;
    const steps = path.slice(prefix.length).split('/');
    if (!isMarkdown(path) && !/\.mdx$/i.test(path)) continue;
    if (steps.some((step) => step.startsWith('.') || skippedFolders.has(step.toLowerCase()))) continue;
    if (isTranslation(path, (other) => source.text(other) !== undefined)) {
      translations += 1;
      continue;
    }
    let folder = root;
    for (const step of steps.slice(0, -1)) {
      const next = folder.folders.get(step) ?? { files: [], folders: new Map() };
      folder.folders.set(step, next);
      folder = next;
    }
    folder.files.push(steps.at(-1) ?? '');
  }
  if (translations > 0) source.warn(base || '.', 1, 'translations_left_out', { count: translations });
  return root;
}

const lessonsIn = ({ files }: Folder, path: string): string[] =>
  files.filter((name) => !((path === '.' || path === '') && aboutRepository.test(name)));

function entriesOf(source: Source, folder: Folder, path: string): Entry[] {
  const lessons = lessonsIn(folder, path).flatMap((name): Placed[] => {
    const file = join(path, name);
    if (!isMarkdown(name)) source.refuse(file, 1, 'file_not_markdown');
    // Who reads the files reports those that cannot be read.
    if (!isMarkdown(name) || source.text(file) === undefined) return [];
    const { settings } = source.lesson(file);
    if (settings.get('draft') === 'true') {
      source.warn(file, 1, 'draft');
      return [];
    }
    const position = positionKeys.map((key) => settings.get(key)).find((value) => value !== undefined);
    return [
      { name, isIndex: indexNames.test(name), position: numberOf(position), entry: { path: file, children: [] } },
    ];
  });
  const groups = [...folder.folders].map(([name, below]): Placed => {
    const inner = join(path, name);
    const { label, position } = categoryOf(source, inner);
    const children = entriesOf(source, below, inner);
    const [first] = children;
    const index = first?.path !== undefined && dirname(first.path) === inner && indexNames.test(basename(first.path));
    const lesson = index ? source.lesson(first?.path ?? '') : undefined;
    const title = label ?? lesson?.settings.get('title') ?? lesson?.heading ?? titleOfName(name);
    const place = position ?? positionKeys.map((key) => lesson?.settings.get(key)).find((value) => value !== undefined);
    return { name, isIndex: false, position: numberOf(place), entry: { title, name, children } };
  });
  return [...lessons, ...groups].sort(byPlace).map(({ entry }) => entry);
}

/** Docusaurus keeps the name and the place of a folder in a file. */
export function categoryOf(
  source: Source,
  folder: string,
): { label?: string | undefined; position?: string | undefined } {
  const file = source.first(['json', 'yml', 'yaml'].map((ending) => join(folder, `_category_.${ending}`)));
  const fields = file === undefined ? undefined : readYaml(source, file)?.map;
  return { label: fields?.get('label')?.text, position: fields?.get('position')?.text };
}

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;

/** The index is first, then what has a position, then the names in their natural order. */
function byPlace(a: Placed, b: Placed): number {
  if (a.isIndex !== b.isIndex) return a.isIndex ? -1 : 1;
  const [first, second] = [a.position ?? Number.POSITIVE_INFINITY, b.position ?? Number.POSITIVE_INFINITY];
  if (first !== second) return first < second ? -1 : 1;
  return natural.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);
}

/** `02-first_steps.md` as `First steps`. */
export function titleOfName(name: string): string {
  const words = withoutNumber(name.replace(/\.(?:md|markdown)$/i, ''))
    .replace(/[-_\s]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A name without the number that only orders it. */
export const withoutNumber = (name: string): string => name.replace(/^\d+(?:\.\d+)*[-_. )]+(?=\S)/, '');
