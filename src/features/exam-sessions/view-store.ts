import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { countsIn, membershipsOf, pauseOf, termsOf } from '../../database/exam-session-rules.ts';
import type { Caller } from '../../http/access/access.ts';
import { isInView, seesAllClasses } from '../classes/access-store.ts';
import { noSession } from './access-store.ts';
import type { SessionSchema } from './schema.ts';

export type SessionState = 'upcoming' | 'open' | 'closed';
/** As the caller sees it: a student's own times. */
export type SessionView = Static<typeof SessionSchema>;
/** Whether a session is among those that the caller sees. */
export const isSeen = (caller: Caller): RawBuilder<boolean> =>
  seesAllClasses(caller)
    ? sql<boolean>`true`
    : sql<boolean>`my_role is not null and not is_hidden and ${isInView(caller, 'class_id')}`;

/** A student of the session sees own times. Others see those of the session. */
export const viewOf = (caller: Caller) => sql`
  select times.*, case when now() < opens_at then 'upcoming' when now() < closes_at + pause then 'open' else 'closed' end as state
  from (
    select s.id, s.exam_id, exams.title as exam_title, s.class_id, classes.name as class_name, member.is_hidden, s.title,
      case when s.class_id is null and member.role is distinct from 'student' then (
        select count(*)::int from exam_session_users where session_id = s.id and role = 'student') end as chosen_students,
      coalesce(own.opens_at, s.opens_at) as opens_at, coalesce(own.closes_at, s.closes_at) as closes_at,
      case when member.role = 'student'
        then ceil(coalesce(s.time_limit_minutes, exams.time_limit_minutes) * own.time_factor)::int
        else s.time_limit_minutes end as time_limit_minutes,
      own.max_attempts, s.counted_attempt, s.access_code_hash is not null as has_access_code,
      s.networks::text[] as networks, s.results_visible, s.is_output_visible, s.is_locked_down, s.has_hands, s.review_days, s.has_hidden_names,
      s.grader_tolerance_percent, s.has_assistant_graders, s.has_signals,
      s.paused_at is not null as is_paused,
      s.released_at is not null as is_released, s.created_at, member.role as my_role, ${sql.raw(pauseOf('s', 'now()'))} as pause,
      case when member.role = 'student' and own.max_attempts is not null then greatest(0, own.max_attempts - (
        select count(*)::int from attempts where session_id = s.id and user_id = ${caller.id} and ${countsIn('attempts')}
      )) end as attempts_left
    from exam_sessions as s
    join assessments as exams on exams.kind = s.exam_kind and exams.id = s.exam_id
    left join classes on classes.id = s.class_id
    left join ${membershipsOf(caller.id)} as member on member.session_id = s.id
    cross join ${termsOf('s', sql`case when member.role = 'student' then member.user_id end`)} as own
  ) as times`;

/** @throws NotFoundError */
export async function readSession(db: Database, caller: Caller, id: number): Promise<SessionView> {
  const { rows } = await sql<SessionView>`select * from (${viewOf(caller)}) as sessions where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw noSession();
  return row;
}
