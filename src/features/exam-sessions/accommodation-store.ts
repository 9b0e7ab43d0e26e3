import { sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { checkTimes } from '../../database/exam-session-rules.ts';
import type { Tables } from '../../database/tables.ts';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { accommodatedClass, changeableClass, type OwnClass } from '../classes/access-store.ts';
import { accommodatedSession, changeableSession, isStudentOf, type OwnSession } from './access-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';
import { logSession } from './session-log-store.ts';

export type Accommodated<Fields> = { user_id: number; username: string; full_name: string | null } & Fields;

/** What accommodations of a session and those of a class do not share. */
export type AccommodationKind<Fields extends object, Owner> = {
  table: 'exam_accommodations' | 'class_accommodations';
  /** The column that refers to the owner, which is the session or the class. */
  column: 'session_id' | 'class_id';
  fields: readonly (keyof Fields & string)[];
  /** @throws NotFoundError, ForbiddenError */
  seen: (db: Database, caller: Caller, id: number) => Promise<unknown>;
  /** The same for a change. Its lock holds until the end of the transaction. @throws NotFoundError, ForbiddenError */
  changeable: (trx: Transaction<Tables>, caller: Caller, id: number) => Promise<Owner>;
  isStudent: (trx: Transaction<Tables>, id: number, userId: number) => Promise<boolean>;
  /** @throws InvalidError */
  check?: (fields: Partial<Fields>, owner: Owner) => void;
  /** Writes an entry of the activity log. */
  log: (trx: Transaction<Tables>, caller: Caller, owner: Owner, change: AccommodationChange) => Promise<void>;
  /** Moves the deadlines of those attempts of the student that run. */
  move: (trx: Transaction<Tables>, id: number, userId: number) => Promise<MovedAttempt[]>;
};

type AccommodationChange = { action: 'set' | 'delete'; userId: number; details: Record<string, unknown> };

/** The differences for single students, of a session or of all sessions of a class. */
export class AccommodationStore<Fields extends object, Owner> {
  readonly #db: Database;
  readonly #kind: AccommodationKind<Fields, Owner>;

  constructor(db: Database, kind: AccommodationKind<Fields, Owner>) {
    this.#db = db;
    this.#kind = kind;
  }

  /** By username. @throws NotFoundError, ForbiddenError */
  async list(caller: Caller, id: number, page: Page): Promise<{ rows: Accommodated<Fields>[]; total: number }> {
    await this.#kind.seen(this.#db, caller, id);
    const { rows } = await sql<Accommodated<Fields>>`${this.#selected(id)}
      order by lower(username), user_id limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const counted = await sql<{ total: number }>`select count(*)::int as total
      from ${sql.table(this.#kind.table)} where ${this.#isOf(id)}`.execute(this.#db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /**
   * Changes the given fields. They also apply to an attempt that runs.
   * @returns with the attempts whose deadline has moved
   * @throws NotFoundError for the owner or a user who is no student of it, ForbiddenError, InvalidError
   */
  async set(
    caller: Caller,
    id: number,
    userId: number,
    given: Partial<Fields>,
  ): Promise<{ accommodation: Accommodated<Fields>; moved: MovedAttempt[] }> {
    const { changeable, isStudent, check, log, move } = this.#kind;
    return await this.#db.transaction().execute(async (trx) => {
      const owner = await changeable(trx, caller, id);
      if (!(await isStudent(trx, id, userId))) throw new NotFoundError('not_found', 'Student not found');
      const before = await this.#one(trx, id, userId);
      check?.({ ...before, ...given }, owner);
      await this.#upsert(trx, id, userId, given);
      const changes = differences(before ?? {}, given);
      if (changes) await log(trx, caller, owner, { action: 'set', userId, details: changes });
      const accommodation = await this.#one(trx, id, userId);
      if (!accommodation) throw new NotFoundError('not_found', 'Student not found');
      return { accommodation, moved: await move(trx, id, userId) };
    });
  }

  /** @returns the attempts whose deadline has moved @throws NotFoundError, ForbiddenError */
  async delete(caller: Caller, id: number, userId: number): Promise<MovedAttempt[]> {
    const { table, changeable, log, move } = this.#kind;
    return await this.#db.transaction().execute(async (trx) => {
      const owner = await changeable(trx, caller, id);
      const { rows } = await sql<Fields>`delete from ${sql.table(table)}
        where ${this.#isOf(id)} and user_id = ${userId} returning ${this.#fields()}`.execute(trx);
      const [old] = rows;
      if (!old) throw new NotFoundError('not_found', 'Accommodation not found');
      await log(trx, caller, owner, { action: 'delete', userId, details: { old } });
      return await move(trx, id, userId);
    });
  }

  #fields() {
    return sql.join(this.#kind.fields.map((name) => sql.ref(name)));
  }

  #isOf(id: number) {
    return sql<boolean>`${sql.ref(this.#kind.column)} = ${id}`;
  }

  #selected(id: number) {
    return sql`select own.user_id, username, full_name, ${this.#fields()}
      from ${sql.table(this.#kind.table)} as own join users on users.id = own.user_id where ${this.#isOf(id)}`;
  }

  async #one(trx: Transaction<Tables>, id: number, userId: number): Promise<Accommodated<Fields> | undefined> {
    const { rows } = await sql<Accommodated<Fields>>`${this.#selected(id)} and own.user_id = ${userId}`.execute(trx);
    return rows[0];
  }

  async #upsert(trx: Transaction<Tables>, id: number, userId: number, given: Partial<Fields>): Promise<void> {
    const { table, column, fields } = this.#kind;
    const names = [column, ...fields.filter((name) => given[name] !== undefined)];
    const values = [id, ...names.slice(1).map((name) => given[name as keyof Fields])];
    await sql`insert into ${sql.table(table)} (user_id, ${sql.join(names.map((name) => sql.ref(name)))})
      values (${userId}, ${sql.join(values)}) on conflict (${sql.ref(column)}, user_id)
      do update set ${sql.join(names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`.execute(trx);
  }
}

