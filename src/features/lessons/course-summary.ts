import type { Static } from 'typebox';
import type { CatalogueView } from './catalogue.ts';
import type { CourseState, CourseSummarySchema } from './schema.ts';
import { type CourseWithSections, percentOf } from './serialized-course.ts';

export type Progress = { completed_themes: number; total_themes: number; percent: number };

/** A course without its sections. */
export type CourseSummary = Static<typeof CourseSummarySchema>;

/** What a reader has completed of the visible courses. */
export class ReaderProgress {
  readonly courses: readonly CourseWithSections[];
  readonly #completed: ReadonlySet<number>;
  /** The number of completed themes by the index of their course. */
  readonly #counts = new Map<number, number>();

  /** @param completed the ids of the completed themes, separated by commas */
  constructor(view: CatalogueView, completed: string) {
    this.courses = view.courses;
    this.#completed = new Set(completed.split(',').map(Number));
    for (const id of this.#completed) {
      const course = view.place(id)?.courseIndex;
      if (course !== undefined) this.#counts.set(course, (this.#counts.get(course) ?? 0) + 1);
    }
  }

  /** The progress in a course. */
  of(index: number): Progress {
    const completed_themes = this.#counts.get(index) ?? 0;
    const total_themes = this.courses[index]?.themeCount ?? 0;
    return { completed_themes, total_themes, percent: percentOf(completed_themes, total_themes) };
  }

  /** The indexes of the courses in a state, by default of all. */
  indexes(state?: CourseState): number[] {
    const all = [...this.courses.keys()];
    return state === undefined ? all : all.filter((index) => stateOf(this.of(index)) === state);
  }

  /** @param isOpen whether a section is open to the reader */
  summary(index: number, isOpen: (sectionId: number) => boolean): CourseSummary {
    const { row, sections } = this.courses[index] as CourseWithSections;
    const themes = sections.flatMap((section) => section.themes);
    const left = themes.filter(({ id }) => !this.#completed.has(id));
    const next = left.length === 0 ? themes[0] : left.find(({ section_id }) => isOpen(section_id));
    const next_theme = next ? { id: next.id, title: next.title } : null;
    return { ...row, section_count: sections.length, progress: this.of(index), next_theme };
  }
}

function stateOf({ completed_themes, total_themes }: Progress): CourseState | undefined {
  if (total_themes === 0) return undefined;
  if (completed_themes === 0) return 'new';
  return completed_themes < total_themes ? 'begun' : 'finished';
}
