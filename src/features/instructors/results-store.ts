import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type {
  AttemptKind,
  AttemptStatus,
  AttemptsTable,
  ContainerKind,
  ContainersTable,
} from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';

export type ResultFilter = {
  kind?: AttemptKind;
  exam_id?: number;
  laboratory_id?: number;
  /** The course of the exam, or of the laboratory's section. */
  course_id?: number;
  user_id?: number;
  status?: Exclude<AttemptStatus, 'starting'>;
  passed?: boolean;
  /** Case-insensitive substring of the username, the full name or the address. */
  search?: string;
  /** Range of `started_at`: `from` is inclusive, `to` is exclusive. */
  from?: Date;
  to?: Date;
};
export type WatchFilter = {
  container_id?: number;
  kind?: ContainerKind;
  user_id?: number;
  exam_id?: number;
  laboratory_id?: number;
};
export type Who = { username: string; full_name: string | null; email: string };
export type StudentAttempt = Selectable<AttemptsTable> & Who & { container_id: number | null };
export type WatchableContainer = Selectable<ContainersTable> & Who & { title: string | null };

/** Attempts and containers of all students, for instructors. */
export class ResultsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first. */
  async list(filter: ResultFilter, page: Page): Promise<{ rows: StudentAttempt[]; total: number }> {
    const query = filtered(this.#db, filter);
    const rows = await rowsOf(query).limit(page.limit).offset(page.offset).execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  /** A part of the list, newest first, of the attempts before the given one. */
  async before(filter: ResultFilter, id: number, limit: number): Promise<StudentAttempt[]> {
    return await rowsOf(filtered(this.#db, filter).where('attempts.id', '<', id))
      .limit(limit)
      .execute();
  }

  async byId(id: number): Promise<StudentAttempt | undefined> {
    return await rowsOf(filtered(this.#db, {}).where('attempts.id', '=', id)).executeTakeFirst();
  }

  /** Running containers of students, newest first. */
  async watchable(filter: WatchFilter, page: Page): Promise<{ rows: WatchableContainer[]; total: number }> {
    const { container_id, kind, user_id, exam_id, laboratory_id } = filter;
    const query = this.#db
      .selectFrom('containers')
      .innerJoin('users', 'users.id', 'containers.user_id')
      .leftJoin('attempts', 'attempts.id', 'containers.attempt_id')
      .where('containers.status', '=', 'running')
      .where('users.role', '=', 'student')
      .$if(container_id !== undefined, (some) => some.where('containers.id', '=', container_id ?? 0))
      .$if(kind !== undefined, (some) => some.where('containers.kind', '=', kind ?? 'exam'))
      .$if(user_id !== undefined, (some) => some.where('containers.user_id', '=', user_id ?? 0))
      .$if(exam_id !== undefined, (some) => some.where('attempts.exam_id', '=', exam_id ?? 0))
      .$if(laboratory_id !== undefined, (some) => some.where('attempts.laboratory_id', '=', laboratory_id ?? 0));
    const rows = await query
      .selectAll('containers')
      .select(['users.username', 'users.full_name', 'users.email', 'attempts.title'])
      .orderBy('containers.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }
}

/** Matches a text anywhere, with its special characters escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

function filtered(db: Database, { course_id, search, from, to, ...equal }: ResultFilter) {
  let query = db
    .selectFrom('attempts')
    .innerJoin('users', 'users.id', 'attempts.user_id')
    .where('attempts.status', '<>', 'starting');
  for (const [column, value] of Object.entries(equal)) {
    query = query.where(`attempts.${column as keyof typeof equal}`, '=', value);
  }
  if (from) query = query.where('attempts.started_at', '>=', from);
  if (to) query = query.where('attempts.started_at', '<', to);
  if (search !== undefined) {
    const pattern = likePattern(search);
    query = query.where((eb) =>
      eb.or([
        eb('users.username', 'ilike', pattern),
        eb('users.full_name', 'ilike', pattern),
        eb('users.email', 'ilike', pattern),
      ]),
    );
  }
  if (course_id === undefined) return query;
  return query.where(
    sql<boolean>`(attempts.exam_id in (select id from exams where course_id = ${course_id})
        or attempts.laboratory_id in (select laboratories.id from laboratories
          join sections on sections.id = laboratories.section_id where sections.course_id = ${course_id}))`,
  );
}

const rowsOf = (query: ReturnType<typeof filtered>) => {
  return query
    .leftJoin('containers', (join) =>
      join.onRef('containers.attempt_id', '=', 'attempts.id').on('containers.status', '<>', 'removing'),
    )
    .selectAll('attempts')
    .select(['users.username', 'users.full_name', 'users.email', 'containers.id as container_id'])
    .orderBy('attempts.id', 'desc');
};
