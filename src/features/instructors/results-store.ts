import { type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { ofAssessment } from '../../database/catalogue/assessments.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ArrayPool } from '../../database/connection/prepared-statement.ts';
import { type AttemptFilter, AttemptList } from '../../database/lists/attempt-list.ts';
import type { Listed, Order, Page } from '../../database/lists/keyset.ts';
import type { AttemptSort } from '../../database/lists/sorted-attempts.ts';
import { inScope, instructs, seesAttempt, studentScope } from '../../database/lists/student-scope.ts';
import type { AttemptsTable, ContainerKind, ContainersTable } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';

export { attemptKey } from '../../database/lists/sorted-attempts.ts';

export type ResultFilter = AttemptFilter;
export type WatchFilter = {
  container_id?: number;
  kind?: ContainerKind;
  user_id?: number;
  exam_id?: number;
  laboratory_id?: number;
};
export type Who = { username: string; full_name: string | null; email: string };
export type StudentAttempt = Selectable<AttemptsTable> & Who & { container_id: number | null };
export type WatchableContainer = Selectable<ContainersTable> & Who & { title: string | null; has_terminal: boolean };

/** The columns of an export. */
export const exportedColumns = [
  'attempt_id',
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
] as const;
export type ExportedAttempt = (string | null)[];

const exportedRows = `select attempts.id, kind, title, username, full_name, email, status, started_at at time zone 'UTC',
    submitted_at at time zone 'UTC', trim_scale(score), trim_scale(max_score), passing_score, passed::text
  from attempts join users on users.id = user_id where attempts.id = any($1::int[]) order by attempts.started_at desc, attempts.id desc`;
const asTexts = { getTypeParser: () => (text: string | Buffer) => String(text) };

/** Attempts and containers of the students whom their caller sees. */
export class ResultsStore {
  readonly #db: Database;
  readonly #pool: ArrayPool;
  readonly #list: AttemptList;

  constructor(db: Database, pool: ArrayPool) {
    this.#db = db;
    this.#pool = pool;
    this.#list = new AttemptList(db);
  }

  /** @throws ConflictError if there are too many attempts for the order */
  async list(
    caller: Caller,
    filter: AttemptFilter,
    page: Page,
    order?: Order<AttemptSort>,
  ): Promise<Listed<StudentAttempt>> {
    const listed = await this.#list.page(studentScope(caller), filter, page, order);
    const rows = await this.#rows()
      .where('attempts.id', 'in', [0, ...listed.rows])
      .orderBy(sql`array_position(${listed.rows}::int[], attempts.id)`)
      .execute();
    return { ...listed, rows };
  }

  /** The whole list in parts, newest first, as the texts of its cells. Attempts that are deleted meanwhile are left out. */
  async *parts(caller: Caller, filter: AttemptFilter, size: number): AsyncGenerator<ExportedAttempt[]> {
    for await (const ids of this.#list.ids(studentScope(caller), filter, size)) {
      // As texts in arrays: numbers, times and an object for each of a million rows would take most of the export's time. The driver
      // would quote each id of an array.
      const query = { text: exportedRows, values: [`{${ids.join()}}`], rowMode: 'array' as const, types: asTexts };
      yield (await this.#pool.query<ExportedAttempt>(query)).rows;
    }
  }

  async byId(caller: Caller, id: number): Promise<StudentAttempt | undefined> {
    return await this.#rows().where('attempts.id', '=', id).where(seesAttempt(caller)).executeTakeFirst();
  }

  /** Whether the caller may change attempts of a student, and not only see them. Assistants of a class see only. */
  async mayChange(caller: Caller, userId: number): Promise<boolean> {
    const { rows } = await sql<{ may: boolean }>`select ${instructs(caller, sql`${userId}::int`)} as may`.execute(
      this.#db,
    );
    return rows[0]?.may === true;
  }

  /** Running containers of students, newest first. */
  async watchable(
    caller: Caller,
    filter: WatchFilter,
    page: Page,
  ): Promise<{ rows: WatchableContainer[]; total: number }> {
    const { container_id, kind, user_id, exam_id, laboratory_id } = filter;
    const query = this.#db
      .selectFrom('containers')
      .innerJoin('users', 'users.id', 'containers.user_id')
      .leftJoin('attempts', 'attempts.id', 'containers.attempt_id')
      .where('containers.status', '=', 'running')
      .where('users.role', '=', 'student')
      .where(
        sql<boolean>`(${inScope(studentScope(caller), sql.ref('users.id'))} or coalesce(${seesAttempt(caller)}, false))`,
      )
      .$if(container_id !== undefined, (some) => some.where('containers.id', '=', container_id ?? 0))
      .$if(kind !== undefined, (some) => some.where('containers.kind', '=', kind ?? 'exam'))
      .$if(user_id !== undefined, (some) => some.where('containers.user_id', '=', user_id ?? 0))
      .$if(exam_id !== undefined, (some) => some.where(ofAssessment('exam', exam_id ?? 0, 'attempts')))
      .$if(laboratory_id !== undefined, (some) =>
        some.where(ofAssessment('laboratory', laboratory_id ?? 0, 'attempts')),
      );
    const rows = await query
      .selectAll('containers')
      .select(['users.username', 'users.full_name', 'users.email', 'attempts.title'])
      .select(
        sql<boolean>`exists (select from terminals where terminals.container_id = containers.id)`.as('has_terminal'),
      )
      .orderBy('containers.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  #rows() {
    return this.#db
      .selectFrom('attempts')
      .innerJoin('users', 'users.id', 'attempts.user_id')
      .where(statusSql.isListed('attempts'))
      .leftJoin('containers', (join) =>
        join.onRef('containers.attempt_id', '=', 'attempts.id').on('containers.status', '<>', 'removing'),
      )
      .selectAll('attempts')
      .select(['users.username', 'users.full_name', 'users.email', 'containers.id as container_id']);
  }
}
