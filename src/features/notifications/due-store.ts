import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membersOf } from '../../database/exam-session-rules.ts';
import { ownDeadlineOf, ownDueAt } from '../../database/own-deadlines.ts';

export type DueLimits = {
  /** Days that a notification is kept. */
  days: number;
  /** Minutes before the end of an attempt. */
  minutesLeft: readonly number[];
  /** Hours before a laboratory is due. */
  hoursBeforeDue: number;
};

/** Rows that one statement deletes. */
const batch = 5000;

/**
 * Writes the notifications of what becomes due by time alone. Each method can run again at any time: nothing is written twice. What a change
 * brings about is written in its transaction, in most cases by triggers.
 */
export class DueStore {
  readonly #db: Database;
  readonly #limits: DueLimits;

  constructor(db: Database, limits: DueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  async write(): Promise<void> {
    await this.#examsOpen();
    await this.#timeLeft();
    await this.#resultsAfterClose();
    await this.#deadlines();
  }

  /** Deletes those that are older than they are kept. @returns how many */
  async clean(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { numAffectedRows = 0n } = await sql`delete from notifications where (user_id, key) in (
        select user_id, key from notifications where created_at < now() - make_interval(days => ${this.#limits.days})
        limit ${batch})`.execute(this.#db);
      deleted += Number(numAffectedRows);
      if (numAffectedRows < batch) return deleted;
    }
  }

  /** Students whose window has opened within the last hour: after a longer standstill of the service the news is old. */
  async #examsOpen(): Promise<void> {
    await sql`with opened as (
        select id from exam_sessions where opens_at between now() - interval '1 hour' and now()
        union select session_id from exam_accommodations where opens_at between now() - interval '1 hour' and now()
      )
      insert into notifications (user_id, key, kind, session_id, until)
      select member.user_id, 'exam_opens:' || s.id, 'exam_opens', s.id, coalesce(own.closes_at, s.closes_at)
      from opened join exam_sessions as s on s.id = opened.id
      join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
      left join exam_accommodations as own on own.session_id = s.id and own.user_id = member.user_id
      where coalesce(own.opens_at, s.opens_at) between now() - interval '1 hour' and now()
        and coalesce(own.closes_at, s.closes_at) > now()
      on conflict do nothing`.execute(this.#db);
  }

  /**
   * Of several reminders that are due, the last one. It replaces an earlier one. Short attempts are not reminded at their beginning. An
   * attempt that is being changed waits for the next run: it can get more time, and what its trigger deletes must not be written again.
   */
  async #timeLeft(): Promise<void> {
    const [longest = 0] = [...this.#limits.minutesLeft].sort((a, b) => b - a);
    await sql`with ending as materialized (
        select id, user_id, started_at, expires_at from attempts
        where ${statusSql.holdsContainer()} and status = 'in_progress' and paused_at is null
          and expires_at between now() and now() + make_interval(mins => ${longest})
        for share skip locked
      )
      insert into notifications as n (user_id, key, kind, attempt_id, minutes, until)
      select user_id, 'time_left:' || id, 'time_left', id, due.minutes, expires_at
      from ending cross join lateral (
        select min(minutes) as minutes from unnest(${this.#limits.minutesLeft}::int[]) as minutes
        where expires_at <= now() + make_interval(mins => minutes) and started_at < expires_at - make_interval(mins => minutes)
      ) as due
      where due.minutes is not null
      on conflict (user_id, key) do update
        set minutes = excluded.minutes, until = excluded.until, created_at = now(), read_at = null
        where (n.minutes, n.until) is distinct from (excluded.minutes, excluded.until)`.execute(this.#db);
  }

  /** Of sessions that have closed within the last day. The function of the database decides what their students see. */
  async #resultsAfterClose(): Promise<void> {
    await sql`with closed as (
        select id from exam_sessions where results_visible = 'after_close' and closes_at between now() - interval '1 day' and now()
        union select session_id from exam_accommodations join exam_sessions on exam_sessions.id = session_id
          where results_visible = 'after_close' and exam_accommodations.closes_at between now() - interval '1 day' and now()
      ) select notify_of_results(s) from exam_sessions as s join closed on closed.id = s.id`.execute(this.#db);
  }

  /** For the students who have not passed the laboratory. A new date is announced again. */
  async #deadlines(): Promise<void> {
    await sql`insert into notifications as n (user_id, key, kind, class_id, laboratory_id, until)
      select member.user_id, 'deadline:' || due.class_id || ':' || due.laboratory_id, 'deadline', due.class_id, due.laboratory_id, ${ownDueAt}
      from laboratory_deadlines as due
      join classes on classes.id = due.class_id and not classes.is_archived
      join assessments as laboratories on laboratories.kind = laboratory_kind and laboratories.id = laboratory_id and laboratories.is_active
      join sections on sections.id = laboratories.section_id and sections.is_active
      join class_courses on class_courses.class_id = due.class_id and class_courses.course_id = sections.course_id
      join courses on courses.id = sections.course_id and courses.is_active
      join class_members as member on member.class_id = due.class_id and member.role = 'student'
      ${ownDeadlineOf(sql`member.user_id`)}
      where ${ownDueAt} between now() and now() + make_interval(hours => ${this.#limits.hoursBeforeDue})
        and not exists (select from attempts where kind = laboratory_kind and assessment_id = due.laboratory_id and user_id = member.user_id and passed)
      on conflict (user_id, key) do update set until = excluded.until, created_at = now(), read_at = null
        where n.until is distinct from excluded.until`.execute(this.#db);
  }
}
