import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { found, NotFoundError, UnavailableError } from '../../errors.ts';
import { mayReferTo } from '../../values/course-folder.ts';
import { isLfsPointer, linkedTypeOf } from '../../values/media-types.ts';
import { type StudentView, teacherOf } from '../../values/student-view.ts';
import type { LessonVersion } from '../lesson-repositories/lesson-source.ts';
import type { LessonRepositories } from '../lesson-repositories/repositories.ts';
import { Catalogue, type CatalogueView, type ThemePlace } from './catalogue.ts';
import { type Progress, ReaderProgress } from './course-summary.ts';
import { ReaderTree } from './course-tree.ts';
import { type Closed, type ClosedParts, checkOpen, type Openings } from './openings.ts';
import type { ProgressStore, ThemeProgressRow } from './progress-store.ts';
import { referencedFiles, resolveReference } from './references.ts';
import type { CourseState, ThemeSchema } from './schema.ts';
import type { CourseWithSections } from './serialized-course.ts';
import type { LessonStore, ThemeRow } from './store.ts';

/** The caller's fields that lessons need. */
type Caller = { id: number; role: string; view?: StudentView };
export type ThemeInPlace = Static<typeof ThemeSchema>;
export type MissingFile = { theme_id: number; course_id: number; markdown_file_path: string };
export type CourseProgress = Progress & { course_id: number; name: string };
/** A course by its own id, or by that of one of its sections. */
export type CoursePlace = { courseId?: number | undefined; sectionId?: number | undefined };
/** A course with the progress of a reader, to be serialised. */
export type ReaderCourse = {
  /** Identifies the content. */
  version: string;
  render: () => Buffer;
};
/** A file that was found but not read yet. Its id can be enough for an answer. */
export type FoundFile = { id: string; read: () => Promise<Buffer> };
/** The formats of a lesson's text. */
export type TextForm = 'application/json' | 'text/markdown' | 'text/plain';

export type LessonParts = {
  store: LessonStore;
  progress: ProgressStore;
  openings: Pick<Openings, 'closedFor' | 'forget'>;
  repositories: LessonRepositories;
  /** No repository is configured. */
  hasOnlyShippedLessons: boolean;
  feed: ChangeFeed;
  courseAccess: {
    /** The courses of the user's classes, in ascending order. */
    coursesOf: (userId: number) => Promise<readonly number[]>;
    /** The courses that the user teaches, in ascending order. */
    taughtBy: (userId: number) => Promise<readonly number[]>;
  };
  /** Refreshes the copies of other processes where possible. Never throws. */
  refreshOthers: () => Promise<void>;
};

/** Size limit of the texts in memory, in bytes. */
const textBytes = 16 * 1024 * 1024;

/** Courses, sections, themes and their texts as a caller sees them, and the caller's progress. */
export class LessonService {
  readonly #parts: LessonParts;
  readonly #cache: RowCache<'all', Catalogue>;
  /** The references of a Markdown file, by its path and content. */
  readonly #references = new LRUCache<string, ReadonlySet<string>>({ max: 500 });
  /** Serialised texts by the id of their file, which names the content, and their form. */
  readonly #texts = new LRUCache<string, Buffer>({ maxSize: textBytes, sizeCalculation: ({ length }) => length + 1 });