type ClassFields = {
  time_factor: number;
  extra_attempts: number;
  /** Of each attempt. Null: none. */
  break_minutes: number | null;
};
export type ClassAccommodation = Accommodated<ClassFields>;
export type ClassAccommodationFields = Partial<ClassFields>;
export type ClassAccommodationStore = AccommodationStore<ClassFields, OwnClass>;

/** The differences of all sessions of a class for single students. */
export const classAccommodationStore = (db: Database): ClassAccommodationStore =>
  new AccommodationStore(db, {
    table: 'class_accommodations',
    column: 'class_id',
    fields: ['time_factor', 'extra_attempts', 'break_minutes'],
    seen: accommodatedClass,
    changeable: async (trx, caller, id) => await changeableClass(trx, caller, id, 'share'),
    isStudent,
    log: async (trx, { id: actorId }, { id, name: title }, { action, userId, details }) => {
      const type = `class_accommodation_${action}`;
      await logActivity(trx, { actorId, userId, type, title, entityType: 'class', entityId: id, details });
    },
    move,
  });

/** The membership holds until the end of the transaction. */
async function isStudent(trx: Transaction<Tables>, classId: number, userId: number): Promise<boolean> {
  const member = await trx
    .selectFrom('class_members')
    .select('user_id')
    .where('class_id', '=', classId)
    .where('user_id', '=', userId)
    .where('role', '=', 'student')
    .forKeyShare()
    .executeTakeFirst();
  return member !== undefined;
}

/** In all sessions of the class. */
async function move(trx: Transaction<Tables>, classId: number, userId: number): Promise<MovedAttempt[]> {
  const { rows } = await sql<{ id: number }>`select id from exam_sessions where class_id = ${classId}
    and exists (select from attempts where session_id = exam_sessions.id and user_id = ${userId}
      and ${statusSql.isRunning()})
    order by id for no key update`.execute(trx);
  const moved: MovedAttempt[] = [];
  for (const { id } of rows) moved.push(...(await moveDeadlines(trx, id, userId)));
  return moved;
}

type SessionFields = {
  /** Null: that of the class. */
  time_factor: number | null;
  opens_at: Date | null;
  closes_at: Date | null;
  max_attempts: number | null;
  /** Of each attempt. Null: those of the class; 0: none. */
  break_minutes: number | null;
};
export type Accommodation = Accommodated<SessionFields>;
export type AccommodationFields = Partial<SessionFields>;
export type SessionAccommodationStore = AccommodationStore<SessionFields, OwnSession>;

/** The differences of a session for single students. */
export const sessionAccommodationStore = (db: Database): SessionAccommodationStore =>
  new AccommodationStore(db, {
    table: 'exam_accommodations',
    column: 'session_id',
    fields: ['time_factor', 'opens_at', 'closes_at', 'max_attempts', 'break_minutes'],
    seen: accommodatedSession,
    changeable: changeableSession,
    isStudent: isStudentOf,
    check: ({ opens_at, closes_at }, { session }) =>
      checkTimes({ opens_at: opens_at ?? session.opens_at, closes_at: closes_at ?? session.closes_at }),
    log: async (trx, caller, own, { action, userId, details }) =>
      await logSession(trx, caller, `exam_accommodation_${action}`, own, { userId, ...details }),
    move: moveDeadlines,
  });
