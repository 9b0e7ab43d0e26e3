import { LRUCache } from 'lru-cache';
import { found, NotFound } from '../../errors.ts';
import type { LessonSource, LessonVersion } from './lesson-source.ts';
import { mediaTypeOf } from './media-types.ts';
import { referencedFiles, resolveReference } from './references.ts';
import type { CourseRow, LessonStore, Reader, SectionRow, ThemeInPlace, ThemeProgressRow, ThemeRow } from './store.ts';

/** The caller's fields that lessons need. */
type Caller = { id: number; role: string };
type ThemeNode = ThemeRow & { is_completed: boolean };
export type CourseNode = CourseRow & {
  sections: (SectionRow & { themes: ThemeNode[] })[];
  progress: { completed_themes: number; total_themes: number; percent: number };
};
/** A file that was found but not read yet. Its id can be enough for an answer. */
export type FoundFile = { id: string; read: () => Promise<Buffer> };

const readerOf = (caller: Caller): Reader => ({ userId: caller.id, seesInactive: caller.role === 'admin' });

/** With one decimal, rounded down, so that only a complete part is 100. */
const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10);

/** Courses, sections, themes and their texts as a caller sees them, and the caller's progress. */
export class LessonService {
  readonly #store: LessonStore;
  readonly #source: LessonSource;
  /** The references of a Markdown file, by its path and content. */
  readonly #references = new LRUCache<string, ReadonlySet<string>>({ max: 500 });

  readonly #refreshOthers: () => Promise<void>;

  /** @param parts.refreshOthers refreshes the copies of other processes where possible; never throws */
  constructor(parts: { store: LessonStore; source: LessonSource; refreshOthers: () => Promise<void> }) {
    this.#store = parts.store;
    this.#source = parts.source;
    this.#refreshOthers = parts.refreshOthers;
  }

  async courses(caller: Caller): Promise<CourseNode[]> {
    const { courses, sections, themes } = await this.#store.catalogue(readerOf(caller));
    const themesOf = Map.groupBy(themes, (theme) => theme.section_id);
    const sectionsOf = Map.groupBy(sections, (section) => section.course_id);
    return courses.map((course) => {
      const own = (sectionsOf.get(course.id) ?? []).map((section) => ({
        ...section,
        themes: themesOf.get(section.id) ?? [],
      }));
      const all = own.flatMap((section) => section.themes);
      const completed_themes = all.filter((theme) => theme.is_completed).length;
      const percent = percentOf(completed_themes, all.length);
      return { ...course, sections: own, progress: { completed_themes, total_themes: all.length, percent } };
    });
  }

  /** @throws NotFound */
  async theme(caller: Caller, themeId: number): Promise<ThemeInPlace> {
    return found(await this.#store.theme(readerOf(caller), themeId), 'Theme');
  }

  /** The theme's Markdown file. @throws NotFound, Unavailable */
  async content(caller: Caller, themeId: number): Promise<FoundFile> {
    const { markdown_file_path: path } = await this.theme(caller, themeId);
    return await find(await this.#source.open(), path);
  }

  /**
   * A file that the theme's Markdown refers to, from the same commit.
   * @param path relative to the Markdown file's folder
   * @throws NotFound for a missing file, one that the Markdown does not refer to, or an unsupported type; Unavailable
   */
  async file(caller: Caller, themeId: number, path: string): Promise<FoundFile & { mediaType: string }> {
    const { markdown_file_path: markdownPath } = await this.theme(caller, themeId);
    const version = await this.#source.open();
    const target = resolveReference(markdownPath, path);
    const mediaType = target === undefined ? undefined : mediaTypeOf(target);
    if (target === undefined || mediaType === undefined || !(await this.#isReferred(version, markdownPath, target))) {
      throw new NotFound('lesson_file_not_found', 'Lesson file not found');
    }
    return { ...(await find(version, target)), mediaType };
  }

  /** @throws NotFound */
  async complete(caller: Caller, themeId: number): Promise<ThemeProgressRow> {
    return found(await this.#store.complete(caller.id, await this.theme(caller, themeId)), 'Theme');
  }

  /** @throws NotFound */
  async takeBack(caller: Caller, themeId: number): Promise<ThemeProgressRow> {
    const { id } = await this.theme(caller, themeId);
    return await this.#store.takeBack(caller.id, id);
  }

  /** Refreshes all processes. @throws Unavailable where this process fails */
  async refresh(): Promise<{ commit: string | null; changed: boolean }> {
    const refreshed = await this.#source.refresh();
    await this.#refreshOthers();
    return refreshed;
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

async function find(version: LessonVersion, path: string): Promise<FoundFile> {
  return { id: await version.identify(path), read: async () => (await version.read(path)).bytes };
}
