import type { Static } from 'typebox';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AssessmentService } from '../assessments/service.ts';
import type { CoursePlace, LessonService } from '../lessons/service.ts';
import type { CourseAssessmentSchema } from './schema.ts';
import type { DashboardStore } from './store.ts';

export type CourseAssessment = Static<typeof CourseAssessmentSchema>;

/** The laboratories and exams of a course as a user sees them, and whether the user has passed them. */
export class CourseAssessments {
  readonly #store: DashboardStore;
  readonly #lessons: Pick<LessonService, 'sectionsOf'>;
  readonly #subjects: readonly Pick<AssessmentService, 'kind' | 'list'>[];

  constructor(
    store: DashboardStore,
    lessons: Pick<LessonService, 'sectionsOf'>,
    subjects: readonly Pick<AssessmentService, 'kind' | 'list'>[],
  ) {
    this.#store = store;
    this.#lessons = lessons;
    this.#subjects = subjects;
  }

  /** Laboratories in the order of their sections, then exams. @throws NotFoundError for a course that the caller does not see */
  async of(caller: Caller, place: CoursePlace): Promise<CourseAssessment[]> {
    const { courseId, sectionIds } = await this.#lessons.sectionsOf(caller, place);
    const [laboratories, exams] = await Promise.all([
      this.#list(caller, 'laboratory', ({ section_id }) => sectionIds.includes(section_id ?? 0)),
      this.#list(caller, 'exam', ({ course_id }) => course_id === courseId),
    ]);
    const inOrder = laboratories.toSorted(
      (a, b) => sectionIds.indexOf(a.section_id) - sectionIds.indexOf(b.section_id),
    );
    const passed = await this.#store.passed(
      caller.id,
      exams.map(({ id }) => id),
      laboratories.map(({ id }) => id),
    );
    return [...inOrder, ...exams].map(({ kind, id, title, section_id }) => ({
      ...{ kind, id, title, course_id: courseId, section_id: section_id || null },
      is_passed: passed.has(`${kind} ${id}`),
    }));
  }

  async #list(
    caller: Caller,
    kind: AttemptKind,
    isOfCourse: (assessment: { section_id?: number | null; course_id?: number | null }) => boolean,
  ) {
    const subjects = (await this.#subjects.find((service) => service.kind === kind)?.list(caller)) ?? [];
    return subjects
      .filter(isOfCourse)
      .map(({ id, title, section_id }) => ({ kind, id, title, section_id: section_id ?? 0 }));
  }
}
