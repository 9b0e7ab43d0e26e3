import type { Static } from 'typebox';
import { invalidSort } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { rounded, sum, type TotalGrade, totalOf, type WeighedGrade } from './grade-rules.ts';
import type { ClassGradesSchema, OwnGradesSchema } from './grades-schema.ts';
import type {
  BookRules,
  ClassGradesStore,
  Grade,
  GradeBook,
  GradeColumn,
  GradedAssessment,
  GradedStudent,
} from './grades-store.ts';

export type ShownGrade = Omit<Grade, 'submitted_at' | 'is_withheld'> & { submitted_at: Date | null };
export type StudentGrades = Static<typeof ClassGradesSchema>['students'][number];
export type KeyedBook = {
  rules: BookRules;
  subjects: (GradedAssessment & { key: string })[];
  columns: (GradeColumn & { key: string })[];
};
export type ClassGrades = KeyedBook & {
  class_name: string;
  max_score: number;
  students: { rows: StudentGrades[]; total: number };
};
type OwnItem = Static<typeof OwnGradesSchema>['items'][number];
export type OwnGrades = Omit<TotalGrade, 'dropped'> & { rules: BookRules; items: OwnItem[] };
export type GradesChoice = {
  q?: string | undefined;
  state?: 'passed' | 'failed' | 'missing' | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};

/** A grade book with the key of each exam, laboratory and column. Keys are unique in a book. */
export const keyed = ({ rules, subjects, columns }: GradeBook): KeyedBook => ({
  rules,
  subjects: subjects.map((assessment) => ({ key: `${assessment.kind}-${assessment.id}`, ...assessment })),
  columns: columns.map((column) => ({ key: `column-${column.id}`, ...column })),
});

/** The grades of a class, with the totals by the rules of its grade book. */
export class ClassGradesService {
  readonly #store: ClassGradesStore;

  constructor(store: ClassGradesStore) {
    this.#store = store;
  }

  /**
   * @param page undefined for all students
   * @throws NotFoundError, ForbiddenError, InvalidError for an unknown sort key
   */
  async read(caller: Caller, classId: number, choice: GradesChoice = {}, page?: Page): Promise<ClassGrades> {
    const { q, state, sort = 'username', order = 'asc' } = choice;
    // Any other order needs the totals of all students.
    const isByName = sort === 'username' && order === 'asc' && state === undefined;
    const { class_name, book, students, total } = await this.#store.read(
      caller,
      classId,
      q,
      isByName ? page : undefined,
    );
    const shown = { class_name, ...keyed(book) };
    const rows = students.map((student) => toStudent(student, shown));
    const max_score = sum([
      ...book.subjects.filter(({ is_active }) => is_active).map((assessment) => assessment.max_score),
      ...book.columns.map((column) => column.max_score),
    ]);
    if (isByName) return { ...shown, max_score: rounded(max_score), students: { rows, total } };
    const chosen = rows.filter((row) => isIn(row, state));
    const sorted = inOrder(chosen, valueFor(shown, sort), order);
    const some = page ? sorted.slice(page.offset, page.offset + page.limit) : sorted;
    return { ...shown, max_score: rounded(max_score), students: { rows: some, total: chosen.length } };
  }

  /** @throws NotFoundError, ForbiddenError unless the instructor shows the grades */
  async own(caller: Caller, classId: number): Promise<OwnGrades> {
    const { book, student } = await this.#store.readOwn(caller, classId);
    const shown = keyed(book);
    const { results, values, percent, is_passed, dropped } = toStudent(student ?? nobody, shown);
    const withheld = new Set(
      shown.subjects.filter((_, index) => student?.grades[index]?.is_withheld).map(({ key }) => key),
    );
    const state = (key: string, score: number | null, is_awaiting_grading = false) => ({
      is_withheld: withheld.has(key),
      is_awaiting_grading,
      is_missing: score === null && !withheld.has(key) && !is_awaiting_grading,
      is_dropped: dropped.includes(key),
    });
    const subjects = shown.subjects.flatMap(({ key, kind, title, weight, max_score, is_active }, index): OwnItem[] => {
      if (!is_active) return [];
      const { score = null, passed = null, attempt_id = null, max_score: max, late = null } = results[index] ?? {};
      return [
        {
          key,
          kind,
          title,
          weight,
          score,
          max_score: max ?? max_score,
          passed,
          attempt_id,
          late,
          ...state(key, score, isAwaiting(results[index])),
        },
      ];
    });
    const columns = shown.columns.map(({ key, name, weight, max_score }, index): OwnItem => {
      const score = values[index] ?? null;
      const of = { key, kind: 'column', title: name, weight, score, max_score } as const;
      return { ...of, passed: null, attempt_id: null, late: null, ...state(key, score) };
    });
    return { rules: book.rules, percent, is_passed, items: [...subjects, ...columns] };
  }
}

