import type { Static } from 'typebox';
import { NotFoundError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { AssessmentService } from '../assessments/service.ts';
import type { CourseWithSections } from '../lessons/serialized-course.ts';
import type { LessonService } from '../lessons/service.ts';
import type { OpenCourseSchema } from './schema.ts';

type Assessments = Awaited<ReturnType<AssessmentService['list']>>;

export type OpenCourse = Static<typeof OpenCourseSchema>;

/**
 * The courses as visitors without an account see them: what is published and not for classes only, without texts. It is computed from
 * the caches of lessons, laboratories and exams, once for each of their states.
 */
export class OpenCatalogue {
  readonly #isOpen: () => Promise<boolean>;
  readonly #lessons: Pick<LessonService, 'viewOf'>;
  readonly #subjects: readonly Pick<AssessmentService, 'kind' | 'list'>[];
  #known: { sources: readonly unknown[]; courses: readonly OpenCourse[] } | undefined;

  constructor(
    isOpen: () => Promise<boolean>,
    lessons: Pick<LessonService, 'viewOf'>,
    subjects: readonly Pick<AssessmentService, 'kind' | 'list'>[],
  ) {
    this.#isOpen = isOpen;
    this.#lessons = lessons;
    this.#subjects = subjects;
  }

  /** All of them in their order: the same array until something changes. @throws NotFoundError unless the catalogue is open */
  async courses(): Promise<readonly OpenCourse[]> {
    if (!(await this.#isOpen())) throw new NotFoundError('not_found', 'Not Found');
    const [view, exams, laboratories] = await Promise.all([
      this.#lessons.viewOf(undefined),
      this.#list('exam'),
      this.#list('laboratory'),
    ]);
    const sources = [view, exams, laboratories];
    if (this.#known?.sources.every((source, index) => source === sources[index])) return this.#known.courses;
    const examsOf = countBy(exams, ({ course_id }) => course_id);
    const laboratoriesOf = countBy(laboratories, ({ section_id }) => section_id);
    const courses = view.courses.map((course) => toOpenCourse(course, examsOf, laboratoriesOf));
    this.#known = { sources, courses };
    return courses;
  }

  async #list(kind: 'exam' | 'laboratory'): Promise<Assessments> {
    return (await this.#subjects.find((service) => service.kind === kind)?.list(undefined)) ?? [];
  }
}

/** Those of a page. */
export const coursesOfPage = (courses: readonly OpenCourse[], { offset, limit }: Page): readonly OpenCourse[] =>
  courses.slice(offset, offset + limit);

function countBy(subjects: Assessments, placeOf: (assessment: Assessments[number]) => number | null | undefined) {
  const counts = new Map<number, number>();
  for (const assessment of subjects) {
    const place = placeOf(assessment) ?? 0;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

function toOpenCourse(
  { row, sections, themeCount }: CourseWithSections,
  examsOf: ReadonlyMap<number, number>,
  laboratoriesOf: ReadonlyMap<number, number>,
): OpenCourse {
  const { id, name, description, icon } = row;
  const minutes = sections.flatMap(({ themes }) => themes.map(({ duration_minutes }) => duration_minutes));
  const laboratories = sections.map((section) => laboratoriesOf.get(section.row.id) ?? 0);
  return {
    ...{ id, name, description, icon },
    theme_count: themeCount,
    laboratory_count: laboratories.reduce((sum, count) => sum + count, 0),
    exam_count: examsOf.get(id) ?? 0,
    duration_minutes: minutes.reduce((sum, some) => sum + some, 0),
    sections: sections.map(({ row: section, themes }) => ({
      id: section.id,
      name: section.name,
      has_laboratory: laboratoriesOf.has(section.id),
      themes: themes.map(({ title, duration_minutes }) => ({ title, duration_minutes })),
    })),
  };
}
