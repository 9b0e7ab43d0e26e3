import { setImmediate } from 'node:timers/promises';
import type { AttemptKind } from '../../database/tables.ts';
import { ForbiddenError, InvalidError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Listed, Page } from '../../http/lists/paging.ts';
import { isTime } from '../../values/day.ts';
import type { AttemptAdminService } from '../attempts/attempt-admin-service.ts';
import type { Revision, RevisionStore } from '../attempts/revision-store.ts';
import type { AttemptStore, TaskResultRow } from '../attempts/store.ts';
import type { ExamRoomService } from '../exam-room/service.ts';
import { csvLine } from '../tables/user-csv.ts';
import type {
  Counted,
  GradeBookRow,
  GradeBookStore,
  GradedAssessment,
  GradedResult,
  GradedTask,
  ListedAssessment,
  StudentChoice,
} from './grade-book-store.ts';
import {
  type ExportedAttempt,
  exportedColumns,
  type ResultFilter,
  type ResultsStore,
  type StudentAttempt,
  type WatchableContainer,
  type WatchFilter,
} from './results-store.ts';

export { scoreKey } from './grade-book-store.ts';
export { attemptKey } from './results-store.ts';

export type GradeBook = {
  assessment: GradedAssessment;
  tasks: GradedTask[];
  students: Listed<GradedStudent>;
};
type GradedStudent = GradeBookRow & { results: (Omit<GradedResult, 'attempt_id' | 'task_id'> | null)[] };

/** An attempt with what it is shown and graded by. That is not known of attempts that ended before it was recorded. */
type SeenAttempt = {
  attempt: StudentAttempt;
  results: TaskResultRow[];
  endedBy: string | null;
  state: Revision | undefined;
};

/** Rows of a grade book that are read at once. */
const batch = 2000;
/**
 * Attempts that are read at once: PostgreSQL joins the users of so many rows at a third of the cost a row of 2,000. Up to two such parts
 * are in memory, 10 MB each.
 */
const attemptBatch = 10_000;
/** Lines that are written without a pause for other requests: about 2 ms. */
const linesAtOnce = 1000;

export type InstructorParts = {
  results: ResultsStore;
  gradeBooks: GradeBookStore;
  attempts: Pick<AttemptStore, 'endedBy' | 'results'>;
  states: Pick<RevisionStore, 'of'>;
  attemptAdmin: Pick<AttemptAdminService, 'extend'>;
  examRooms: Pick<ExamRoomService, 'extend'>;
};

/** The instructors' view of their students. */
export class InstructorService {
  readonly #parts: InstructorParts;
  readonly #results: ResultsStore;
  readonly #gradeBooks: GradeBookStore;
  readonly #attempts: Pick<AttemptStore, 'endedBy' | 'results'>;

  constructor(parts: InstructorParts) {
    this.#parts = parts;
    this.#results = parts.results;
    this.#gradeBooks = parts.gradeBooks;
    this.#attempts = parts.attempts;
  }

  async attempts(...wanted: Parameters<ResultsStore['list']>): Promise<Listed<StudentAttempt>> {
    return await this.#results.list(...wanted);
  }

