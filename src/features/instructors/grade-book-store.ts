import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import { isAssessment, ofAssessment, tasksOf } from '../../database/catalogue/assessments.ts';
import type { Database } from '../../database/connection/connect.ts';
import { isCounted } from '../../database/exam-session-rules.ts';
import {
  countRows,
  cut,
  isBackward,
  isWhole,
  type Listed,
  type Order,
  type Page,
  rowsToRead,
} from '../../database/lists/keyset.ts';
import { LongStatistic } from '../../database/lists/long-statistic.ts';
import { checkSortable, noScore, sortedRows } from '../../database/lists/sorted-attempts.ts';
import { eachOf, ofScope, type StudentScope, studentScope } from '../../database/lists/student-scope.ts';
import { userMatches, usersMatching } from '../../database/lists/user-search.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { ListedStatus } from '../../values/attempt-status.ts';
import type { ExamGradeBookSchema } from './schema.ts';

/** Which of a student's attempts counts. */
export type Counted = 'best' | 'latest';

/** The selected students, the selected attempts of each, and their order: by default by username. */
export type StudentChoice = {
  counted: Counted;
  search?: string | undefined;
  order?: Order<'username' | 'score'>;
};

export type GradedAssessment = Static<typeof ExamGradeBookSchema>['exam'];
export type ListedAssessment = { kind: AttemptKind; id: number; title: string; is_active: boolean; students: number };
export type GradedTask = { task_id: number; title: string; points: number; is_deleted: boolean };
export type GradeBookRow = {
  user_id: number;
  username: string;
  full_name: string | null;
  email: string;
  attempts: number;
  attempt_id: number;
  status: ListedStatus;
  started_at: Date;
  submitted_at: Date | null;
  score: number | null;
  max_score: number;
  passed: boolean | null;
};
export type GradedResult = {
  attempt_id: number;
  task_id: number;
  passed: boolean;
  points_earned: number;
  is_awaiting_grading: boolean;
};

/** The students' grades in one exam or laboratory. Every query starts at the index of its attempts. */
export class GradeBookStore {
  readonly #db: Database;
  readonly #list: StudentList;
  readonly #students: LongStatistic<StudentCount>;

  constructor(db: Database) {
    this.#db = db;
    this.#list = new StudentList(db);
    this.#students = new LongStatistic(db, 'attempts', async () => (await studentsOfAll.execute(db)).rows);
  }

