import { basename, dirname } from 'node:path/posix';
import type { OutlineCourse } from '../../../src/features/course-imports/schema.ts';
import { slugOf } from '../slugs.ts';
import { titleOfName, withoutNumber } from './folders.ts';
import { plainTitle } from './lesson-text.ts';
import type { Contents, Entry, Source } from './source.ts';

const maxName = 200;
/** Groups within groups that are sections of their own. Deeper ones belong to the section above. */
const maxGroups = 5;
const maxDescription = 100_000;

type Group = { name: string; slugName: string; paths: { path: string; title: string | undefined }[] };

/** A course of these contents. Undefined where they have no lessons. @param taken the slugs of the other courses */
export function courseOf(
  source: Source,
  { title, description, entries }: Contents,
  otherwise: string,
  taken: Set<string>,
): OutlineCourse | undefined {
  const name = shortened(plainTitle(title ?? '') ?? titleOfName(otherwise));
  const groups = groupsOf(source, entries, name);
  if (groups.length === 0) return undefined;
  const slugs = new Set<string>();
  const used = new Set<string>();
  const sections = groups.map((group) => {
    const themes = new Set<string>();
    return {
      slug: slugOf(withoutNumber(group.slugName), slugs, 'section'),
      name: shortened(group.name),
      themes: group.paths
        .map((one) => ({ ...one, file: source.version(one.path) }))
        .filter(({ file }) => !used.has(file) && used.add(file))
        .map(({ path, file, title: given }) => ({
          slug: slugOf(nameOf(path), themes, 'lesson'),
          // The title of the table of contents is in the language of the lesson that it lists.
          title: shortened(titleOf(source, file, file === path ? given : undefined)),
          file,
          duration_minutes: source.lesson(file).minutes,
        })),
    };
  });
  return {
    slug: slugOf(name, taken, 'course'),
    name,
    description: (plainTitle(description ?? '') ?? '').slice(0, maxDescription),
    sections: sections.filter(({ themes }) => themes.length > 0),
  };
}

const titleOf = (source: Source, path: string, given: string | undefined): string => {
  const { settings, heading } = source.lesson(path);
  return plainTitle(given ?? '') ?? plainTitle(settings.get('title') ?? '') ?? heading ?? titleOfName(basename(path));
};

/** What the slug of a lesson is derived from. It is the same after another title or another place. */
function nameOf(path: string): string {
  const name = withoutNumber(basename(path).replace(/\.(?:md|markdown)$/i, ''));
  const folder = basename(dirname(path));
  const isIndexOfGroup = /^_?(?:index|readme)$/i.test(name) && !/^(?:\.|docs|src)$/.test(folder);
  return isIndexOfGroup ? withoutNumber(folder) : name;
}

/**
 * The entries as groups of lessons. A lesson with entries below it is followed by them. A group within a group is a section of its own. The
 * lessons beside groups form sections that are named after their first lesson, or after the course if there are no groups.
 */
function groupsOf(source: Source, entries: readonly Entry[], courseName: string): Group[] {
  const groups: Group[] = [];
  const isFlat = entries.every(({ children }) => children.length === 0);
  let loose: Group | undefined;
  for (const entry of entries) {
    if (entry.children.length === 0) {
      if (entry.path === undefined) continue;
      if (loose === undefined) {
        const name = isFlat ? courseName : titleOf(source, entry.path, entry.title);
        loose = { name, slugName: isFlat ? 'lessons' : nameOf(entry.path), paths: [] };
        groups.push(loose);
      }
      loose.paths.push({ path: entry.path, title: entry.title });
    } else {
      loose = undefined;
      groups.push(...sectionsOf(source, entry, []));
    }
  }
  return groups.filter(({ paths }) => paths.length > 0);
}

function sectionsOf(source: Source, entry: Entry, above: readonly Entry[]): Group[] {
  const line = [...above, entry];
  const titles = line.map(({ title, path }) => (path === undefined ? (title ?? '') : titleOf(source, path, title)));
  const own: Group = {
    name: titles.join(' / '),
    slugName: line
      .map(({ name, path }, index) => name ?? (path === undefined ? (titles[index] ?? '') : nameOf(path)))
      .join(' '),
    paths: entry.path === undefined ? [] : [{ path: entry.path, title: entry.title }],
  };
  const below: Group[] = [];
  const add = (child: Entry): void => {
    if (child.path === undefined && child.children.length > 0 && line.length < maxGroups)
      below.push(...sectionsOf(source, child, line));
    else {
      if (child.path !== undefined) own.paths.push({ path: child.path, title: child.title });
      for (const inner of child.children) add(inner);
    }
  };
  for (const child of entry.children) add(child);
  return [own, ...below];
}

const shortened = (text: string): string => (text.length > maxName ? `${text.slice(0, maxName - 1).trimEnd()}…` : text);
