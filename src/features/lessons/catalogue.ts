import { LRUCache } from 'lru-cache';
import type { LessonRepository } from '../../database/tables.ts';
import type { LessonPlace } from '../lesson-repositories/repositories.ts';
import { CourseTree } from './course-tree.ts';
import { type CourseWithSections, percentOf, type SectionWithThemes } from './serialized-course.ts';
import type { CourseRow, LessonRows, ThemeRow } from './store.ts';

/** A theme, its course and the index of that in the view, and its neighbours in the course, across sections. */
export type ThemePlace = {
  theme: ThemeRow;
  courseId: number;
  courseIndex: number;
  previous: number | null;
  next: number | null;
  /** The nearest template: of the theme, its section or its course. */
  templateId: number | null;
};

/** Views for the members of different classes and the staff of different courses that are kept. Each serialises its courses once. */
const maxViews = 20;

/** All courses, sections and themes in memory, as administrators, instructors and students see them. */
export class Catalogue {
  readonly #rows: LessonRows;
  /** Whether some courses or sections are hidden from students. */
  readonly hasInactive: boolean;
  readonly #classOnly: ReadonlySet<number>;
  readonly #views: { everything?: CatalogueView; published?: CatalogueView } = {};
  /** By the courses for classes only that they contain, or by the courses that their reader teaches. */
  readonly #someViews = new LRUCache<string, CatalogueView>({ max: maxViews });

  /** @param rows each level in its order */
  constructor(rows: LessonRows) {
    this.#rows = rows;
    this.hasInactive = [...rows.courses, ...rows.sections].some(({ is_active }) => !is_active);
    const classOnly = rows.courses.filter(({ is_active, is_class_only }) => is_active && is_class_only);
    this.#classOnly = new Set(classOnly.map(({ id }) => id));
  }

  /** Whether some courses are visible to the members of their classes only. */
  get hasClassOnly(): boolean {
    return this.#classOnly.size > 0;
  }

  /** What a student sees. @param own the courses of the student's classes, in ascending order */
  viewOfMember(own: readonly number[]): CatalogueView {
    const open = new Set(own.filter((id) => this.#classOnly.has(id)));
    if (open.size === this.#classOnly.size) return this.view(false);
    return this.#kept(`member ${[...open].join(' ')}`, () => {
      const { courses, ...rows } = published(this.#rows);
      return { ...rows, courses: courses.filter(({ id, is_class_only }) => !is_class_only || open.has(id)) };
    });
  }

  /** What an instructor sees. @param own the courses that the instructor teaches, in ascending order: with all that is hidden there */
  viewOfStaff(own: readonly number[]): CatalogueView {
    const taught = new Set(own);
    if (taught.size === 0) return this.view(false);
    return this.#kept(`staff ${own.join(' ')}`, () => {
      const { courses, sections, ...rows } = this.#rows;
      return {
        ...rows,
        courses: courses.filter(({ id, is_active }) => is_active || taught.has(id)),
        sections: sections.filter(({ course_id, is_active }) => is_active || taught.has(course_id)),
      };
    });
  }

  #kept(key: string, rows: () => LessonRows): CatalogueView {
    const view = this.#someViews.get(key) ?? new CatalogueView(rows());
    this.#someViews.set(key, view);
    return view;
  }

  /** @param seesInactive whether inactive courses and sections are visible */
  view(seesInactive: boolean): CatalogueView {
    if (seesInactive || !this.hasInactive) {
      this.#views.everything ??= new CatalogueView(this.#rows);
      return this.#views.everything;
    }
    this.#views.published ??= new CatalogueView(published(this.#rows));
    return this.#views.published;
  }
}

const published = ({ courses, sections, ...rows }: LessonRows): LessonRows => ({
  ...rows,
  courses: courses.filter(({ is_active }) => is_active),
  sections: sections.filter(({ is_active }) => is_active),
});