  /**
   * Exams, then laboratories, by title, including retired ones. The numbers of students are of those whom the caller sees. Where there are
   * many attempts of all, these can be a minute old.
   */
  async subjects(caller: Caller, page: Page): Promise<{ rows: ListedAssessment[]; total: number }> {
    const listed = await sql<Omit<ListedAssessment, 'students'>>`
      select kind, id, title, is_active from assessments
      order by kind, lower(title), id limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const counts = await this.#studentCounts(caller);
    const students = new Map(counts.map((count) => [`${count.kind} ${count.id}`, count.students]));
    const rows = listed.rows.map((row) => ({ ...row, students: students.get(`${row.kind} ${row.id}`) ?? 0 }));
    const all = await sql<{ total: number }>`select count(*)::int as total from assessments`.execute(this.#db);
    return { rows, total: all.rows[0]?.total ?? 0 };
  }

  async #studentCounts(caller: Caller): Promise<readonly StudentCount[]> {
    const scope = studentScope(caller);
    return scope.of === 'everybody'
      ? await this.#students.rows()
      : (await studentsOfScope(scope).execute(this.#db)).rows;
  }

  /** Includes retired ones. */
  async assessment(kind: AttemptKind, id: number): Promise<GradedAssessment | undefined> {
    const { rows } = await sql<GradedAssessment>`
      select id, title, passing_score, is_active,
        max_score_of(kind, id) as max_score
      from assessments where ${isAssessment(kind, id)}`.execute(this.#db);
    return rows[0];
  }

  /** The current tasks in their order, then the deleted tasks that have results. */
  async tasks(kind: AttemptKind, id: number): Promise<GradedTask[]> {
    const { rows } = await sql<GradedTask>`
      with present as (
        select id as task_id, title, points, order_index from assessment_tasks where ${tasksOf(kind, id)}
      ), deleted as (
        select task_id, title, points, order_index from deleted_tasks where ${ofAssessment(kind, id)}
      )
      select task_id, title, points, is_deleted from (
        select *, false as is_deleted from present union all select *, true from deleted
      ) as tasks order by is_deleted, order_index, task_id`.execute(this.#db);
    return rows;
  }

  /** A page of the students who have attempted it. @throws ConflictError if it has too many attempts for the order */
  async students(
    caller: Caller,
    kind: AttemptKind,
    id: number,
    { counted, search, order = { by: 'username', isDescending: false } }: StudentChoice,
    page: Page,
  ): Promise<Listed<GradeBookRow>> {
    const own = ownAttempts(kind, id);
    const scope = studentScope(caller);
    const listed =
      order.by === 'score'
        ? await studentsByScore(this.#db, scope, own, { counted, search }, page, order.isDescending)
        : await this.#list.page(scope, { kind, id, search, isDescending: order.isDescending }, page);
    const { rows } = await sql<GradeBookRow>`
      select place.user_id, username, full_name, email, counts.attempts, counted.id as attempt_id,
        status, started_at, submitted_at, score, max_score, passed
      from unnest(${listed.rows}::int[]) with ordinality as place (user_id, number)
      join users on users.id = place.user_id
      cross join lateral (
        select count(*)::int as attempts from attempts where ${own} and attempts.user_id = place.user_id
      ) as counts
      cross join lateral (
        select id, status, started_at, submitted_at, score, max_score, passed from attempts
        where ${own} and attempts.user_id = place.user_id order by ${countedFirst[counted]} limit 1
      ) as counted
      order by place.number`.execute(this.#db);
    return { ...listed, rows };
  }

  async results(attemptIds: readonly number[]): Promise<GradedResult[]> {
    if (attemptIds.length === 0) return [];
    return await this.#db
      .selectFrom('task_results')
      .select(['attempt_id', 'task_id', 'passed', 'points_earned', 'is_awaiting_grading'])
      .where('attempt_id', 'in', attemptIds)
      .execute();
  }
}

/** How many students have attempted an assessment. */
type StudentCount = { kind: AttemptKind; id: number; students: number };

const studentsOfScope = (scope: StudentScope) => sql<StudentCount>`
  select kind, id, count(*)::int as students from ${eachOf(scope)} cross join lateral (
    select distinct kind, assessment_id as id from attempts
    where user_id = each.user_id and ${statusSql.isListed()}) as own group by 1, 2`;

/** In the order of the indexes of students, so that nothing is sorted. */
const studentsOfAll = sql<StudentCount>`
  select kind, assessment_id as id, count(*)::int as students from (
    select distinct kind, assessment_id, user_id from attempts where assessment_id is not null and user_id > 0 and ${statusSql.isListed()}
  ) as tried group by kind, assessment_id`;

/** A search that matches more users tests each student of the assessment instead. */
const maxUsers = 1000;
/** Of an assessment with fewer students, all of them are sorted. */
const fewStudents = 2000;

type Chosen = { kind: AttemptKind; id: number; search: string | undefined; isDescending: boolean };

/** The students of a scope who have attempted an assessment, by username. */
class StudentList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. The key of a cursor is the username in lower case, and the id. */
  async page(scope: StudentScope, chosen: Chosen, page: Page): Promise<Listed<number>> {
    return scope.of === 'everybody' ? await this.#ofAll(chosen, page) : await this.#ofScope(scope, chosen, page);
  }

  /** All students of the scope are sorted. */
  async #ofScope(scope: StudentScope, chosen: Chosen, page: Page): Promise<Listed<number>> {
    const { kind, id, search, isDescending } = chosen;
    const where = sql`${ofScope(scope, sql.ref('users.id'), search)} and ${attempted(kind, id, true)}`;
    const shown = await this.#fromTheStart(where, page, isDescending);
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    return { ...shown, total: await countRows(this.#db, sql`select from users where ${where}`) };
  }

  async #ofAll({ kind, id, search, isDescending }: Chosen, page: Page): Promise<Listed<number>> {
    const all = await this.#total(kind, id);
    const found = search === undefined ? undefined : await usersMatching(this.#db, search, maxUsers);
    const where = sql`${attempted(kind, id, all > fewStudents && found === undefined)} and ${matching(search, found)}`;
    const shown = await this.#fromTheStart(where, page, isDescending);
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    return { ...shown, total: search === undefined ? all : await this.#count(kind, id, search, found) };
  }

  async #fromTheStart(where: RawBuilder<unknown>, page: Page, isDescending: boolean) {
    const isReverse = isBackward(page) !== isDescending;
    const [name, user] = page.cursor?.key ?? [];
    const after = sql`(lower(users.username), users.id) ${sql.raw(isReverse ? '<' : '>')} (${name}, ${user}::int)`;
    const all = page.cursor === undefined ? where : sql`${where} and ${after}`;
    return cut(await this.#read(all, isReverse, rowsToRead(page), page.offset), page);
  }

  async #read(where: RawBuilder<unknown>, isDescending: boolean, limit: number, offset: number): Promise<number[]> {
    const way = sql.raw(isDescending ? 'desc' : 'asc');
    const { rows } = await sql<{ id: number }>`select users.id from users where ${where}
      order by lower(users.username) ${way}, users.id ${way} limit ${limit} offset ${offset}`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  async #total(kind: AttemptKind, id: number): Promise<number> {
    return await countRows(this.#db, sql`select distinct user_id from attempts where ${ownAttempts(kind, id)}`);
  }

  /** Starts at the students or at the users that were found, whichever are fewer. */
  async #count(kind: AttemptKind, id: number, search: string, found: readonly number[] | undefined): Promise<number> {
    const students = sql`select distinct user_id from attempts where ${ownAttempts(kind, id)}`;
    if (found !== undefined) return await countRows(this.#db, sql`${students} and user_id = any(${found}::int[])`);
    return await countRows(
      this.#db,
      sql`select from (${students}) as students where (select ${userMatches(search)} from users where users.id = students.user_id)`,
    );
  }
}

const ownAttempts = (kind: AttemptKind, id: number) =>
  sql`${ofAssessment(kind, id, 'attempts')} and attempts.user_id > 0 and ${statusSql.isListed('attempts')}`;

/** @param isUsual whether it is tested for each user, because many have attempted it or few users are left to test */
function attempted(kind: AttemptKind, id: number, isUsual: boolean): RawBuilder<unknown> {
  const own = sql`from attempts where ${ownAttempts(kind, id)} and attempts.user_id = users.id`;
  return isUsual ? sql`(select true ${own} limit 1)` : sql`exists (select ${own})`;
}

function matching(search: string | undefined, found: readonly number[] | undefined): RawBuilder<unknown> {
  if (found !== undefined) return sql`users.id = any(${found}::int[])`;
  return search === undefined ? sql`true` : userMatches(search);
}

/** The attempts of one student, the one that counts first. */
const countedFirst: Record<Counted, RawBuilder<unknown>> = {
  // In an exam session only the attempt that counts there is a candidate.
  best: sql`${isCounted} desc, score desc nulls last, id desc`,
  latest: sql`id desc`,
};

const score = sql`coalesce(counted.score, ${sql.lit(noScore)})`;

/** The key of a student in the cursors of this order. */
export const scoreKey = (row: { score: number | null; user_id: number }): [string, number, number] => [
  'score',
  row.score ?? noScore,
  row.user_id,
];

function beyond({ cursor }: Page, isDescending: boolean): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`;
  const sign = sql.raw(isDescending === (cursor.way === 'before') ? '>' : '<');
  const [, value, id] = cursor.key;
  return sql`(${score}, users.id) ${sign} (${value}::int, ${id}::int)`;
}

/**
 * The ids of the students on a page, by the scores of the attempts that count. All attempts are read, so their number is limited.
 * @param attempted a condition on `attempts`: those of the exam or laboratory
 * @throws ConflictError if they are too many
 */
async function studentsByScore(
  db: Database,
  scope: StudentScope,
  attempted: RawBuilder<unknown>,
  { counted, search }: { counted: Counted; search?: string | undefined },
  page: Page,
  isDescending: boolean,
): Promise<Listed<number>> {
  const way = sql.raw(isDescending === isBackward(page) ? 'asc' : 'desc');
  const found = search === undefined ? sql`true` : userMatches(search);
  const students = sql`counted join users on users.id = counted.user_id where ${found}`;
  const { rows } = await sql<{ attempts: number; total: number; ids: number[] }>`
    with own as materialized (
      select id, user_id, session_id, score from attempts
      where ${attempted} and ${ofScope(scope, sql.ref('attempts.user_id'))} limit ${sortedRows + 1}
    ), counted as materialized (
      select distinct on (user_id) user_id, score from own as attempts order by user_id, ${countedFirst[counted]}
    )
    select (select count(*) from own)::int as attempts, (select count(*) from ${students})::int as total, array(
      select users.id from ${students} and ${beyond(page, isDescending)}
      order by ${score} ${way}, users.id ${way} limit ${rowsToRead(page)} offset ${page.offset}
    ) as ids`.execute(db);
  const { attempts = 0, total = 0, ids = [] } = rows[0] ?? {};
  checkSortable(attempts);
  return { ...cut(ids, page), total };
}
