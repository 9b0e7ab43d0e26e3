import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { InvalidError } from '../errors.ts';
import { refusedField } from '../values/coded-problem.ts';
import { statusSql } from './attempt-status.ts';
import type { AttemptsTable, Role, Tables } from './tables.ts';

/** Why an attempt was abandoned whose container was lost. It does not count. */
export const lostReason = 'The container was lost, so there is nothing to grade';

/**
 * What the answers to its user leave out of an ended attempt: its results, their output, or nothing (null). While people grade, they
 * leave out the results of an attempt in a session. The rest of the rule is the function
 * `session_withholds` of the database, because it holds for the attempts of a session that is deleted as well.
 */
export const withheld = `coalesce(
  case when attempts.is_awaiting_grading and attempts.session_id is not null then 'results' end, attempts.withheld,
  (select session_withholds(sessions, attempts.user_id) from exam_sessions as sessions where sessions.id = attempts.session_id))`;

/** Whether the answers to its user show the results of an ended attempt. Most attempts have no session, which costs nothing here. */
export const hasShownResults = `(attempts.session_id is null and attempts.withheld is null or ${withheld} is distinct from 'results')`;

/**
 * The same for a reader of other users' results: students who supervise a class see no result that its student does not see yet. For the
 * table `attempts`.
 */
export const isShownTo = ({ role }: { role: Role }): RawBuilder<boolean> =>
  role === 'student' ? sql<boolean>`${sql.raw(hasShownResults)}` : sql<boolean>`true`;

/** Whether an attempt, of that alias, uses up one of the attempts of its session: it has begun, and its container was not lost. */
export const countsIn = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${statusSql.isBegun(alias)}
  or (${wasAbandonedBegun(alias)} and ${sql.ref(`${alias}.grading_error`)} is distinct from ${sql.lit(lostReason)}))`;

/** Whether an attempt was abandoned after its clock had started: it has a time limit since then. */
const wasAbandonedBegun = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.status`)} = 'abandoned' and ${sql.ref(`${alias}.time_limit_minutes`)} is not null)`;

/** The order of the graded attempts of a user in a session, of these aliases. The first one counts: the best, last or first one. */
const countedFirst = (attempt: string): RawBuilder<unknown> => {
  const [id, score] = [sql.ref(`${attempt}.id`), sql.ref(`${attempt}.score`)];
  return sql`case sessions.counted_attempt when 'best' then -${score} when 'last' then -${id} else ${id} end, ${id}`;
};

/** Whether an attempt is the one that counts of its user's in its session. Each counts without a session. */
export const isCounted: RawBuilder<boolean> = sql<boolean>`(attempts.session_id is null or attempts.id = (
  select other.id from attempts as other join exam_sessions as sessions on sessions.id = other.session_id
  where other.session_id = attempts.session_id and other.user_id = attempts.user_id and ${statusSql.isGraded('other')}
  order by ${countedFirst('other')} limit 1))`;

/**
 * The same for a graded attempt, as a column of a statement that reads all attempts of its user in its session, with the session as
 * `sessions`. It is much cheaper for many attempts.
 */
export const isCountedOfAll: RawBuilder<boolean> = sql<boolean>`(attempts.session_id is null or 1 = row_number() over (
  partition by attempts.user_id, attempts.session_id, ${statusSql.isGraded('attempts')} order by ${countedFirst('attempts')}))`;

/** The interval by which a running pause moves the close of a session, of that alias. A transaction can have waited, so `now` is the clock's. */
export const pauseOf = (alias: string, now = 'clock_timestamp()'): string =>
  `coalesce(${now} - ${alias}.paused_at, interval '0')`;

/**
 * The members of sessions: those of the class, or the chosen students with the supervisors of the session. All statements take the members
 * from here. `is_hidden` is for students of an archived class. A former instructor who is a student now supervises no session of chosen ones.
 */
const members = (
  which: RawBuilder<unknown>,
  ofClasses: 'class_members' | 'own_memberships',
): RawBuilder<unknown> => sql`
    select session.id as session_id, member.user_id, member.role, classes.is_archived, classes.is_archived and member.role = 'student' as is_hidden
    from exam_sessions as session
    join classes on classes.id = session.class_id
    join ${sql.table(ofClasses)} as member on member.class_id = session.class_id
    where ${which}
    union all
    select session.id, member.user_id, member.role, false, false
    from exam_sessions as session
    join exam_session_users as member on member.session_id = session.id
    join users on users.id = member.user_id and (member.role = 'student' or users.role <> 'student')
    where ${which}`;

/**
 * Whether a row of `exam_session_users`, of that alias, is of the creator of its session: such a row is of the same transaction, and so of
 * the same moment. Later supervisors are added later.
 */
export const isCreator = (member: string, session: string): string =>
  `(${member}.role = 'instructor' and ${member}.added_at = ${session}.created_at)`;

/** The members of one session without test students, to be joined laterally: `user_id`, `role`, `is_hidden`. @param session the alias of `exam_sessions` */
export const membersOf = (session: string): RawBuilder<unknown> =>
  sql`lateral (${members(sql`session.id = ${sql.raw(session)}.id`, 'class_members')})`;

/** The sessions of one user, to be joined by `session_id`. */
export const membershipsOf = (userId: number): RawBuilder<unknown> =>
  sql`(${members(sql`member.user_id = ${userId}`, 'own_memberships')})`;

/**
 * The sessions that bind a user, of the table `users`: in those of its exam, and in no other way, the user starts the exam. They are those
 * that the user sees. Whatever the role in a class, students do not take exams in an archived one.
 */
export const bindingsOf = (userId: number): RawBuilder<unknown> =>
  sql`(select member.session_id, member.user_id from ${membershipsOf(userId)} as member
    join users on users.id = member.user_id
    where not member.is_hidden and not (member.is_archived and users.role = 'student'))`;

/** Whether an exam, of the alias `exams`, is bound for a user: it starts for the user in sessions only. Undefined: for anybody unknown. */
export const isBoundFor = (userId: number | undefined): RawBuilder<boolean> =>
  sql<boolean>`(exams.is_session_only or exists (select from exam_sessions as s ${
    userId === undefined ? sql`` : sql`join ${bindingsOf(userId)} as binding on binding.session_id = s.id`
  } where s.exam_id = exams.id))`;

/** Whether a user has begun an attempt at an exam, of the alias `exams`: its clock has started. */
const hasBegun = (userId: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select from attempts where attempts.kind = 'exam' and attempts.assessment_id = exams.id and attempts.user_id = ${userId}
    and (${statusSql.isBegun('attempts')} or ${wasAbandonedBegun('attempts')}))`;