/** The visible part of the catalogue. It never changes: after a change there is another. */
export class CatalogueView {
  readonly courses: readonly CourseWithSections[];
  readonly #places = new Map<number, ThemePlace>();
  readonly #courseIndexes: ReadonlyMap<number, number>;
  #themesOfFiles: ReadonlyMap<string, readonly ThemeRow[]> | undefined;
  readonly #repositories: ReadonlyMap<number, LessonRepository>;
  #tree: CourseTree | undefined;
  #themeCount: number | undefined;

  constructor({ courses, sections, themes, repositories }: LessonRows) {
    this.#repositories = repositories;
    const themesOf = Map.groupBy(themes, (theme) => theme.section_id);
    const sectionsOf = Map.groupBy(sections, (section) => section.course_id);
    this.courses = courses.map((course, index) => {
      const own = (sectionsOf.get(course.id) ?? []).map((row) => ({ row, themes: themesOf.get(row.id) ?? [] }));
      return { row: course, sections: own, themeCount: this.#place(course, index, own) };
    });
    this.#courseIndexes = new Map(courses.map(({ id }, index) => [id, index]));
  }

  /** Undefined where the course does not exist or is not visible. */
  courseIndex(courseId: number): number | undefined {
    return this.#courseIndexes.get(courseId);
  }

  /** Undefined where the theme does not exist or is not visible. */
  place(themeId: number): ThemePlace | undefined {
    return this.#places.get(themeId);
  }

  /** Where the lessons of a course are. Undefined: in the lessons repository of the service. */
  repositoryOf(courseId: number): LessonRepository | undefined {
    return this.#repositories.get(courseId);
  }

  /** Where the file of a theme is. */
  sourceOf({ is_written }: Pick<ThemeRow, 'is_written'>, courseId: number): LessonPlace {
    return is_written ? 'written' : this.repositoryOf(courseId);
  }

  /** All themes of a place by their files, with the names of their courses. */
  themesByFile(place: LessonPlace): Map<string, { theme: ThemeRow; course: CourseRow }[]> {
    const themes = this.courses.flatMap(({ row, sections }) =>
      sections.flatMap((section) => section.themes.map((theme) => ({ theme, course: row }))),
    );
    const inPlace = themes.filter(({ theme, course }) => this.sourceOf(theme, course.id) === place);
    return Map.groupBy(inPlace, ({ theme }) => theme.markdown_file_path);
  }

  /** The themes whose text is in a file, in their order. */
  themesOfFile(path: string): readonly ThemeRow[] {
    this.#themesOfFiles ??= Map.groupBy(
      this.courses.flatMap(({ sections }) => sections.flatMap(({ themes }) => themes)),
      ({ markdown_file_path }) => markdown_file_path,
    );
    return this.#themesOfFiles.get(path) ?? [];
  }

  /** How many themes are visible, and how many of those completed ones, with the sum of their minutes. */
  figures(completedIds: readonly number[]) {
    this.#themeCount ??= this.courses.reduce((sum, { themeCount }) => sum + themeCount, 0);
    const total_themes = this.#themeCount;
    let completed_themes = 0;
    let minutes_learned = 0;
    for (const id of completedIds) {
      const theme = this.#places.get(id)?.theme;
      if (theme === undefined) continue;
      completed_themes += 1;
      minutes_learned += theme.duration_minutes;
    }
    return { completed_themes, total_themes, percent: percentOf(completed_themes, total_themes), minutes_learned };
  }

  /** The serialised tree. */
  get tree(): CourseTree {
    this.#tree ??= new CourseTree(this.courses, (themeId) => this.#places.get(themeId)?.courseIndex);
    return this.#tree;
  }

  /** @returns the number of the course's themes */
  #place(course: CourseRow, courseIndex: number, sections: readonly SectionWithThemes[]): number {
    let count = 0;
    let before: ThemePlace | undefined;
    for (const { row, themes } of sections) {
      for (const theme of themes) {
        const previous = before?.theme.id ?? null;
        const templateId = theme.template_id ?? row.template_id ?? course.template_id;
        const place: ThemePlace = { theme, courseId: course.id, courseIndex, previous, next: null, templateId };
        if (before) before.next = theme.id;
        this.#places.set(theme.id, place);
        before = place;
        count += 1;
      }
    }
    return count;
  }
}
