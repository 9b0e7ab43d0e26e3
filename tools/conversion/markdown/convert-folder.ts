import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AbsentPathError, ContentFolder, UnusablePathError } from '../../../src/features/content/content-folder.ts';
import { courseText, type WrittenCourse } from '../../../src/features/content/course-files.ts';
import { ContentError, type Problem } from '../../../src/features/content/problems.ts';
import { CourseFile } from '../../../src/features/content/schema.ts';
import { YamlFile } from '../../../src/features/content/yaml-file.ts';
import type {
  HeldCourse,
  OutlineChange,
  OutlineCourse,
  OutlineFormat,
} from '../../../src/features/course-imports/schema.ts';
import { isLfsPointer, linkedTypeOf } from '../../../src/values/media-types.ts';
import { slugOf } from '../slugs.ts';
import { referencesOf, withFileLinks } from './links.ts';
import { closest, mergeCourse } from './merge.ts';
import { outlineOf } from './outline.ts';
import { readSourceFolder, type SourceFolder } from './read-source.ts';

const maxPictureBytes = 8 * 1024 * 1024;

export type FileChange = { action: 'new' | 'changed' | 'gone' | 'kept'; path: string };

export type ConvertedFolder = {
  format: OutlineFormat;
  courses: HeldCourse[];
  changes: OutlineChange[];
  /** Files below `lessons/`. */
  files: FileChange[];
  problems: Problem[];
  warnings: Problem[];
};

/**
 * Converts a folder of Markdown lessons into a content directory. A directory that has its courses already follows the folder.
 * @param options.name of the repository; the default is that of the folder
 * @param options.language of the lessons that are taken where they have several versions
 * @param options.maxBytes of a lesson
 * @throws ContentError for a directory with unusable course files; Error
 */
export async function convertFolder(
  directory: string,
  target: string,
  options: { name?: string | undefined; language?: string | undefined; maxBytes: number },
): Promise<ConvertedFolder> {
  const source = await readSourceFolder(directory, options.maxBytes);
  const name = options.name ?? basename(resolve(directory));
  const { format, courses, problems, warnings } = outlineOf(source.files, name, options.language);
  const result: ConvertedFolder = {
    ...{ format, courses: [], changes: [], files: [], warnings: [...source.warnings, ...warnings] },
    problems: [...source.problems, ...problems],
  };
  if (courses.length > 0)
    await new FolderConversion(source, await TargetFolder.open(target), result, name).run(courses);
  return result;
}

class FolderConversion {
  readonly #source: SourceFolder;
  readonly #target: TargetFolder;
  readonly #result: ConvertedFolder;
  /** The folder of the lessons below `lessons/`. */
  readonly #root: string;
  /** The digests of what the repository has, by paths below `lessons/`. */
  readonly #written: Record<string, string> = {};