const nobody = {
  user_id: 0,
  username: '',
  full_name: null,
  email: '',
  extensions: [],
  grades: [],
  values: [],
} satisfies GradedStudent;

function toStudent(
  { grades, values: typed, ...student }: GradedStudent,
  { rules, subjects, columns }: KeyedBook,
): StudentGrades {
  const results = subjects.map((_, index): ShownGrade | null => {
    const found = grades[index];
    if (!found) return null;
    const { is_withheld: _withheld, submitted_at, ...grade } = found;
    return { ...grade, submitted_at: submitted_at === null ? null : new Date(submitted_at) };
  });
  const values = columns.map((_, index) => typed[index] ?? null);
  const counted = subjects.flatMap((assessment, index) =>
    assessment.is_active
      ? [{ assessment, grade: results[index], isWithheld: grades[index]?.is_withheld === true }]
      : [],
  );
  const weighed = [
    ...counted
      // A grade that the student may not see yet is not missing, nor one that people have not given yet.
      .filter(({ grade, isWithheld }) => !isWithheld && !isAwaiting(grade))
      .map(({ assessment, grade }) => weigh(assessment, grade?.score, grade?.max_score ?? assessment.max_score)),
    ...columns.map((column, index) => weigh(column, values[index], column.max_score)),
  ];
  return {
    ...student,
    ...totalOf(
      rules,
      weighed.flatMap((grade) => grade ?? []),
    ),
    score: rounded(sum([...counted.map(({ grade }) => grade?.score ?? 0), ...values.map((value) => value ?? 0)])),
    passed: counted.filter(({ grade }) => grade?.passed).length,
    missing:
      counted.filter(({ grade }) => (!grade || grade.attempt_id === null) && !isAwaiting(grade)).length +
      values.filter((value) => value === null).length,
    results,
    values,
  };
}

/** Whether people have not graded an attempt, and no other one counts. */
const isAwaiting = (grade: ShownGrade | null | undefined): boolean =>
  grade?.is_awaiting_grading === true && grade.attempt_id === null;

/** A column or assessment with a maximum of zero has no percentage, so it does not count. */
function weigh(
  { key, weight }: { key: string; weight: number },
  score: number | null | undefined,
  max: number,
): WeighedGrade | undefined {
  if (max <= 0) return undefined;
  return { key, weight, part: score == null ? undefined : score / max };
}

function isIn({ is_passed, missing }: StudentGrades, state: GradesChoice['state']): boolean {
  if (state === 'missing') return missing > 0;
  if (state === undefined) return true;
  return is_passed === (state === 'passed');
}

type Sortable = string | number | null | undefined;

/** @throws InvalidError */
function valueFor({ subjects, columns }: KeyedBook, sort: string): (row: StudentGrades) => Sortable {
  if (sort === 'username') return ({ username }) => username.toLowerCase();
  if (sort === 'percent' || sort === 'score' || sort === 'missing') return (row) => row[sort];
  const assessment = subjects.findIndex(({ key }) => key === sort);
  if (assessment >= 0) return ({ results }) => results[assessment]?.score;
  const column = columns.findIndex(({ key }) => key === sort);
  if (column >= 0) return ({ values }) => values[column];
  throw invalidSort('the grade book has no such exam, laboratory or column');
}

/** What is missing comes last in both orders. Equal ones stay in the order of usernames. */
function inOrder(
  rows: readonly StudentGrades[],
  value: (row: StudentGrades) => Sortable,
  order: 'asc' | 'desc',
): StudentGrades[] {
  const sign = order === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a) ?? null, value(b) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -sign : sign;
  });
}
