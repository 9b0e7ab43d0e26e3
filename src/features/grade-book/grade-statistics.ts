import type { Static } from 'typebox';
import { InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { rounded, sum } from './grade-rules.ts';
import type { AnalysedAttempt, GradeStatisticsStore } from './grade-statistics-store.ts';
import type { StatisticsSchema } from './grades-schema.ts';
import type { ClassGrades, ClassGradesService } from './grades-service.ts';
import {
  correlationOf,
  difficultyOf,
  discriminationOf,
  distributionOf,
  medianOf,
  type TaskAnswer,
} from './item-analysis.ts';

export type GradeStatistics = Static<typeof StatisticsSchema>;
type TaskStatistics = GradeStatistics['tasks'][number];
type Found = { title: string | null; isLaboratory: boolean; percentages: number[]; attemptIds: number[] };

/** Figures about the grades of a class: how they are distributed, and how each task works. */
export class GradeStatisticsService {
  readonly #grades: ClassGradesService;
  readonly #store: GradeStatisticsStore;

  constructor(grades: ClassGradesService, store: GradeStatisticsStore) {
    this.#grades = grades;
    this.#store = store;
  }

  /**
   * @param key of an exam, a laboratory or a column, or `total`
   * @throws NotFoundError, ForbiddenError, InvalidError for an unknown key
   */
  async read(caller: Caller, classId: number, key: string): Promise<GradeStatistics> {
    const grades = await this.#grades.read(caller, classId);
    const found = key === 'total' ? totals(grades) : (inAssessment(grades, key) ?? inColumn(grades, key));
    if (!found) {
      const msg = 'Value error, the grade book has no such exam, laboratory or column';
      throw new InvalidError([{ loc: ['query', 'item'], msg, type: 'value_error' }]);
    }
    const attempts = await this.#store.attempts(found.attemptIds);
    return {
      ...{ key, title: found.title, students: grades.students.total },
      ...distributionOf(found.percentages),
      minutes: medianMinutes(attempts.map(({ minutes }) => minutes)),
      tasks: tasksOf(attempts, found.isLaboratory),
    };
  }
}

const totals = ({ students }: ClassGrades): Found => ({
  ...{ title: null, isLaboratory: false, attemptIds: [] },
  percentages: students.rows.flatMap(({ percent }) => percent ?? []),
});

function inAssessment({ subjects, students }: ClassGrades, key: string): Found | undefined {
  const index = subjects.findIndex((assessment) => assessment.key === key);
  const assessment = subjects[index];
  if (!assessment) return undefined;
  const graded = students.rows.flatMap(({ results }) => results[index] ?? []);
  return {
    ...{ title: assessment.title, isLaboratory: assessment.kind === 'laboratory' },
    percentages: graded.flatMap(({ score, max_score }) => percentOf(score, max_score)),
    attemptIds: graded.flatMap(({ attempt_id }) => attempt_id ?? []),
  };
}

function inColumn({ columns, students }: ClassGrades, key: string): Found | undefined {
  const index = columns.findIndex((column) => column.key === key);
  const column = columns[index];
  if (!column) return undefined;
  const percentages = students.rows.flatMap(({ values }) => percentOf(values[index] ?? null, column.max_score));
  return { title: column.name, isLaboratory: false, percentages, attemptIds: [] };
}

/** As a list without or with the percentage. */
export const percentOf = (score: number | null, max: number | null): number[] =>
  score === null || max === null || max <= 0 ? [] : [(100 * score) / max];

function medianMinutes(minutes: readonly number[]): number | null {
  const median = medianOf(minutes);
  return median === undefined ? null : rounded(median);
}

/** In the order of the newest attempt that has the task, which also has its title and points. */
function tasksOf(attempts: readonly AnalysedAttempt[], isLaboratory: boolean): TaskStatistics[] {
  const answers = new Map<number, (TaskAnswer & { minutes: number | null })[]>();
  const shown = new Map<number, AnalysedAttempt['results'][number]>();
  for (const { results } of attempts) {
    const earned = sum(results.map(({ points_earned }) => points_earned));
    const points = sum(results.map((result) => result.points));
    for (const result of results) {
      shown.set(result.task_id, result);
      const rest = points - result.points;
      const answer = {
        part: part(result.points_earned, result.points),
        total: part(earned, points),
        rest: rest > 0 ? part(earned - result.points_earned, rest) : undefined,
        minutes: result.minutes,
      };
      answers.set(result.task_id, [...(answers.get(result.task_id) ?? []), answer]);
    }
  }
  return [...shown.values()]
    .sort((a, b) => a.order_index - b.order_index || a.task_id - b.task_id)
    .map(({ task_id, title, points }) => {
      const of = answers.get(task_id) ?? [];
      const solved = of.filter((answer) => answer.part === 1);
      return {
        ...{ task_id, title, points, count: of.length, solved: solved.length, difficulty: difficultyOf(of) },
        ...{ discrimination: discriminationOf(of), correlation: correlationOf(of) },
        minutes: isLaboratory ? medianMinutes(solved.flatMap(({ minutes }) => minutes ?? [])) : null,
      };
    });
}

const part = (earned: number, points: number): number => (points > 0 ? earned / points : 0);
