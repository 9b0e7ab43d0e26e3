import { sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { countsIn, hasShownResults, membersOf, termsOf } from '../../database/exam-session-rules.ts';
import type { Caller } from '../../http/access/access.ts';
import { supervisedSession } from '../exam-sessions/access-store.ts';
import { readSession } from '../exam-sessions/view-store.ts';
import type { RoomSessionSchema, RoomStudentSchema } from './schema.ts';

/** A session as it is for everybody, without the own times of a student. */
export type RoomSession = Static<typeof RoomSessionSchema>;

/** A student in an exam session, with the newest attempt. */
export type RoomStudent = Omit<Static<typeof RoomStudentSchema>, 'is_connected'>;
/** A student as those see who are no students themselves. */
export type StudentInRoom = RoomStudent & { has_shown_results: boolean };

/** Students who supervise see neither accommodations, nor results that are withheld, nor what silent checks find. */
export const seenBy = <Student extends StudentInRoom>(
  { role }: Pick<Caller, 'role'>,
  { has_shown_results, ...student }: Student,
): Omit<Student, 'has_shown_results'> => {
  if (role !== 'student') return student;
  const result = has_shown_results ? {} : { score: null, max_score: null, passed: null };
  const marks = { checked_at: null, marks_changed_at: null, task_marks: null };
  return { ...student, time_factor: null, ...marks, ...result };
};

/** The same for the session. */
export const sessionSeenBy = ({ role }: Pick<Caller, 'role'>, session: RoomSession): RoomSession =>
  role === 'student' ? { ...session, silent_check_minutes: null } : session;

/** No user has this id. */
const nobody: Caller = { id: 0, username: '', role: 'admin', scope: 'all' };

/** Everybody in an exam session. */
export class RoomStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws NotFoundError */
  async session(id: number): Promise<RoomSession> {
    const { exam_id, exam_title, class_id, class_name, chosen_students, title, ...view } = await readSession(
      this.#db,
      nobody,
      id,
    );
    const checks = this.#db.selectFrom('silent_checks').select('interval_minutes').where('session_id', '=', id);
    const { opens_at, closes_at, state, is_paused, is_released, is_locked_down, results_visible } = view;
    return {
      ...{ id, exam_id, exam_title, class_id, class_name, chosen_students, title },
      ...{ opens_at, closes_at, state, is_paused, is_released, is_locked_down, results_visible },
      silent_check_minutes: (await checks.executeTakeFirst())?.interval_minutes ?? null,
    };
  }

  /** @throws NotFoundError, ForbiddenError unless the caller supervises the session */
  async checkAccess(caller: Caller, id: number): Promise<void> {
    await supervisedSession(this.#db, caller, id);
  }

  /**
   * The students of the session, and others with an attempt in the session, by username. The caller has checked the access.
   * @param userIds only those of these users
   */
  async students(sessionId: number, userIds?: ReadonlySet<number>): Promise<StudentInRoom[]> {
    const isWanted = userIds ? sql`user_id = any(${[...userIds]}::int[])` : sql`true`;
    const { rows } = await sql<StudentInRoom>`
      select users.id as user_id, username, full_name, case coalesce(attempt.status, 'not_started') when 'starting' then 'queued' else coalesce(attempt.status, 'not_started') end as status, attempt.id as attempt_id,
        (select count(*)::int from attempts where session_id = ${sessionId} and user_id = users.id
          and ${countsIn('attempts')}) as attempts,
        case when not ${statusSql.awaitsContainer('attempt')} then attempt.started_at end as started_at,
        case when not ${statusSql.awaitsContainer('attempt')} then attempt.expires_at end as expires_at,
        attempt.submitted_at, attempt.paused_at, attempt.break_ends_at, own.time_factor,
        coalesce(attempt.is_locked_down, false) and users.locked_login is not null as is_locked,
        container.id as container_id, greatest(container.last_used_at, attempt.asked_at,
          case when attempt.status = 'finished' and attempt.ended_at is null then attempt.submitted_at end) as last_seen_at, container.last_input_at,
        array_remove(array[
          case when exists (select from hands where hands.attempt_id = attempt.id) then 'hand_raised' end,
          case when attempt.login_refused_at is not null and ${statusSql.isUnsubmitted('attempt')} then 'login_refused' end,
          case when container.lost_at is not null then 'lost' end,
          case when container.replaced_at is not null then 'replaced' end,
          case when container.full_at is not null then 'disk_full' end,
          case when jsonb_array_length(attempt.integrity) > 0 then 'integrity' end,
          case when attempt.grading_error is not null then 'not_gradable' end], null) as warnings,
        attempt.score, attempt.max_score, attempt.passed, coalesce(attempt.is_awaiting_grading, false) as is_awaiting_grading, coalesce(attempt.has_shown_results, true) as has_shown_results,
        look.checked_at, look.marks_changed_at, look.marks as task_marks
      from (
        select member.user_id from exam_sessions as s join ${membersOf('s')} as member on member.role = 'student' where s.id = ${sessionId}
          and ${isWanted}
        union select user_id from attempts where session_id = ${sessionId} and user_id > 0 and ${isWanted}
      ) as people
      join users on users.id = people.user_id
      join exam_sessions as s on s.id = ${sessionId}
      cross join ${termsOf('s', sql`users.id`)} as own
      left join lateral (select attempts.*, ${sql.raw(hasShownResults)} as has_shown_results from attempts where session_id = ${sessionId} and user_id = users.id
        order by id desc limit 1) as attempt on true
      left join silent_looks as look on look.attempt_id = attempt.id and attempt.status = 'in_progress'
      left join containers as container on container.attempt_id = attempt.id and container.status <> 'removing'
      order by lower(username), users.id`.execute(this.#db);
    return rows;
  }
}