  /** @throws NotFoundError */
  async attempt(caller: Caller, id: number): Promise<SeenAttempt> {
    const attempt = await this.#results.byId(caller, id);
    if (!attempt) throw new NotFoundError('not_found', 'Attempt not found');
    const [results, endedBy] = [await this.#attempts.results(id), await this.#attempts.endedBy(attempt)];
    return { attempt, results, endedBy, state: await this.#parts.states.of(attempt) };
  }

  /**
   * Adds minutes to an attempt that runs. In an exam session that is a change of the session for this student.
   * @throws NotFoundError, ForbiddenError for assistants, ConflictError unless it is in progress and has a time limit
   */
  async extend(caller: Caller, id: number, minutes: number): ReturnType<InstructorService['attempt']> {
    const { attemptAdmin, examRooms } = this.#parts;
    const { status, session_id, user_id } = (await this.attempt(caller, id)).attempt;
    if (session_id !== null && status === 'in_progress') await examRooms.extend(caller, session_id, minutes, user_id);
    else if (await this.#results.mayChange(caller, user_id)) await attemptAdmin.extend(caller, id, { added: minutes });
    else throw new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');
    return await this.attempt(caller, id);
  }

  async watchable(
    caller: Caller,
    filter: WatchFilter,
    page: Page,
  ): Promise<{ rows: WatchableContainer[]; total: number }> {
    return await this.#results.watchable(caller, filter, page);
  }

  async subjects(caller: Caller, page: Page): Promise<{ rows: ListedAssessment[]; total: number }> {
    return await this.#gradeBooks.subjects(caller, page);
  }

  /** Attempts as CSV, streamed: memory use does not grow with their number. */
  async *attemptsCsv(caller: Caller, filter: ResultFilter): AsyncGenerator<string> {
    yield csvLine(exportedColumns);
    for await (const rows of ahead(this.#results.parts(caller, filter, attemptBatch))) {
      for (let start = 0; start < rows.length; start += linesAtOnce) {
        if (start > 0) await setImmediate();
        yield rows
          .slice(start, start + linesAtOnce)
          .map(attemptLine)
          .join('');
      }
    }
  }

  /** @throws NotFoundError */
  async gradeBook(
    caller: Caller,
    kind: AttemptKind,
    id: number,
    choice: StudentChoice,
    page: Page,
  ): Promise<GradeBook> {
    const { assessment, tasks } = await this.#assessment(kind, id);
    return { assessment, tasks, students: await this.#students(caller, kind, id, choice, page, tasks) };
  }

  /** The whole grade book as CSV, with a column for each task. @throws NotFoundError before the first line */
  async gradeBookCsv(caller: Caller, kind: AttemptKind, id: number, counted: Counted): Promise<AsyncIterable<string>> {
    const { tasks } = await this.#assessment(kind, id);
    const after = (last: GradeBookRow | undefined) => {
      const cursor = last && ({ way: 'after', key: studentKey(last) } as const);
      return this.#students(
        caller,
        kind,
        id,
        { counted },
        { limit: batch, offset: 0, ...(cursor && { cursor }) },
        tasks,
      );
    };
    return (async function* () {
      yield csvLine([...studentColumns, ...tasks.map(({ title }) => title)]);
      for (let last: GradeBookRow | undefined; ; ) {
        const { rows, hasNext } = await after(last);
        yield rows.map(studentLine).join('');
        if (!hasNext) return;
        last = rows.at(-1);
      }
    })();
  }

  async #assessment(kind: AttemptKind, id: number): Promise<{ assessment: GradedAssessment; tasks: GradedTask[] }> {
    const assessment = await this.#gradeBooks.assessment(kind, id);
    if (!assessment) throw new NotFoundError('not_found', kind === 'exam' ? 'Exam not found' : 'Laboratory not found');
    return { assessment, tasks: await this.#gradeBooks.tasks(kind, id) };
  }

  async #students(
    caller: Caller,
    kind: AttemptKind,
    id: number,
    choice: StudentChoice,
    page: Page,
    tasks: readonly GradedTask[],
  ): Promise<Listed<GradedStudent>> {
    const listed = await this.#gradeBooks.students(caller, kind, id, choice, page);
    const results = await this.#gradeBooks.results(listed.rows.map(({ attempt_id }) => attempt_id));
    const byPlace = new Map(results.map((result) => [`${result.attempt_id} ${result.task_id}`, result]));
    const rows = listed.rows.map((row) => ({
      ...row,
      results: tasks.map(({ task_id }) => byPlace.get(`${row.attempt_id} ${task_id}`) ?? null),
    }));
    return { ...listed, rows };
  }
}

/** The place of a student in a grade book: usernames are ASCII, so this is PostgreSQL's `lower`. */
export const studentKey = ({ username, user_id }: Pick<GradeBookRow, 'username' | 'user_id'>): [string, number] => [
  username.toLowerCase(),
  user_id,
];

/** Reads one part ahead: the database reads it while the one before is written. */
async function* ahead<Part>(parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  let next = parts.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = parts.next();
      // The reader may leave before it asks for this part.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await parts.return(undefined);
  }
}

/** Parses the times of a filter. @throws InvalidError */
export function moments(given: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const items = Object.entries(given)
    .filter(([, text]) => !isTime(text))
    .map(([name]) => ({
      loc: ['query', name],
      msg: 'Input should be a valid datetime, invalid datetime',
      type: 'datetime_parsing',
    }));
  if (items.length > 0) throw new InvalidError(items);
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, new Date(text)]));
}

const timeColumns = ['started_at', 'submitted_at'].map((name) => exportedColumns.indexOf(name as 'started_at'));

function attemptLine(cells: ExportedAttempt): string {
  for (const column of timeColumns) cells[column] = isoTime(cells[column]);
  return csvLine(cells);
}

/** @param text of PostgreSQL, in UTC, such as `2026-11-20 20:16:05.1` */
function isoTime(text: string | null | undefined): string | null {
  if (text == null) return null;
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(3, '0')}Z`;
}

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

const studentLine = (row: GradedStudent): string =>
  csvLine([
    ...studentColumns.map((field) => cellOf(row[field])),
    ...row.results.map((result) => (result?.is_awaiting_grading ? null : (result?.points_earned ?? null))),
  ]);
