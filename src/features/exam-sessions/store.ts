import { type RawBuilder, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import type { CountedAttempt, ResultsVisible, Tables } from '../../database/tables.ts';
import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import { type OwnClass, openClass } from '../classes/access-store.ts';
import { changeableSession, type OwnSession, seenSession } from './access-store.ts';
import { accessCodeHash } from './admission-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';
import { isSeen, readSession, type SessionState, type SessionView, viewOf } from './view-store.ts';

export type SessionFields = {
  title?: string;
  opens_at: Date;
  closes_at: Date;
  time_limit_minutes?: number | null;
  max_attempts?: number | null;
  counted_attempt?: CountedAttempt;
  access_code?: string | null;
  networks?: string[];
  results_visible?: ResultsVisible;
  is_output_visible?: boolean;
  is_locked_down?: boolean;
};
export type SessionFilter = {
  class_id?: number | undefined;
  exam_id?: number | undefined;
  state?: SessionState | undefined;
};

/** Entries of a calendar. */
const maxEntries = 1000;

/** Sessions in which classes take exams. */
export class ExamSessionStore {
  readonly #db: Database;
  readonly #max: number;
  readonly #hash: KeyedHash;

  /** @param max sessions of one class @param hash of access codes */
  constructor(db: Database, max: number, hash: KeyedHash) {
    this.#db = db;
    this.#max = max;
    this.#hash = hash;
  }

  /** Those of the classes that the caller sees, the last ones first. */
  async list(caller: Caller, { class_id, exam_id, state }: SessionFilter, page: Page) {
    const shown = sql`select * from (${viewOf(caller)}) as sessions where ${isSeen(caller)}
      and ${class_id === undefined ? sql`true` : sql`class_id = ${class_id}`}
      and ${exam_id === undefined ? sql`true` : sql`exam_id = ${exam_id}`}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}`;
    const { rows } = await sql<SessionView>`${shown} order by opens_at desc, id desc
      limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const counted = await sql<{ total: number }>`select count(*)::int as total from (${shown}) as shown`.execute(
      this.#db,
    );
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** Those of the classes of which the caller is a member, the last ones first. */
  async calendar(caller: Caller): Promise<SessionView[]> {
    const { rows } = await sql<SessionView>`select * from (${viewOf(caller)}) as sessions
      where my_role is not null and (not is_archived or my_role <> 'student')
      order by opens_at desc, id desc limit ${maxEntries}`.execute(this.#db);
    return rows;
  }

  /** @throws NotFound where the caller does not see it */
  async get(caller: Caller, id: number): Promise<SessionView> {
    await seenSession(this.#db, caller, id);
    return await readSession(this.#db, caller, id);
  }

  /** @throws NotFound for the class or the exam, Forbidden, Conflict for an archived class or the maximum number, Invalid */
  async create(
    caller: Caller,
    { exam_id, class_id, ...fields }: SessionFields & { exam_id: number; class_id: number },
  ): Promise<SessionView> {
    return await this.#db.transaction().execute(async (trx) => {
      // Held for a change: of two that create the last session, the second counts that of the first.
      const of = await openClass(trx, caller, class_id, 'change');
      const exams = trx.selectFrom('exams').select('title').where('id', '=', exam_id);
      const exam = await exams
        .$if(caller.role !== 'admin', (some) => some.where('is_active', '=', true))
        .executeTakeFirst();
      if (!exam) throw new NotFound('not_found', 'Exam not found');
      checkTimes(fields);
      const { total } = await trx
        .selectFrom('exam_sessions')
        .select(sql<number>`count(*)::int`.as('total'))
        .where('class_id', '=', class_id)
        .executeTakeFirstOrThrow();
      if (total >= this.#max)
        throw new Conflict('too_many_exam_sessions', `The class has ${this.#max} exam sessions already`);
      const { id } = await trx
        .insertInto('exam_sessions')
        .values({ title: exam.title, ...this.#columns(fields), ...{ exam_id, class_id }, ...timesOf(fields) })
        .returning('id')
        .executeTakeFirstOrThrow();
      const session = await readSession(trx, caller, id);
      await logSession(trx, caller, 'exam_session_create', { session, of }, { new: logged(fields) });
      return session;
    });
  }

  /** The times of attempts that run move with it. @throws NotFound, Forbidden, Invalid @returns with the attempts that have moved */
  async update(
    caller: Caller,
    id: number,
    fields: Partial<SessionFields>,
  ): Promise<{ session: SessionView; moved: MovedAttempt[] }> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, id);
      checkTimes({ ...own.session, ...fields });
      const changes = differences({ ...own.session, access_code: undefined }, fields);
      if (!changes) return { session: await readSession(trx, caller, id), moved: [] };
      await trx.updateTable('exam_sessions').set(this.#columns(fields)).where('id', '=', id).execute();
      const moved = await moveDeadlines(trx, id);
      await logSession(trx, caller, 'exam_session_update', own, { old: logged(changes.old), new: logged(changes.new) });
      return { session: await readSession(trx, caller, id), moved };
    });
  }

  /** Ended attempts are kept, and show no more than before. @throws NotFound, Forbidden, Conflict with unfinished attempts */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, id);
      const unfinished = trx.selectFrom('attempts').select('id').where('session_id', '=', id);
      if (await unfinished.where('status', 'in', ['queued', 'starting', 'in_progress', 'grading']).executeTakeFirst())
        throw new Conflict('session_in_use', 'The exam session has unfinished attempts');
      await trx.deleteFrom('exam_sessions').where('id', '=', id).execute();
      const { exam_id, opens_at, closes_at } = own.session;
      await logSession(trx, caller, 'exam_session_delete', own, { old: { exam_id, opens_at, closes_at } });
    });
  }

  #columns({ access_code, networks, ...fields }: Partial<SessionFields>) {
    return {
      ...fields,
      ...(access_code === undefined
        ? {}
        : { access_code_hash: access_code === null ? null : accessCodeHash(this.#hash, access_code) }),
      ...(networks === undefined ? {} : { networks: networksOf(networks) }),
    };
  }
}

const timesOf = ({ opens_at, closes_at }: SessionFields) => ({ opens_at, closes_at });

/** Without bits of hosts, as PostgreSQL requires it. */
const networksOf = (networks: readonly string[]): RawBuilder<string[]> =>
  sql`array(select network(given::inet)::cidr from unnest(${networks}::text[]) with ordinality as all_given (given, number) order by number)`;

/** @throws Invalid */
function checkTimes({ opens_at, closes_at }: Pick<SessionFields, 'opens_at' | 'closes_at'>): void {
  if (opens_at.getTime() < closes_at.getTime()) return;
  const msg = 'Value error, the session must close after it opens';
  throw new Invalid([{ loc: ['body', 'closes_at'], msg, type: 'value_error' }]);
}

/** Without the access code. */
const logged = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      name === 'access_code' ? [name, value === null ? null : '...'] : [name, value],
    ),
  );

/** An entry of the activity log about a session. */
export async function logSession(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { session: { id, title }, of }: { session: Pick<OwnSession['session'], 'id' | 'title'>; of: OwnClass },
  { userId, ...details }: Record<string, unknown> & { userId?: number },
): Promise<void> {
  const all = { class: of.name, ...details };
  await logActivity(trx, {
    ...{ actorId, type, title, entityType: 'exam_session', entityId: id, details: all },
    ...(userId === undefined ? {} : { userId }),
  });
}