/** Whether the texts of the tasks of an exam, of the alias `exams`, are hidden from a student or, undefined, from anybody unknown. */
export const isTextHidden = (userId: number | undefined): RawBuilder<boolean> =>
  userId === undefined ? isBoundFor(userId) : sql<boolean>`(${isBoundFor(userId)} and not ${hasBegun(userId)})`;

/**
 * The terms of a session for one user, to be joined laterally: where its accommodation for the user says nothing, that of the class holds,
 * otherwise the session's own. Null in `opens_at`, `closes_at` and `max_attempts` is as for everybody.
 * @param session the alias of `exam_sessions` @param userId null: no user
 */
export const termsOf = (session: string, userId: RawBuilder<unknown>): RawBuilder<unknown> => {
  const s = sql.raw(session);
  return sql`lateral (
    select coalesce(own.time_factor, general.time_factor, 1) as time_factor, own.opens_at, own.closes_at,
      coalesce(own.max_attempts, ${s}.max_attempts + coalesce(general.extra_attempts, 0)) as max_attempts,
      nullif(coalesce(own.break_minutes, general.break_minutes), 0) as break_minutes
    from (values (${userId})) as who (id)
    left join exam_accommodations as own on own.session_id = ${s}.id and own.user_id = who.id
    left join class_accommodations as general on general.class_id = ${s}.class_id and general.user_id = who.id)`;
};

/** When the session of an attempt of the table `attempts` closes for its user, without a running pause. */
export const ownClose = sql<Date>`(
  select coalesce(own.closes_at, sessions.closes_at) from exam_sessions as sessions
  left join exam_accommodations as own on own.session_id = sessions.id and own.user_id = attempts.user_id
  where sessions.id = attempts.session_id)`;

/** Whether the session of an attempt is closed for its user. */
export const isSessionClosed = sql<boolean>`exists (
  select from exam_sessions as sessions
  left join exam_accommodations as own on own.session_id = sessions.id and own.user_id = attempts.user_id
  where sessions.id = attempts.session_id
    and clock_timestamp() >= coalesce(own.closes_at, sessions.closes_at) + ${sql.raw(pauseOf('sessions'))})`;

/**
 * The deadline of an attempt in a session: the earlier of its time and the close. Null without a session.
 * @param timeLimit the minutes of its assessment, for which the session may have others
 */
export const sessionDeadline = (
  startedAt: RawBuilder<Date>,
  timeLimit: RawBuilder<unknown>,
): RawBuilder<Date> => sql<Date>`(
  select least(
    ${startedAt} + make_interval(secs => attempts.extra_seconds
      + 60 * coalesce(sessions.time_limit_minutes, ${timeLimit}) * own.time_factor),
    coalesce(own.closes_at, sessions.closes_at))
  from exam_sessions as sessions
  cross join ${termsOf('sessions', sql`attempts.user_id`)} as own
  where sessions.id = attempts.session_id)`;

/**
 * Records in the terms of its session that the deadline of an attempt was moved by so many seconds. Otherwise the next change of the
 * session would move it back.
 */
export async function keepDeadline(
  trx: Transaction<Tables>,
  { id, session_id, user_id, expires_at }: Selectable<AttemptsTable>,
  seconds: number,
): Promise<void> {
  if (session_id === null || expires_at === null) return;
  await sql`update attempts set extra_seconds = extra_seconds + ${seconds} where id = ${id}`.execute(trx);
  await sql`insert into exam_accommodations as own (session_id, user_id, closes_at)
    select id, ${user_id}::int, ${expires_at}::timestamptz from exam_sessions
      where id = ${session_id} and closes_at < ${expires_at}::timestamptz
    on conflict (session_id, user_id) do update set closes_at = excluded.closes_at
      where coalesce(own.closes_at, '-infinity') < excluded.closes_at`.execute(trx);
}

/** A session must close after it opens. @param part where the request has the times @throws InvalidError */
export function checkTimes(
  { opens_at, closes_at }: { opens_at: Date; closes_at: Date },
  part: 'query' | 'body' = 'body',
): void {
  if (opens_at.getTime() < closes_at.getTime()) return;
  throw new InvalidError([refusedField([part, 'closes_at'], 'session_times')]);
}
