import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { ownDeadlineOf, ownDueAt } from '../../database/own-deadlines.ts';
import type { Tables } from '../../database/tables.ts';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { changeableClass, isInView, openClass, seenClass } from './access-store.ts';
import type { DeadlineSchema } from './schema.ts';

export type Deadline = Static<typeof DeadlineSchema>;

/** A deadline as it is set. Absent parts of the rule are unchanged. */
export type DeadlineChange = { due_at: Date; late_percent_per_day?: number | null; late_floor_percent?: number };

/** Entries of a calendar. */
const maxEntries = 1000;

/** Until when classes are to pass their laboratories. A deadline ends nothing: what comes after it is late, which can cost a part of the grade. */
export class DeadlineStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those of the caller as a student, the first that are due first. */
  async ofStudent(caller: Caller, page: Page, laboratoryId?: number): Promise<{ rows: Deadline[]; total: number }> {
    const isChosen = laboratoryId === undefined ? sql`true` : sql`due.laboratory_id = ${laboratoryId}`;
    return await this.#page(
      caller,
      sql`${isChosen} and ${isInView(caller, 'classes.id')} and not classes.is_archived and exists (select from own_memberships as member
        where member.class_id = classes.id and member.user_id = ${caller.id} and member.role = 'student')`,
      page,
    );
  }

  /**
   * When a laboratory is due for a student at last: the latest due date of the student's classes, with archived ones. Null: in none of them.
   */
  async lastOf(userId: number, laboratoryId: number): Promise<Date | null> {
    const { rows } = await sql<{
      due_at: Date | null;
    }>`select max(${ownDueAt}) as due_at from laboratory_deadlines as due
      join own_memberships as member on member.class_id = due.class_id and member.user_id = ${userId} and member.role = 'student'
      ${ownDeadlineOf(userId)}
      where due.laboratory_id = ${laboratoryId}`.execute(this.#db);
    return rows[0]?.due_at ?? null;
  }

  /** Those of `ofStudent` as entries of a calendar. */
  async calendar(caller: Caller): Promise<Deadline[]> {
    return (await this.ofStudent(caller, { limit: maxEntries, offset: 0 })).rows;
  }

  /** @throws NotFoundError */
  async ofClass(caller: Caller, classId: number, page: Page): Promise<{ rows: Deadline[]; total: number }> {
    await seenClass(this.#db, caller, classId);
    return await this.#page(caller, sql`classes.id = ${classId}`, page);
  }

  /** @throws NotFoundError for the class or a laboratory that is in none of its courses, ForbiddenError, ConflictError for an archived class */
  async set(caller: Caller, classId: number, laboratoryId: number, change: DeadlineChange): Promise<Deadline> {
    return await this.#db.transaction().execute(async (trx) => {
      const of = await openClass(trx, caller, classId);
      const { rows } = await sql<{ title: string }>`select laboratories.title from assessments as laboratories
        join sections on sections.id = laboratories.section_id
        join class_courses on class_courses.course_id = sections.course_id and class_courses.class_id = ${classId}
        where kind = 'laboratory' and laboratories.id = ${laboratoryId} for share of laboratories`.execute(trx);
      const [laboratory] = rows;
      if (!laboratory) throw new NotFoundError('not_found', 'Laboratory not found in the courses of the class');
      await trx
        .insertInto('laboratory_deadlines')
        .values({ class_id: classId, laboratory_id: laboratoryId, ...change })
        .onConflict((conflict) => conflict.columns(['class_id', 'laboratory_id']).doUpdateSet(change))
        .execute();
      await logInClass(trx, caller, 'laboratory_deadline_set', of, { laboratory: laboratory.title, ...change });
      const [deadline] = await read(trx, caller, sql`classes.id = ${classId} and due.laboratory_id = ${laboratoryId}`);
      if (!deadline) throw noDeadline();
      return deadline;
    });
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(caller: Caller, classId: number, laboratoryId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const of = await changeableClass(trx, caller, classId, 'share');
      const { rows } = await sql<{ laboratory: string; due_at: Date }>`delete from laboratory_deadlines as due
        using assessments as laboratories
        where laboratories.kind = due.laboratory_kind and laboratories.id = due.laboratory_id and due.class_id = ${classId}
          and due.laboratory_id = ${laboratoryId} returning laboratories.title as laboratory, due.due_at`.execute(trx);
      const [deleted] = rows;
      if (!deleted) throw noDeadline();
      await logInClass(trx, caller, 'laboratory_deadline_delete', of, deleted);
    });
  }

  async #page(caller: Caller, where: RawBuilder<unknown>, { limit, offset }: Page) {
    const rows = await read(this.#db, caller, sql`${where}`, sql`limit ${limit} offset ${offset}`);
    const counted = await sql<{ total: number }>`select count(*)::int as total ${from(where, caller)}`.execute(
      this.#db,
    );
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }
}

const noDeadline = () => new NotFoundError('not_found', 'Deadline not found');

/** Of active laboratories that are still in a course of the class. */
const from = (where: RawBuilder<unknown>, { id }: Caller) => sql`from laboratory_deadlines as due
  ${ownDeadlineOf(id)}
  join classes on classes.id = due.class_id
  join assessments as laboratories on laboratories.kind = laboratory_kind and laboratories.id = due.laboratory_id and laboratories.is_active
  join sections on sections.id = laboratories.section_id and sections.is_active
  join courses on courses.id = sections.course_id and courses.is_active
  join class_courses on class_courses.class_id = due.class_id and class_courses.course_id = courses.id
  where ${where}`;

async function read(db: Database, caller: Caller, where: RawBuilder<unknown>, limit = sql``): Promise<Deadline[]> {
  const { rows } = await sql<Deadline>`select classes.id as class_id, classes.name as class_name,
      laboratories.id as laboratory_id, laboratories.title, ${ownDueAt} as due_at,
      own.due_at is not null as is_extended, due.late_percent_per_day, due.late_floor_percent,
      (select min(coalesce(submitted_at, started_at)) from attempts
        where kind = laboratory_kind and assessment_id = due.laboratory_id and attempts.user_id = ${caller.id} and passed and ${statusSql.isGraded()}) as passed_at
    ${from(where, caller)} order by ${ownDueAt}, classes.id, laboratories.id ${limit}`.execute(db);
  return rows;
}

export async function logInClass(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { id, name }: { id: number; name: string },
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, { actorId, type, title: name, entityType: 'class', entityId: id, details });
}
