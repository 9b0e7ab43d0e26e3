import { type RawBuilder, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { isAssessment } from '../../database/catalogue/assessments.ts';
import { courseIdOf, courseRoleOf } from '../../database/catalogue/course-content.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { checkTimes, isCreator } from '../../database/exam-session-rules.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import type { CountedAttempt, ResultsVisible, Tables } from '../../database/tables.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { coursePolicies, includesRole } from '../../values/course-policies.ts';
import { openClass } from '../classes/access-store.ts';
import { changeableSession, type Participants, seenSession } from './access-store.ts';
import { accessCodeHash } from './admission-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';
import { logSession } from './session-log-store.ts';
import { supervise } from './supervisor-store.ts';
import type { SessionUserStore } from './user-store.ts';
import { isSeen, readSession, type SessionState, type SessionView, viewOf } from './view-store.ts';

export type SessionFields = {
  title?: string;
  /** Null: now, by the clock of the database, as everything that compares it. */
  opens_at: Date | null;
  closes_at: Date;
  time_limit_minutes?: number | null;
  max_attempts?: number | null;
  counted_attempt?: CountedAttempt;
  access_code?: string | null;
  networks?: string[];
  results_visible?: ResultsVisible;
  is_output_visible?: boolean;
  is_locked_down?: boolean;
  has_hands?: boolean;
  review_days?: number | null;
  has_hidden_names?: boolean;
  grader_tolerance_percent?: number | null;
  has_assistant_graders?: boolean;
  has_signals?: boolean;
};
/** Who takes part: exactly one of the two. */
export type Chosen = { class_id?: number | undefined; user_ids?: readonly number[] | undefined };
export type NewSessionFields = SessionFields & { exam_id: number } & Chosen;
export type SessionFilter = {
  class_id?: number | undefined;
  is_for_chosen?: boolean | undefined;
  exam_id?: number | undefined;
  state?: SessionState | undefined;
};

/** Entries of a calendar. */
const maxEntries = 1000;

/** Sessions in which classes or chosen students take exams. */
export class ExamSessionStore {
  readonly #db: Database;
  readonly #max: number;
  readonly #hash: KeyedHash;
  readonly #users: SessionUserStore;

  /** @param max sessions of one class, or those without a class that one instructor has created @param hash of access codes */
  constructor(db: Database, max: number, hash: KeyedHash, users: SessionUserStore) {
    this.#db = db;
    this.#max = max;
    this.#hash = hash;
    this.#users = users;
  }

  /** Those that the caller sees, the last ones first. */
  async list(caller: Caller, { class_id, is_for_chosen, exam_id, state }: SessionFilter, page: Page) {
    const from = sql`(${viewOf(caller)}) as sessions where ${isSeen(caller)}
      and ${class_id === undefined ? sql`true` : sql`class_id = ${class_id}`}
      and ${is_for_chosen === undefined ? sql`true` : sql`(class_id is null) = ${is_for_chosen}::boolean`}
      and ${exam_id === undefined ? sql`true` : sql`exam_id = ${exam_id}`}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}`;
    return await readList<SessionView>(this.#db, { columns: sql`*`, from, order: sql`opens_at desc, id desc` }, page);
  }

  /** Those of which the caller is a member, the last ones first. */
  async calendar(caller: Caller): Promise<SessionView[]> {
    const { rows } = await sql<SessionView>`select * from (${viewOf(caller)}) as sessions
      where my_role is not null and not is_hidden
      order by opens_at desc, id desc limit ${maxEntries}`.execute(this.#db);
    return rows;
  }

  /** @throws NotFoundError where the caller does not see it */
  async get(caller: Caller, id: number): Promise<SessionView> {
    await seenSession(this.#db, caller, id);
    return await readSession(this.#db, caller, id);
  }

  /**
   * For a class, or for chosen students, whose session the caller supervises.
   * @throws NotFoundError for the class or the exam, ForbiddenError, ConflictError for an archived class or the maximum numbers, InvalidError
   */
  async create(caller: Caller, { exam_id, class_id, user_ids, ...given }: NewSessionFields): Promise<SessionView> {
    return await this.#db.transaction().execute(async (trx) => {
      const fields = { ...given, opens_at: given.opens_at ?? (await nowOf(trx)) };
      const of = await this.#participants(trx, caller, class_id);
      const exams = trx.selectFrom('assessments').select('title').where(isAssessment('exam', exam_id));
      if (await changesExam(trx, caller, exam_id)) await keepToSessions(trx, caller, exam_id);
      const exam = await exams
        .$if(caller.role !== 'admin', (some) => some.where('is_active', '=', true))
        .executeTakeFirst();
      if (!exam) throw new NotFoundError('not_found', 'Exam not found');
      checkTimes(fields);
      const { id } = await trx
        .insertInto('exam_sessions')
        .values({
          title: exam.title,
          ...this.#columns(fields),
          ...{ exam_id, class_id: class_id ?? null },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (class_id === undefined) {
        await supervise(trx, caller, id);
        await this.#users.insert(trx, caller, id, user_ids ?? []);
      }
      const session = await readSession(trx, caller, id);
      const details = { new: { ...logged(fields), ...(user_ids ? { user_ids } : {}) } };
      await logSession(trx, caller, 'exam_session_create', { session, of }, details);
      return session;
    });
  }

  /**
   * Of a new session. The class, or the caller, is held for a change: of two that create the last session, the second counts that of the
   * first.
   * @throws NotFoundError, ForbiddenError, ConflictError
   */
  async #participants(trx: Transaction<Tables>, caller: Caller, classId: number | undefined): Promise<Participants> {
    const sessions = trx.selectFrom('exam_sessions').select(sql<number>`count(*)::int`.as('total'));
    if (classId !== undefined) {
      const of = await openClass(trx, caller, classId, 'change');
      const { total } = await sessions.where('class_id', '=', classId).executeTakeFirstOrThrow();
      if (total >= this.#max)
        throw new ConflictError('too_many_exam_sessions', `The class has ${this.#max} exam sessions already`);
      return { class: of, my_role: of.my_role };
    }
    await trx.selectFrom('users').select('id').where('id', '=', caller.id).forNoKeyUpdate().execute();
    // Sessions of others to which the caller was added do not count: nobody can use up the number of somebody else.
    const isOwn = sql<boolean>`exists (select from exam_session_users as own where own.session_id = exam_sessions.id
      and own.user_id = ${caller.id} and ${sql.raw(isCreator('own', 'exam_sessions'))})`;
    const { total } = await sessions.where(isOwn).executeTakeFirstOrThrow();
    if (total >= this.#max)
      throw new ConflictError(
        'too_many_exam_sessions',
        `You have ${this.#max} exam sessions for chosen students already`,
      );
    return { class: null, my_role: 'instructor' };
  }

  /** The times of attempts that run move with it. @throws NotFoundError, ForbiddenError, InvalidError @returns with the attempts that have moved */
  async update(
    caller: Caller,
    id: number,
    { opens_at, ...rest }: Partial<SessionFields>,
  ): Promise<{ session: SessionView; moved: MovedAttempt[] }> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, id);
      const fields = { ...rest, ...(opens_at === undefined ? {} : { opens_at: opens_at ?? (await nowOf(trx)) }) };
      checkTimes({ ...own.session, ...fields });
      const changes = differences({ ...own.session, access_code: undefined }, fields);
      if (!changes) return { session: await readSession(trx, caller, id), moved: [] };
      await trx.updateTable('exam_sessions').set(this.#columns(fields)).where('id', '=', id).execute();
      const moved = await moveDeadlines(trx, id);
      await logSession(trx, caller, 'exam_session_update', own, { old: logged(changes.old), new: logged(changes.new) });
      return { session: await readSession(trx, caller, id), moved };
    });
  }

  /** Ended attempts are kept, and show no more than before. @throws NotFoundError, ForbiddenError, ConflictError with unfinished attempts */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, id);
      const unfinished = trx.selectFrom('attempts').select('id').where('session_id', '=', id);
      if (await unfinished.where('user_id', '>', 0).where(statusSql.isUnfinished()).executeTakeFirst())
        throw new ConflictError('session_in_use', 'The exam session has unfinished attempts');
      const { title, class_id: classId } = own.session;
      await keepDeleted(trx, { kind: 'exam_session', id, title, actorId: caller.id, classId });
      await trx.deleteFrom('exam_sessions').where('id', '=', id).execute();
      const { exam_id, opens_at, closes_at } = own.session;
      await logSession(trx, caller, 'exam_session_delete', own, { old: { exam_id, opens_at, closes_at } });
    });
  }

  #columns<Fields extends Partial<SessionFields>>({ access_code, networks, ...fields }: Fields) {
    return {
      ...fields,
      ...(access_code === undefined
        ? {}
        : { access_code_hash: access_code === null ? null : accessCodeHash(this.#hash, access_code) }),
      ...(networks === undefined ? {} : { networks: networksOf(networks) }),
    };
  }
}

/** Administrators, and the staff of its course who change its content. */
async function changesExam(trx: Transaction<Tables>, caller: Caller, examId: number): Promise<boolean> {
  if (caller.role === 'admin') return true;
  const courseId = await courseIdOf(trx, 'exam', examId);
  const role = courseId === undefined ? undefined : await courseRoleOf(trx, caller, courseId);
  return Boolean(role && includesRole(role, coursePolicies.exams.change));
}

/**
 * The first session of an exam that one of them plans is meant for the exam: from then on it starts in sessions only, until one of them
 * says otherwise. Instructors of classes decide for their own classes.
 */
async function keepToSessions(trx: Transaction<Tables>, { id: actorId }: Caller, examId: number): Promise<void> {
  const { rows } = await sql<{ title: string }>`update assessments as exams set is_session_only = true
    where kind = 'exam' and id = ${examId} and not is_session_only
      and not exists (select from exam_sessions where exam_sessions.exam_id = exams.id) returning title`.execute(trx);
  const [exam] = rows;
  if (!exam) return;
  const details = { old: { is_session_only: false }, new: { is_session_only: true } };
  const entry = { type: 'admin_exam_update', title: exam.title, entityType: 'exam', entityId: examId };
  await logActivity(trx, { actorId, ...entry, details });
}

/** The moment of a transaction: a session that opens then is open as soon as it is stored. */
async function nowOf(trx: Transaction<Tables>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('The database did not say its time');
  return row.now;
}

/** Without bits of hosts, as PostgreSQL requires it. */
const networksOf = (networks: readonly string[]): RawBuilder<string[]> =>
  sql`array(select network(given::inet)::cidr from unnest(${networks}::text[]) with ordinality as all_given (given, number) order by number)`;

/** Without the access code. */
const logged = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      name === 'access_code' ? [name, value === null ? null : '...'] : [name, value],
    ),
  );