  constructor(parts: LessonParts) {
    this.#parts = parts;
    this.#cache = new RowCache<'all', Catalogue>({
      feed: parts.feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  /** The tree of courses with the caller's progress. */
  async courses(caller: Caller): Promise<ReaderTree> {
    const { tree } = await this.viewOf(caller);
    return new ReaderTree(tree, await this.#parts.progress.completedIds(caller.id));
  }

  /** One course with its sections, themes and the caller's progress. @throws NotFoundError */
  async course(caller: Caller, courseId: number): Promise<ReaderCourse> {
    const view = await this.viewOf(caller);
    const index = found(view.courseIndex(courseId), 'Course');
    const completed = (await this.#parts.progress.completedIds(caller.id)).split(',').map(Number);
    const own = completed.filter((id) => view.place(id)?.courseIndex === index);
    const { tree } = view;
    return { version: `${tree.courseVersion(index)} ${own}`, render: () => tree.renderCourse(index, own) };
  }

  /** The visible courses in a state, or all of them, and those of a page with the caller's progress. */
  async summaries(caller: Caller, { offset, limit }: { offset: number; limit: number }, state?: CourseState) {
    const progress = await this.#progress(caller);
    const indexes = progress.indexes(state);
    const closed = await this.#parts.openings.closedFor(caller);
    const isOpen = (sectionId: number): boolean => !closed.has(`section:${sectionId}`);
    const courses = indexes.slice(offset, offset + limit).map((index) => progress.summary(index, isOpen));
    return { courses, total: indexes.length };
  }

  /** The caller's progress in each visible course, in their order. */
  async courseProgress(caller: Caller): Promise<CourseProgress[]> {
    const progress = await this.#progress(caller);
    return progress.courses.map(({ row: { id, name } }, index) => ({ course_id: id, name, ...progress.of(index) }));
  }

  /** The course with an id or with a section, and its visible sections in their order. @throws NotFoundError */
  async sectionsOf(caller: Caller, { courseId, sectionId }: CoursePlace) {
    const { courses } = await this.viewOf(caller);
    const isWanted = ({ row, sections }: CourseWithSections): boolean =>
      (courseId === undefined || row.id === courseId) &&
      (sectionId === undefined || sections.some((section) => section.row.id === sectionId));
    const { row, sections } = found(courses.find(isWanted), courseId === undefined ? 'Section' : 'Course');
    return { courseId: row.id, sectionIds: sections.map((section) => section.row.id) };
  }

  /** A neighbour that is closed for the caller is null. @throws NotFoundError, ForbiddenError */
  async theme(caller: Caller, themeId: number): Promise<ThemeInPlace> {
    const { place, view, closed } = await this.#place(caller, themeId);
    const { theme, courseId: course_id, templateId } = place;
    const openOne = (id: number | null): number | null => {
      const neighbour = id === null ? undefined : view.place(id);
      return neighbour === undefined || closedSection(neighbour, closed) ? null : id;
    };
    const completed_at = await this.#parts.progress.completedAt(caller.id, themeId);
    const is_completed = completed_at !== null;
    const neighbours = { previous_theme_id: openOne(place.previous), next_theme_id: openOne(place.next) };
    return { ...theme, course_id, is_completed, completed_at, ...neighbours, nearest_template_id: templateId };
  }

  /** What is closed for the caller, of what the caller sees. */
  async closed(caller: Caller): Promise<Closed[]> {
    const [view, closed] = [await this.viewOf(caller), await this.#parts.openings.closedFor(caller)];
    return [...closed.values()].filter(
      ({ course_id }) => course_id === null || view.courseIndex(course_id) !== undefined,
    );
  }

  /** The titles of those of the themes that the caller sees. */
  async titlesOf(caller: Caller, themeIds: readonly number[]): Promise<Map<number, string>> {
    const view = await this.viewOf(caller);
    const themes = themeIds.flatMap((id) => view.place(id)?.theme ?? []);
    return new Map(themes.map(({ id, title }) => [id, title]));
  }

  /** The themes with a Markdown file that the caller sees. A link may omit the ending of the file, or have that of a page. */
  async themesOfFile(caller: Caller, path: string): Promise<readonly ThemeRow[]> {
    const view = await this.viewOf(caller);
    const paths = [path, ...lessonPathsOf(path)];
    return paths.map((one) => view.themesOfFile(one)).find((themes) => themes.length > 0) ?? [];
  }

  /** The themes whose Markdown file is not in the repository, in their order. @throws UnavailableError */
  async missingFiles(caller: Caller): Promise<MissingFile[]> {
    const view = await this.viewOf(caller);
    const themes = view.courses.flatMap(({ row, sections }) =>
      sections.flatMap((section) => section.themes.map((theme) => ({ theme, course_id: row.id }))),
    );
    const missing = new Set<number>();
    const placeOf = ({ theme, course_id }: (typeof themes)[number]) => view.sourceOf(theme, course_id);
    for (const [place, some] of Map.groupBy(themes, placeOf)) {
      const version = await this.#parts.repositories.open(place);
      const paths = new Set(await version.missing(some.map(({ theme }) => theme.markdown_file_path)));
      for (const { theme } of some) if (paths.has(theme.markdown_file_path)) missing.add(theme.id);
    }
    return themes.flatMap(({ theme: { id, markdown_file_path }, course_id }) =>
      missing.has(id) ? [{ theme_id: id, course_id, markdown_file_path }] : [],
    );
  }

  /** The theme's Markdown file in a format. Without a byte order mark, and with U+FFFD where it is not UTF-8. @throws NotFoundError, ForbiddenError, UnavailableError */
  async content(caller: Caller, themeId: number, form: TextForm): Promise<FoundFile> {
    const { theme, version } = await this.#lesson(caller, themeId);
    const { id, read } = await find(version, theme.markdown_file_path);
    const key = `${id} ${form}`;
    return {
      id,
      read: async () => {
        const known = this.#texts.get(key);
        if (known) return known;
        const text = new TextDecoder().decode(await read());
        const body = Buffer.from(form === 'application/json' ? JSON.stringify(text) : text);
        this.#texts.set(key, body);
        return body;
      },
    };
  }

  /**
   * A file that the theme's Markdown refers to, from the same commit.
   * @param path relative to the Markdown file's folder
   * @throws NotFoundError for a missing file, one that the Markdown does not refer to, or an unsupported type; ForbiddenError, UnavailableError
   */
  async file(caller: Caller, themeId: number, path: string): Promise<FoundFile & { mediaType: string }> {
    const { theme, version } = await this.#lesson(caller, themeId);
    const { markdown_file_path: markdownPath } = theme;
    const target = resolveReference(markdownPath, path);
    const mediaType = target === undefined ? undefined : linkedTypeOf(target);
    const isOpen = target !== undefined && (!theme.is_written || mayReferTo(markdownPath, target));
    if (!isOpen || mediaType === undefined || !(await this.#isReferred(version, markdownPath, target))) {
      throw new NotFoundError('lesson_file_not_found', 'Lesson file not found');
    }
    const { id, read } = await find(version, target);
    return { id, mediaType, read: async () => notLfs(await read()) };
  }

  /** @throws NotFoundError, also for a student where the theme has no text; ForbiddenError */
  async complete(caller: Caller, themeId: number): Promise<ThemeProgressRow> {
    const { theme } = (await this.#place(caller, themeId)).place;
    if (caller.role === 'student') await this.#checkHasText(caller, theme);
    return found(await this.#parts.progress.complete(caller.id, theme), 'Theme');
  }

  /** @throws NotFoundError, ForbiddenError */
  async markIncomplete(caller: Caller, themeId: number): Promise<ThemeProgressRow> {
    const { theme } = (await this.#place(caller, themeId)).place;
    return await this.#parts.progress.markIncomplete(caller.id, theme.id);
  }

  /** Refreshes all processes. @throws UnavailableError where this process fails */
  async refresh(): Promise<{ commit: string | null; changed: boolean }> {
    const refreshed = await this.#parts.repositories.refresh();
    await this.#parts.refreshOthers();
    return refreshed;
  }

  /** What a caller sees; a test student sees the courses of its teacher. The same object until the catalogue, or the classes and courses of the caller, change. */
  async viewOf(caller: Caller | undefined): Promise<CatalogueView> {
    const load = async () => {
      const rows = await this.#parts.store.catalogue();
      // Another process may have deleted one.
      this.#parts.repositories.keep(rows.repositoryIds);
      return new Catalogue(rows);
    };
    const catalogue = this.#cache.peek('all') ?? (await this.#cache.get('all', load));
    if (!caller) return catalogue.viewOfMember([]);
    const { courseAccess } = this.#parts;
    const { id, role } = teacherOf(caller) ?? caller;
    if (role === 'instructor' && catalogue.hasInactive) return catalogue.viewOfStaff(await courseAccess.taughtBy(id));
    if (role !== 'student' || !catalogue.hasClassOnly) return catalogue.view(role === 'admin');
    return catalogue.viewOfMember(await courseAccess.coursesOf(id));
  }

  /** Drops the cached catalogue after another component has changed it. */
  forget(): void {
    this.#cache.forget();
    this.#parts.openings.forget();
  }

  async #progress(caller: Caller): Promise<ReaderProgress> {
    const view = await this.viewOf(caller);
    return new ReaderProgress(view, await this.#parts.progress.completedIds(caller.id));
  }

  /** @throws NotFoundError where the theme does not exist or the caller may not see it; ForbiddenError where its section is closed */
  async #place(caller: Caller, themeId: number) {
    const view = await this.viewOf(caller);
    const place = found(view.place(themeId), 'Theme');
    const closed = await this.#parts.openings.closedFor(caller);
    checkOpen(closedSection(place, closed));
    return { view, place, closed };
  }

  /**
   * Nobody can have read a theme whose file is missing. While the repository cannot be read, nothing is known. Without one, themes of the
   * API need not have a file among the shipped lessons. @throws NotFoundError
   */
  async #checkHasText(caller: Caller, { id, markdown_file_path }: ThemeRow): Promise<void> {
    try {
      if (await this.#hasRepository(caller, id)) {
        const { version } = await this.#lesson(caller, id);
        await version.identify(markdown_file_path);
      }
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  async #hasRepository(caller: Caller, themeId: number): Promise<boolean> {
    if (!this.#parts.hasOnlyShippedLessons) return true;
    const view = await this.viewOf(caller);
    const { theme, courseId } = found(view.place(themeId), 'Theme');
    return view.sourceOf(theme, courseId) !== undefined;
  }

  /** A theme and the current version of the repository with its text. @throws NotFoundError, ForbiddenError, UnavailableError */
  async #lesson(caller: Caller, themeId: number): Promise<{ theme: ThemeRow; version: LessonVersion }> {
    const { view, place } = await this.#place(caller, themeId);
    const { theme, courseId } = place;
    return { theme, version: await this.#parts.repositories.open(view.sourceOf(theme, courseId)) };
  }

  async #isReferred(version: LessonVersion, markdownPath: string, target: string): Promise<boolean> {
    const key = `${await version.identify(markdownPath)} ${markdownPath}`;
    let references = this.#references.get(key);
    if (references === undefined) {
      const { bytes } = await version.read(markdownPath);
      references = referencedFiles(bytes.toString(), markdownPath);
      this.#references.set(key, references);
    }
    return references.has(target);
  }
}

/** The section of a theme, if that is closed. */
const closedSection = ({ theme }: ThemePlace, closed: ClosedParts) => closed.get(`section:${theme.section_id}`);

/** The files that a link without the ending of a Markdown file can mean. */
function lessonPathsOf(path: string): string[] {
  if (/\.(?:md|markdown)$/i.test(path)) return [];
  const base = path.replace(/(?:\.html?|\/)$/i, '');
  return ['.md', '/index.md', '/README.md', '.markdown'].map((ending) => `${base}${ending}`);
}

function notLfs(content: Buffer): Buffer {
  if (!isLfsPointer(content)) return content;
  throw new NotFoundError(
    'lesson_file_not_found',
    'The repository has only a pointer to this file, which Git LFS keeps elsewhere',
  );
}

async function find(version: LessonVersion, path: string): Promise<FoundFile> {
  return { id: await version.identify(path), read: async () => (await version.read(path)).bytes };
}
