import type { Static } from 'typebox';
import type { Caller } from '../../http/access/access.ts';
import { percentOf } from './grade-statistics.ts';
import type { GradeStatisticsStore, TaskCount } from './grade-statistics-store.ts';
import type { ComparisonSchema } from './grades-schema.ts';
import type { ClassGrades, ClassGradesService, ShownGrade } from './grades-service.ts';
import { distributionOf } from './item-analysis.ts';

/** Figures of one class. */
type ClassFigures = { count: number; mean: number | null; median: number | null; passed: number };
/** What two classes have in common. Pairs are in the order of the classes. */
export type GradeComparison = Static<typeof ComparisonSchema>;
type Subject = ClassGrades['subjects'][number];

/** Compares the grades of two classes, such as of two terms. */
export class GradeComparisonService {
  readonly #grades: ClassGradesService;
  readonly #store: GradeStatisticsStore;

  constructor(grades: ClassGradesService, store: GradeStatisticsStore) {
    this.#grades = grades;
    this.#store = store;
  }

  /**
   * The exams and laboratories that both classes have: the same one, or copies of one.
   * @throws NotFoundError, ForbiddenError unless the caller sees the grades of both
   */
  async read(caller: Caller, ids: readonly [number, number]): Promise<GradeComparison> {
    const [one, other] = [await this.#grades.read(caller, ids[0]), await this.#grades.read(caller, ids[1])];
    const pairs = pairsOf(one.subjects, other.subjects).map(({ subjects: [first, second], title, kind }) => ({
      ...{ title, kind, keys: [first.key, second.key] },
      grades: [gradesOf(one, first), gradesOf(other, second)],
    }));
    const attempts = pairs.flatMap(({ grades }) =>
      grades.map((some) => some.flatMap(({ attempt_id }) => attempt_id ?? [])),
    );
    const tasks = Map.groupBy(await this.#store.tasksOf(attempts), ({ group }) => group);
    return {
      classes: [one, other].map(({ class_name: name, students }, index) => ({
        ...{ id: ids[index] ?? 0, name, students: students.total },
      })),
      items: pairs.map(({ grades, ...pair }, index) => ({
        ...pair,
        figures: grades.map(figuresOf),
        tasks: tasksOf(tasks.get(2 * index) ?? [], tasks.get(2 * index + 1) ?? []),
      })),
    };
  }
}

/** In the order of the first class. The same exam or laboratory goes before a copy. */
function pairsOf(ones: readonly Subject[], others: readonly Subject[]) {
  const free = new Set(others);
  const pair = (one: Subject, isSame: (other: Subject) => boolean) => {
    const second = [...free].find((other) => other.kind === one.kind && isSame(other));
    if (!second) return undefined;
    free.delete(second);
    return { kind: one.kind, title: one.title, subjects: [one, second] as const };
  };
  const same = new Map(ones.map((one) => [one, pair(one, ({ id }) => id === one.id)]));
  return ones.flatMap((one) => same.get(one) ?? pair(one, ({ origin_id }) => origin_id === one.origin_id) ?? []);
}

/** The grades that count, one of each student who has one. */
function gradesOf({ subjects, students }: ClassGrades, subject: Subject): ShownGrade[] {
  const index = subjects.indexOf(subject);
  return students.rows.flatMap(({ results }) => results[index] ?? []).filter(({ attempt_id }) => attempt_id !== null);
}

function figuresOf(grades: readonly ShownGrade[]): ClassFigures {
  const { mean, median } = distributionOf(grades.flatMap(({ score, max_score }) => percentOf(score, max_score)));
  return { count: grades.length, mean, median, passed: grades.filter(({ passed }) => passed).length };
}

/** In the order of the first class, then what only the second one has. */
function tasksOf(ones: readonly TaskCount[], others: readonly TaskCount[]) {
  const names = new Set([...ones, ...others].map(({ name }) => name));
  return [...names].map((name) => {
    const found = [ones, others].map((tasks) => tasks.find((task) => task.name === name));
    return {
      title: found[0]?.title ?? found[1]?.title ?? name,
      figures: found.map((task) => ({ count: task?.count ?? 0, passed: task?.passed ?? 0 })),
    };
  });
}
