import type { OutlineCourse, OutlineFormat } from '../../../src/features/course-imports/schema.ts';
import { courseOf } from './course.ts';
import { docusaurusContents, isSite } from './docusaurus.ts';
import { folderContents } from './folders.ts';
import { jupyterBookContents } from './jupyter-book.ts';
import { linkWarnings } from './links.ts';
import { mkdocsContents } from './mkdocs.ts';
import { type Contents, type OutlineProblem, Source, type SourceFiles } from './source.ts';
import { summaryContents } from './summary.ts';

/** The courses that a repository of Markdown lessons has. */
export type Outline = {
  format: OutlineFormat;
  /** The table of contents; undefined where the order is that of the folders. */
  file: string | undefined;
  courses: OutlineCourse[];
  /** The languages of lessons with several versions, which `language` chooses from. */
  languages: string[];
  /** Entries that were left out. */
  problems: OutlineProblem[];
  warnings: OutlineProblem[];
};

/** Files that a table of contents can be in, or that say something about it. Their texts are read, like those of Markdown files. */
const contentsName =
  /(?:^|\/)(?:mkdocs\.ya?ml|_toc\.ya?ml|_config\.ya?ml|book\.(?:toml|json)|\.gitbook\.ya?ml|sidebars\.json|_category_\.(?:json|ya?ml))$/;
export const isContentsFile = (path: string): boolean => contentsName.test(path);

/** An order of MkDocs' plugins, which is not read. */
export const isOrderFile = (path: string): boolean => /(?:^|\/)\.(?:pages|nav\.ya?ml)$/.test(path);

/** The folders in which a table of contents is looked for. */
const places = ['', 'docs/', 'src/', 'website/', 'book/'];

/**
 * The courses, sections and themes of a repository. The result depends on the files only.
 * @param name of the repository, for a course without a title
 * @param language of the lessons that are taken where they have several versions. Without it: English, or no language in the path
 */
export function outlineOf(files: SourceFiles, name: string, language?: string): Outline {
  const source = new Source(files, language);
  const { format, file, contents } = contentsOf(source);
  warnOfOrders(source);
  const taken = new Set<string>();
  const courses = contents.flatMap((one) => courseOf(source, one, name, taken) ?? []);
  if (courses.length === 0) source.refuse(file ?? '.', 1, 'no_lessons');
  for (const { sections } of courses)
    for (const { themes } of sections) for (const theme of themes) linkWarnings(source, theme.file);
  const { problems, warnings, translations } = source;
  return { format, file, courses, languages: translations.languages, problems, warnings };
}

/** Orders of lessons that are not read: those of MkDocs' awesome-pages, and that of a lesson of The Carpentries. */
function warnOfOrders(source: Source): void {
  const paths = [...source.files.keys()];
  const isCarpentries = paths.some((path) => path.startsWith('episodes/'));
  for (const path of paths)
    if (isOrderFile(path) || (isCarpentries && /^config\.ya?ml$/.test(path))) source.warn(path, 1, 'order_unread');
}

type Found = { format: OutlineFormat; file: string | undefined; contents: Contents[] };

/** The first table of contents that can be read. */
function contentsOf(source: Source): Found {
  const readers: [OutlineFormat, string[], (file: string) => Contents[] | undefined][] = [
    ['mkdocs', named(['mkdocs.yml', 'mkdocs.yaml'], ['', 'docs/']), (file) => mkdocsContents(source, file)],
    ['jupyter-book', named(['_toc.yml', '_toc.yaml']), (file) => jupyterBookContents(source, file)],
    ['summary', named(['SUMMARY.md', 'summary.md']), (file) => summaryContents(source, file)],
    [
      'docusaurus',
      named(['sidebars.json'], ['', 'website/', 'docs/']),
      (file) => docusaurusContents(source, file.replace(/(?:docs\/)?sidebars\.json$/, ''), file),
    ],
  ];
  for (const [format, paths, read] of readers) {
    const file = source.first(paths);
    const contents = file === undefined ? undefined : read(file);
    if (contents !== undefined) return { format, file, contents };
  }
  const site = ['', 'website'].find((folder) => isSite(source, folder));
  const contents = site === undefined ? undefined : docusaurusContents(source, site, undefined);
  if (contents !== undefined) return { format: 'docusaurus', file: undefined, contents };
  return { format: 'folders', file: undefined, contents: [folderContents(source, '.')] };
}

const named = (names: readonly string[], folders = places): string[] =>
  folders.flatMap((folder) => names.map((name) => `${folder}${name}`));
