import { type RawBuilder, type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membersOf } from '../../database/exam-session-rules.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { inScope, seesAttempt, studentScope } from '../../database/lists/student-scope.ts';
import type { AttemptKind, HandsTable } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';

export type Hand = Omit<Selectable<HandsTable>, 'course_id' | 'taken_by'> & {
  username: string;
  full_name: string | null;
  class_name: string | null;
  kind: AttemptKind | 'sandbox';
  /** The name of who sees to it. */
  taken_by: string | null;
  ahead: number;
  is_watchable: boolean;
};
export type NewHand = { container_id: number; text: string; lesson?: { id: number; title: string } | undefined };

/** Hands in an answer. */
const maxListed = 200;

/** The classes, not archived, of a student with a hand that have its course. */
const classesOfHand = sql`class_members as student join classes on classes.id = student.class_id and not classes.is_archived
  where student.user_id = hands.user_id and student.role = 'student' and (hands.course_id is null
    or exists (select from class_courses where class_courses.class_id = classes.id and class_courses.course_id = hands.course_id))`;

/** Those who may help: the staff of these classes, owners and editors of the course; in an exam session its supervisors alone. */
const helpers = sql`(select users.id from users where users.role <> 'student' and users.id in (
  select own.user_id from class_members as own where hands.session_id is null and own.role in ('assistant', 'instructor')
    and own.class_id in (select classes.id from ${classesOfHand})
  union select user_id from course_staff where course_staff.course_id = hands.course_id and hands.session_id is null and role <> 'viewer'
  union select member.user_id from exam_sessions as s join ${membersOf('s')} as member on member.role in ('assistant', 'instructor')
    where s.id = hands.session_id))`;

