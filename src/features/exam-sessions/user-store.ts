import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import { userMatches, userSearch } from '../../database/lists/user-search.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, InvalidError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { normalName } from '../../values/username.ts';
import { mayBeAdded } from '../classes/access-store.ts';
import { changeableSession, type OwnSession, supervisedSession } from './access-store.ts';
import { logSession } from './session-log-store.ts';

export type Candidate = { user_id: number; username: string; full_name: string | null; email: string };
export type ChosenStudent = Candidate & { added_at: Date; attempts: number };
/** Why a name cannot be chosen. */
export const nameProblems = ['unknown', 'inactive', 'repeated'] as const;
/** The students of a list of names, each once, and the places of the other names. */
export type FoundNames = {
  students: Candidate[];
  problems: { index: number; problem: (typeof nameProblems)[number] }[];
};

/** Students in one answer of a search. */
const maxFound = 20;

/** The students of sessions without a class. */
export class SessionUserStore {
  readonly #db: Database;
  readonly #max: number;

  /** @param max students of one session */
  constructor(db: Database, max: number) {
    this.#db = db;
    this.#max = max;
  }

  /** By username. @throws NotFoundError, ForbiddenError, ConflictError for a session of a class */
  async list(caller: Caller, sessionId: number, { q }: { q?: string | undefined }, page: Page) {
    checkChosen(await supervisedSession(this.#db, caller, sessionId));
    const columns = sql`${candidateFields}, added_at, (select count(*)::int from attempts
      where attempts.session_id = own.session_id and attempts.user_id = own.user_id) as attempts`;
    const from = sql`exam_session_users as own join users on users.id = own.user_id
      where own.session_id = ${sessionId} and own.role = 'student' and ${q === undefined ? sql`true` : userMatches(q)}`;
    return await readList<ChosenStudent>(this.#db, { columns, from, order: sql`lower(username), users.id` }, page);
  }

  /** Students who are chosen already stay. @throws NotFoundError, ForbiddenError, ConflictError for a session of a class or too many students, InvalidError */
  async add(caller: Caller, sessionId: number, userIds: readonly number[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      checkChosen(own);
      const added = await this.insert(trx, caller, sessionId, userIds);
      if (added.length > 0) await logSession(trx, caller, 'exam_session_users_add', own, { new: { user_ids: added } });
    });
  }

  /** An attempt of the student in the session is kept, and continues. @throws NotFoundError, ForbiddenError, ConflictError for a session of a class */
  async remove(caller: Caller, sessionId: number, userId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      checkChosen(own);
      if (!(await removeUser(trx, sessionId, userId, 'student')))
        throw new NotFoundError('not_found', 'Student not found');
      await logSession(trx, caller, 'exam_session_user_remove', own, { userId });
    });
  }

  /** @returns the ids of those who were added @throws InvalidError for users whom the caller may not choose, ConflictError for too many */
  async insert(
    trx: Transaction<Tables>,
    caller: Caller,
    sessionId: number,
    userIds: readonly number[],
  ): Promise<number[]> {
    const ids = [...new Set(userIds)];
    const { rows: allowed } = await sql<{ id: number }>`select id from users where id = any(${ids}::int[])
      and ${mayBeChosen(caller)} for key share`.execute(trx);
    const known = new Set(allowed.map(({ id }) => id));
    const unknown = userIds.flatMap((id, index) =>
      known.has(id) ? [] : [refusedField(['body', 'user_ids', index], 'student_not_choosable')],
    );
    if (unknown.length > 0) throw new InvalidError(unknown.slice(0, maxProblems));
    // A supervisor who is a student now supervises nothing, and can take part.
    await sql`delete from exam_session_users
      where session_id = ${sessionId} and user_id = any(${ids}::int[]) and role = 'instructor'`.execute(trx);
    const { rows } = await sql<{ user_id: number }>`insert into exam_session_users (session_id, user_id)
      select ${sessionId}::int, id from unnest(${ids}::int[]) as id on conflict do nothing returning user_id`.execute(
      trx,
    );
    const { total } = await trx
      .selectFrom('exam_session_users')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('session_id', '=', sessionId)
      .where('role', '=', 'student')
      .executeTakeFirstOrThrow();
    if (total > this.#max)
      throw new ConflictError('too_many_session_users', `An exam session has at most ${this.#max} chosen students`);
    return rows.map(({ user_id }) => user_id);
  }

  /** Students whom the caller may choose, by username: at most 20. @param q part of a name or an address */
  async search(caller: Caller, q: string): Promise<Candidate[]> {
    const { rows } = await sql<Candidate>`select ${candidateFields} from users
      where ${userSearch(q)} and is_active and ${mayBeChosen(caller)}
      order by lower(username), users.id limit ${maxFound}`.execute(this.#db);
    return rows;
  }

  /** The students whom the caller may choose, by usernames or addresses, in their order. */
  async byNames(caller: Caller, names: readonly string[]): Promise<FoundNames> {
    const { rows } = await sql<{ user_id: number | null; is_active: boolean } & Omit<Candidate, 'user_id'>>`
      select found.* from unnest(${names.map((name) => normalName(name))}::text[]) with ordinality as given (name, number)
      left join lateral (
        select ${candidateFields}, is_active from users where (lower(username) = lower(given.name) or lower(email) = lower(given.name))
          and ${mayBeChosen(caller)} limit 1
      ) as found on true order by number`.execute(this.#db);
    const students = new Map<number, Candidate>();
    const problems: FoundNames['problems'] = [];
    for (const [index, { user_id, is_active, ...named }] of rows.entries()) {
      if (user_id === null) problems.push({ index, problem: 'unknown' });
      else if (!is_active) problems.push({ index, problem: 'inactive' });
      else if (students.has(user_id)) problems.push({ index, problem: 'repeated' });
      else students.set(user_id, { user_id, ...named });
    }
    return { students: [...students.values()], problems };
  }
}

/** Problems in one answer. */
const maxProblems = 100;

/** The columns of a `Candidate`, of `users`. */
export const candidateFields = sql`users.id as user_id, username, full_name, email`;

/** @returns false for a user without that role in the session */
export async function removeUser(
  trx: Transaction<Tables>,
  sessionId: number,
  userId: number,
  role: 'student' | 'instructor',
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('exam_session_users')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('role', '=', role)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a caller may choose a row of `users`: every student, or those of the own classes. */
export const mayBeChosen = (caller: Caller) => sql<boolean>`(users.role = 'student' and ${mayBeAdded(caller)})`;

/** @throws ConflictError */
function checkChosen({ of }: OwnSession): void {
  if (of.class !== null)
    throw new ConflictError('conflict', 'The students of this exam session are those of its class');
}
