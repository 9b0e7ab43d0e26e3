import type { AttemptKind } from '../../database/tables.ts';
import { Invalid, NotFound } from '../../errors.ts';
import type { Page } from '../../http/paging.ts';
import type { AttemptStore, TaskResultRow } from '../attempts/store.ts';
import { csvLine } from '../auth/user-csv.ts';
import type {
  Counted,
  GradeBookRow,
  GradeBookStore,
  GradedResult,
  GradedSubject,
  GradedTask,
  ListedSubject,
  StudentChoice,
} from './grade-book-store.ts';
import type { ResultFilter, ResultsStore, StudentAttempt, WatchableContainer, WatchFilter } from './results-store.ts';

export type GradeBook = {
  subject: GradedSubject;
  tasks: GradedTask[];
  students: (GradeBookRow & { results: (Pick<GradedResult, 'passed' | 'points_earned'> | null)[] })[];
  total: number;
};

/** Rows of a file that are read at once. */
const batch = 500;
const afterAll = 2_147_483_647;

/** The instructors' view of their students. */
export class InstructorService {
  readonly #results: ResultsStore;
  readonly #gradeBooks: GradeBookStore;
  readonly #attempts: Pick<AttemptStore, 'results'>;

  constructor(parts: { results: ResultsStore; gradeBooks: GradeBookStore; attempts: Pick<AttemptStore, 'results'> }) {
    this.#results = parts.results;
    this.#gradeBooks = parts.gradeBooks;
    this.#attempts = parts.attempts;
  }

  async attempts(filter: ResultFilter, page: Page): Promise<{ rows: StudentAttempt[]; total: number }> {
    return await this.#results.list(filter, page);
  }

  /** @throws NotFound */
  async attempt(id: number): Promise<{ attempt: StudentAttempt; results: TaskResultRow[] }> {
    const attempt = await this.#results.byId(id);
    if (!attempt) throw new NotFound('not_found', 'Attempt not found');
    return { attempt, results: await this.#attempts.results(id) };
  }

  async watchable(filter: WatchFilter, page: Page): Promise<{ rows: WatchableContainer[]; total: number }> {
    return await this.#results.watchable(filter, page);
  }

  async subjects(page: Page): Promise<{ rows: ListedSubject[]; total: number }> {
    return await this.#gradeBooks.subjects(page);
  }

  /** Attempts as CSV, streamed: memory use does not grow with their number. */
  async *attemptsCsv(filter: ResultFilter): AsyncGenerator<string> {
    yield csvLine(attemptColumns);
    let last = afterAll;
    for (;;) {
      const rows = await this.#results.before(filter, last, batch);
      if (rows.length > 0) yield rows.map(attemptLine).join('');
      if (rows.length < batch) return;
      last = rows.at(-1)?.id ?? 0;
    }
  }

  /** @throws NotFound */
  async gradeBook(kind: AttemptKind, id: number, choice: StudentChoice, page: Page): Promise<GradeBook> {
    const { subject, tasks } = await this.#subject(kind, id);
    return { subject, tasks, ...(await this.#students(kind, id, choice, page, tasks)) };
  }

  /** The whole grade book as CSV, with a column for each task. @throws NotFound before the first line */
  async gradeBookCsv(kind: AttemptKind, id: number, counted: Counted): Promise<AsyncIterable<string>> {
    const { tasks } = await this.#subject(kind, id);
    const page = (offset: number) => this.#students(kind, id, { counted }, { limit: batch, offset }, tasks);
    return (async function* () {
      yield csvLine([...studentColumns, ...tasks.map(({ title }) => title)]);
      for (let offset = 0; ; offset += batch) {
        const { students } = await page(offset);
        yield students.map(studentLine).join('');
        if (students.length < batch) return;
      }
    })();
  }

  async #subject(kind: AttemptKind, id: number): Promise<{ subject: GradedSubject; tasks: GradedTask[] }> {
    const subject = await this.#gradeBooks.subject(kind, id);
    if (!subject) throw new NotFound('not_found', kind === 'exam' ? 'Exam not found' : 'Laboratory not found');
    return { subject, tasks: await this.#gradeBooks.tasks(kind, id) };
  }

  async #students(kind: AttemptKind, id: number, choice: StudentChoice, page: Page, tasks: readonly GradedTask[]) {
    const { rows, total } = await this.#gradeBooks.students(kind, id, choice, page);
    const results = await this.#gradeBooks.results(rows.map(({ attempt_id }) => attempt_id));
    const byPlace = new Map(results.map((result) => [`${result.attempt_id} ${result.task_id}`, result]));
    const students = rows.map((row) => ({
      ...row,
      results: tasks.map(({ task_id }) => byPlace.get(`${row.attempt_id} ${task_id}`) ?? null),
    }));
    return { students, total };
  }
}

/** Parses the times of a filter. @throws Invalid */
export function moments(given: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const items = Object.entries(given)
    .filter(([, text]) => Number.isNaN(Date.parse(text)))
    .map(([name]) => ({
      loc: ['query', name],
      msg: 'Input should be a valid datetime, invalid datetime',
      type: 'datetime_parsing',
    }));
  if (items.length > 0) throw new Invalid(items);
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, new Date(text)]));
}

/** Fields of an attempt in the order of a file. Its id is called `attempt_id` there. */
const attemptFields = [
  'id',
  'kind',
  'title',
  'username',
  'full_name',
  'email',
  'status',
  'started_at',
  'submitted_at',
  'score',
  'max_score',
  'passing_score',
  'passed',
] as const satisfies (keyof StudentAttempt)[];
const attemptColumns = attemptFields.map((field) => (field === 'id' ? 'attempt_id' : field));

const studentColumns = [
  'username',
  'full_name',
  'email',
  'attempts',
  'status',
  'submitted_at',
  'score',
  'max_score',
  'passed',
] as const satisfies (keyof GradeBookRow)[];

const cellOf = <Value>(value: Value | Date) => (value instanceof Date ? value.toISOString() : value);

const attemptLine = (row: StudentAttempt): string => csvLine(attemptFields.map((field) => cellOf(row[field])));

const studentLine = (row: GradeBook['students'][number]): string =>
  csvLine([
    ...studentColumns.map((field) => cellOf(row[field])),
    ...row.results.map((result) => result?.points_earned ?? null),
  ]);