/** Whether a caller may see to a raised hand: those who see all students see to all. */
const mayHelp = (caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`(hands.answer is null and ${studentScope(caller).of === 'everybody' ? sql`true` : sql`${caller.id} in ${helpers}`})`;

/** Whether a caller may watch the terminals of a student with a hand: the rule of all watching. */
const isWatchable = (caller: Caller): RawBuilder<boolean> => sql<boolean>`(users.role = 'student'
  and (${inScope(studentScope(caller), sql.ref('hands.user_id'))} or coalesce(${seesAttempt(caller)}, false)))`;

/** Raised hands: a student asks for help, and the staff answer. Notifications of both report each change. */
export class HandStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The caller's hand, and whether one may be raised at a machine. @throws NotFoundError unless that is the caller's own */
  async own(caller: Caller, containerId: number): Promise<{ is_allowed: boolean; hand: Hand | null }> {
    const { is_allowed } = await placeOf(this.#db, caller, containerId);
    return { is_allowed, hand: (await this.#list(caller, sql`hands.user_id = ${caller.id}`))[0] ?? null };
  }

  /**
   * A hand that is raised there already gets the new text.
   * @throws NotFoundError unless the machine is the caller's own, ForbiddenError in an exam that allows none, ConflictError at what has ended
   * or stopped, and while the caller's hand is raised elsewhere
   */
  async raise(caller: Caller, { container_id, text, lesson }: NewHand): Promise<Hand> {
    await this.#db.transaction().execute(async (trx) => {
      const { attempt_id, session_id, course_id, title, is_allowed } = await placeOf(trx, caller, container_id);
      if (!is_allowed) throw new ForbiddenError('forbidden', 'In this exam nobody raises a hand');
      // Held until the hand exists, so that the end of an attempt or a sandbox finds it.
      const open = await (attempt_id === null
        ? sql`select from containers where id = ${container_id} and status = 'running' for share`
        : sql`select from attempts where id = ${attempt_id} and ${statusSql.isRunning()} for share`
      ).execute(trx);
      if (open.rows.length === 0 && attempt_id === null)
        throw new ConflictError('container_not_running', 'The container is not running');
      if (open.rows.length === 0) throw new ConflictError('attempt_not_in_progress', 'The attempt has ended');
      const beside = attempt_id === null ? lesson : undefined;
      const course = beside
        ? sql`(select course_id from themes join sections on sections.id = section_id where themes.id = ${beside.id})`
        : sql`${course_id}::int`;
      await sql`delete from hands where user_id = ${caller.id} and answer is not null`.execute(trx);
      const { rows } = await sql<{ id: number }>`
        insert into hands (user_id, attempt_id, container_id, course_id, session_id, title, text)
        values (${caller.id}, ${attempt_id}, ${attempt_id === null ? container_id : null}, ${course}, ${session_id},
          ${beside?.title ?? title}, ${text})
        on conflict (user_id) do update set text = excluded.text
          where hands.attempt_id = excluded.attempt_id or hands.container_id = excluded.container_id
        returning id`.execute(trx);
      if (!rows[0]) throw new ConflictError('conflict', 'Your hand is raised already, somewhere else');
      await sql`insert into notifications (user_id, key, kind, hand_id)
        select helper.id, 'hand:' || hands.id, 'hand', hands.id from hands cross join lateral ${helpers} as helper
        where hands.id = ${rows[0].id} on conflict do nothing`.execute(trx);
    });
    return found((await this.#list(caller, sql`hands.user_id = ${caller.id}`))[0], 'Hand');
  }

  /** The raised hands that the caller may see to: by class, in each oldest first. */
  async raised(caller: Caller): Promise<Hand[]> {
    return await this.#list(caller, mayHelp(caller));
  }

  /** A raised hand that the caller may see to, or the caller's own. @throws NotFoundError */
  async one(caller: Caller, id: number): Promise<Hand> {
    const isSeen = sql`(hands.user_id = ${caller.id} or ${mayHelp(caller)})`;
    return found((await this.#list(caller, sql`hands.id = ${id} and ${isSeen}`))[0], 'Hand');
  }

  /** The caller sees to a hand: its student and the others see by whom. @throws NotFoundError, ConflictError if somebody else does */
  async take(caller: Caller, id: number): Promise<Hand> {
    await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ taken_by: number | null }>`select taken_by from hands
        where id = ${id} and ${mayHelp(caller)} for update`.execute(trx);
      const taker = found(rows[0], 'Hand').taken_by ?? caller.id;
      if (taker !== caller.id) throw new ConflictError('hand_taken', 'Somebody else sees to this student already');
      await sql`update hands set taken_by = ${taker} where id = ${id}`.execute(trx);
      await sql`update notifications set read_at = coalesce(read_at, now()), created_at = now() where hand_id = ${id}`.execute(
        trx,
      );
      await notifyStudent(trx, id);
    });
    return await this.one(caller, id);
  }

  /**
   * The student's own hand goes, and so does one that staff close without an answer. With one it waits for its student, who reads it.
   * @throws NotFoundError
   */
  async close(caller: Caller, id: number, answer?: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { rows } = await (answer === undefined
        ? sql`delete from hands where id = ${id} and (user_id = ${caller.id} or ${mayHelp(caller)}) returning id`
        : sql`update hands set answer = ${answer}, taken_by = ${caller.id} where id = ${id} and ${mayHelp(caller)} returning id`
      ).execute(trx);
      found(rows[0], 'Hand');
      if (answer === undefined) return;
      await sql`delete from notifications where hand_id = ${id}`.execute(trx);
      await notifyStudent(trx, id);
    });
  }

  async #list(caller: Caller, condition: RawBuilder<unknown>): Promise<Hand[]> {
    const { rows } = await sql<Hand>`
      select hands.id, hands.user_id, users.username, users.full_name, hands.attempt_id, hands.session_id, hands.title, hands.text,
        hands.raised_at, hands.answer, coalesce(attempts.kind, 'sandbox') as kind,
        (select classes.name from ${classesOfHand} order by classes.id limit 1) as class_name,
        coalesce(hands.container_id, (select id from containers where containers.attempt_id = hands.attempt_id
          and status = 'running' limit 1)) as container_id,
        (select ${shownName('taker')} from users as taker where taker.id = hands.taken_by) as taken_by,
        (select count(*)::int from hands as before where before.id < hands.id and before.answer is null and before.taken_by is null
          and (before.course_id, before.session_id) is not distinct from (hands.course_id, hands.session_id)
          and (hands.session_id is not null or before.user_id in (select other.user_id from class_members as other
            where other.role = 'student' and other.class_id in (select classes.id from ${classesOfHand})))) as ahead,
        ${isWatchable(caller)} as is_watchable
      from hands join users on users.id = hands.user_id left join attempts on attempts.id = hands.attempt_id
      where ${condition} order by class_name, hands.id limit ${maxListed}`.execute(this.#db);
    return rows;
  }
}

type Place = Pick<Selectable<HandsTable>, 'attempt_id' | 'session_id' | 'course_id' | 'title'> & {
  is_allowed: boolean;
};

/** Where a hand is raised: the machine of a sandbox or an attempt. @throws NotFoundError unless it is the caller's own */
async function placeOf(db: Database, caller: Caller, containerId: number): Promise<Place> {
  const { rows } = await sql<Place>`
    select containers.attempt_id, attempts.session_id, coalesce(sections.course_id, assessments.course_id) as course_id,
      coalesce(attempts.title, containers.name) as title, containers.kind <> 'exam' or coalesce(s.has_hands, false) as is_allowed
    from containers left join attempts on attempts.id = containers.attempt_id
    left join exam_sessions as s on s.id = attempts.session_id
    left join assessments on assessments.kind = attempts.kind and assessments.id = attempts.assessment_id
    left join sections on sections.id = assessments.section_id
    where containers.id = ${containerId} and containers.user_id = ${caller.id}
      and containers.kind in ('sandbox', 'exam', 'laboratory')`.execute(db);
  return found(rows[0], 'Container');
}

/** A later notification replaces the first. */
async function notifyStudent(db: Database, id: number): Promise<void> {
  await sql`insert into notifications (user_id, key, kind, hand_id, attempt_id)
    select user_id, 'hand:' || id, 'help', id, attempt_id from hands where id = ${id}
    on conflict (user_id, key) do update set created_at = now(), read_at = null`.execute(db);
}