  constructor(source: SourceFolder, target: TargetFolder, result: ConvertedFolder, name: string) {
    [this.#source, this.#target, this.#result] = [source, target, result];
    this.#root = slugOf(name, new Set(), 'lessons');
  }

  async run(found: readonly OutlineCourse[]): Promise<void> {
    const last = this.#target.last(this.#root);
    const courses = found.map((course) => this.#withRoot(course));
    const slugs = new Set(this.#target.courses.map(({ course }) => course.slug));
    for (const next of courses) {
      const held = closest(
        next,
        this.#target.courses.map(({ course }) => course),
      );
      // Another repository can have a course of the same slug.
      const isOwn = held?.sections.some(({ themes }) => themes.some(({ file }) => file.startsWith(`${this.#root}/`)));
      const base = isOwn ? closest(next, last?.courses ?? []) : undefined;
      const wanted = isOwn ? next : { ...next, slug: slugOf(next.slug, slugs) };
      const { course, changes } = mergeCourse(
        base && { ...base, slug: held?.slug ?? base.slug },
        isOwn ? held : undefined,
        wanted,
      );
      this.#result.courses.push(course);
      this.#result.changes.push(...changes);
      for (const path of pathsOf(course, this.#root)) await this.#copyLesson(path, last?.files ?? {});
      await this.#writeCourse(course, changes);
    }
    await this.#removeGone(last?.files ?? {});
    await this.#target.record(this.#root, { courses, files: this.#written });
  }

  #withRoot(course: OutlineCourse): OutlineCourse {
    const themesOf = (themes: OutlineCourse['sections'][number]['themes']) =>
      themes.map((theme) => ({ ...theme, file: `${this.#root}/${theme.file}` }));
    return {
      ...course,
      sections: course.sections.map((section) => ({ ...section, themes: themesOf(section.themes) })),
    };
  }

  async #writeCourse(course: HeldCourse, changes: readonly OutlineChange[]): Promise<void> {
    if (changes.every(({ action }) => action === 'kept')) return;
    const known = this.#target.courses.find((one) => one.course.slug === course.slug)?.path;
    await this.#target.write(known ?? `courses/${course.slug}.yaml`, courseText(course));
  }

  /** A lesson and the files that it refers to. Lessons keep their paths, so that their references still resolve. */
  async #copyLesson(path: string, last: Readonly<Record<string, string>>): Promise<void> {
    const text = this.#source.files.get(path);
    if (typeof text !== 'string') return;
    const linked = withFileLinks(text, path, this.#source.files);
    await this.#put(path, linked, last);
    for (const { path: reference, isInside } of referencesOf(linked, path)) {
      if (!isInside || !this.#source.files.has(reference) || linkedTypeOf(reference) === undefined) continue;
      try {
        const content = await this.#source.read(reference, maxPictureBytes);
        if (isLfsPointer(content))
          throw new UnusablePathError('is only a pointer of Git LFS: run git lfs pull and convert again');
        await this.#put(reference, content, last);
      } catch (error) {
        if (!(error instanceof UnusablePathError)) throw error;
        this.#result.warnings.push({ file: reference, line: 1, message: `${error.message}: it is left out` });
      }
    }
  }

  /** A file that the author has edited since the last conversion stays. */
  async #put(path: string, content: string | Buffer, last: Readonly<Record<string, string>>): Promise<void> {
    const place = `lessons/${this.#root}/${path}`;
    if (Object.hasOwn(this.#written, place)) return;
    const wanted = digestOf(content);
    this.#written[place] = wanted;
    const present = await this.#target.digest(place);
    if (present === wanted) return;
    const isEdited = present !== undefined && present !== last[place];
    if (!isEdited) await this.#target.write(place, content);
    if (!isEdited || last[place] !== wanted)
      this.#result.files.push({ action: isEdited ? 'kept' : present === undefined ? 'new' : 'changed', path: place });
  }

  async #removeGone(last: Readonly<Record<string, string>>): Promise<void> {
    for (const [place, digest] of Object.entries(last)) {
      if (Object.hasOwn(this.#written, place)) continue;
      const present = await this.#target.digest(place);
      if (present === undefined) continue;
      const isEdited = present !== digest;
      if (!isEdited) await this.#target.remove(place);
      this.#result.files.push({ action: isEdited ? 'kept' : 'gone', path: place });
    }
  }
}

const pathsOf = ({ sections }: HeldCourse, root: string): string[] =>
  sections.flatMap(({ themes }) =>
    themes.flatMap(({ file }) => (file.startsWith(`${root}/`) ? [file.slice(root.length + 1)] : [])),
  );

/** What the last conversion of a repository wrote. */
type Conversion = {
  courses: OutlineCourse[];
  /** The SHA-256 of each file below `lessons/`. */
  files: Record<string, string>;
};

const stateFile = '.outlines.json';
const maxStateBytes = 64 * 1024 * 1024;
const maxYamlBytes = 1024 * 1024;
const maxLessonBytes = 256 * 1024 * 1024;

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** A content directory that conversions write to, several times. */
class TargetFolder {
  readonly #directory: string;
  readonly #folder: ContentFolder;
  /** By the name of the repository. */
  readonly #conversions: Map<string, Conversion>;
  /** The courses of the directory with their files. */
  readonly courses: readonly { path: string; course: WrittenCourse }[];

  private constructor(
    directory: string,
    folder: ContentFolder,
    conversions: Map<string, Conversion>,
    courses: TargetFolder['courses'],
  ) {
    [this.#directory, this.#folder, this.#conversions, this.courses] = [directory, folder, conversions, courses];
  }

  /** Creates the directory where it does not exist. @throws ContentError for a course file that cannot be read */
  static async open(directory: string): Promise<TargetFolder> {
    await mkdir(directory, { recursive: true });
    const folder = await ContentFolder.open(directory);
    const { courses, problems } = await readCourseFiles(folder);
    if (problems.length > 0) throw new ContentError(directory, problems);
    const state = await folder.readBytes(stateFile, maxStateBytes, { mayBeHidden: true }).catch((error: unknown) => {
      if (error instanceof AbsentPathError) return Buffer.from('{}');
      throw error;
    });
    return new TargetFolder(directory, folder, new Map(Object.entries(JSON.parse(state.toString()))), courses);
  }

  last(name: string): Conversion | undefined {
    return this.#conversions.get(name);
  }

  /** The digest of a file. Undefined where it does not exist. @throws UnusablePathError for a symbolic link */
  async digest(path: string): Promise<string | undefined> {
    try {
      return digestOf(await this.#folder.readBytes(path, maxLessonBytes));
    } catch (error) {
      if (error instanceof AbsentPathError) return undefined;
      throw error;
    }
  }

  /** Readers find either the old file or the new one. */
  async write(path: string, content: string | Buffer): Promise<void> {
    const place = join(this.#directory, path);
    await mkdir(dirname(place), { recursive: true });
    const draft = join(dirname(place), `.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(draft, content, { flag: 'wx' });
      await rename(draft, place);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.#directory, path), { force: true });
  }

  /** Call this last: what is recorded is in the directory. */
  async record(name: string, conversion: Conversion): Promise<void> {
    this.#conversions.set(name, conversion);
    await this.write(stateFile, `${JSON.stringify(Object.fromEntries(this.#conversions))}\n`);
  }
}

/** The courses of a content directory with their files. Files that cannot be used are in `problems`. */
async function readCourseFiles(
  folder: ContentFolder,
): Promise<{ courses: { path: string; course: WrittenCourse }[]; problems: Problem[] }> {
  const problems: Problem[] = [];
  const courses: { path: string; course: WrittenCourse }[] = [];
  for (const { name } of await folder.list('courses')) {
    if (!name.endsWith('.yaml')) continue;
    const path = `courses/${name}`;
    const file = new YamlFile(path, await folder.readText(path, maxYamlBytes), CourseFile, problems);
    if (!file.isValid) continue;
    const { format: _format, kind: _kind, ...course } = file.value;
    courses.push({ path, course });
  }
  return { courses, problems };
}
