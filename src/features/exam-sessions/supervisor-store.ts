import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { isCreator, membersOf } from '../../database/exam-session-rules.ts';
import { type UserChoice, userOf } from '../../database/lists/user-choice.ts';
import type { Tables } from '../../database/tables.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableSession, type OwnSession, supervisedSession } from './access-store.ts';
import { logSession } from './session-log-store.ts';
import { type Candidate, candidateFields, removeUser } from './user-store.ts';

export type Supervisor = Candidate & { added_at: Date };
type Limits = {
  /** Supervisors of one session. */
  maxSupervisors: number;
  /** Sessions of others that one user supervises. */
  maxSessions: number;
};

/** Those who supervise sessions without a class: the creator, and colleagues. All of them have the same rights. */
export class SupervisorStore {
  readonly #db: Database;
  readonly #limits: Limits;

  constructor(db: Database, limits: Limits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** By username, without those who are students now. @throws NotFoundError, ForbiddenError, ConflictError for a session of a class */
  async list(caller: Caller, sessionId: number): Promise<Supervisor[]> {
    checkChosen(await supervisedSession(this.#db, caller, sessionId));
    return await supervisorsOf(this.#db, sessionId);
  }

  /**
   * Adds an active instructor or administrator, whom the caller may not know otherwise.
   * @throws NotFoundError for the session or the user, ForbiddenError, ConflictError for a session of a class, for one who takes part already and for the
   * maximum numbers
   */
  async add(caller: Caller, sessionId: number, choice: UserChoice): Promise<Supervisor> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      checkChosen(own);
      // The user is held for a change: of two additions to two sessions, the second counts the first. The session is held already.
      const user = await userOf(trx, choice, sql`is_active and role <> 'student'`, sql`for no key update`);
      if (!user) throw new NotFoundError('not_found', 'Instructor not found');
      await this.#insert(trx, own, user.id);
      if (user.id !== caller.id) await notify(trx, sessionId, user.id);
      await logSession(trx, caller, 'exam_session_supervisor_add', own, { userId: user.id });
      const added = (await supervisorsOf(trx, sessionId)).find(({ user_id }) => user_id === user.id);
      if (!added) throw new Error('A supervisor who was added is not among those of the session');
      return added;
    });
  }

  /**
   * Removals hold the session, so two of them see each other. Each supervisor can remove the others, and leave.
   * @throws NotFoundError for the session or the supervisor, ForbiddenError, ConflictError for a session of a class and for the last supervisor
   */
  async remove(caller: Caller, sessionId: number, userId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      checkChosen(own);
      if (!(await removeUser(trx, sessionId, userId, 'instructor')))
        throw new NotFoundError('not_found', 'Supervisor not found');
      // One who cannot log in does not count.
      const { rows: others } = await sql`select ${supervisors(sessionId)} and users.is_active limit 1`.execute(trx);
      if (others.length === 0)
        throw new ConflictError('last_session_supervisor', 'This is the last supervisor of the exam session');
      await logSession(trx, caller, 'exam_session_supervisor_remove', own, { userId });
    });
  }

  /** @throws ConflictError */
  async #insert(trx: Transaction<Tables>, { session }: OwnSession, user_id: number): Promise<void> {
    const { maxSupervisors, maxSessions } = this.#limits;
    // Later than the creation, so that the creator is known.
    const added_at = sql<Date>`greatest(now(), ${session.created_at}::timestamptz + interval '1 millisecond')`;
    const inserted = await trx
      .insertInto('exam_session_users')
      .values({ session_id: session.id, user_id, role: 'instructor', added_at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!inserted) throw new ConflictError('already_member', 'The user takes part in the exam session already');
    if ((await supervisorsOf(trx, session.id)).length > maxSupervisors)
      throw new ConflictError(
        'too_many_session_supervisors',
        `An exam session has at most ${maxSupervisors} supervisors`,
      );
    const { rows } = await sql<{ total: number }>`select count(*)::int as total
      from exam_session_users as own join exam_sessions as s on s.id = own.session_id
      where own.user_id = ${user_id} and own.role = 'instructor' and not ${sql.raw(isCreator('own', 's'))}`.execute(
      trx,
    );
    if ((rows[0]?.total ?? 0) > maxSessions)
      throw new ConflictError(
        'too_many_exam_sessions',
        `The user supervises ${maxSessions} exam sessions of others already`,
      );
  }
}

/** The creator of a session without a class supervises it. Its row is of the same moment as the session. */
export async function supervise(trx: Transaction<Tables>, { id: user_id }: Caller, session_id: number): Promise<void> {
  await trx.insertInto('exam_session_users').values({ session_id, user_id, role: 'instructor' }).execute();
}

/** The user did not ask for it. One who is added again is notified again. */
async function notify(trx: Transaction<Tables>, session_id: number, user_id: number): Promise<void> {
  await sql`insert into notifications (user_id, key, kind, session_id)
    values (${user_id}, ${`supervision:${session_id}`}, 'supervision', ${session_id})
    on conflict (user_id, key) do update set created_at = now(), read_at = null`.execute(trx);
}

const supervisors = (sessionId: number) => sql`from exam_sessions as s
  join ${membersOf('s')} as member on member.role = 'instructor'
  join exam_session_users as own on own.session_id = s.id and own.user_id = member.user_id
  join users on users.id = member.user_id and users.id > 0
  where s.id = ${sessionId}`;

async function supervisorsOf(db: Database, sessionId: number): Promise<Supervisor[]> {
  const { rows } = await sql<Supervisor>`select ${candidateFields}, added_at
    ${supervisors(sessionId)} order by lower(username), users.id`.execute(db);
  return rows;
}

/** @throws ConflictError */
function checkChosen({ of }: OwnSession): void {
  if (of.class !== null)
    throw new ConflictError('conflict', 'This exam session is supervised by the instructors of its class');
}
