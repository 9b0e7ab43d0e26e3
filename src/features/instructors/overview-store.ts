import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membershipsOf, membersOf, pauseOf } from '../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';

type Session = { id: number; title: string; exam_title: string; class_id: number | null; class_name: string | null };
export type OpenSession = Session & {
  closes_at: string;
  is_paused: boolean;
  students: number;
  working: number;
  done: number;
};
export type Overview = {
  /** Whether the caller has classes. */
  has_classes: boolean;
  results_to_release: (Session & { closes_at: string; attempts: number })[];
  failed_gradings: {
    attempt_id: number;
    kind: AttemptKind;
    title: string;
    username: string;
    full_name: string | null;
  }[];
  failed_trials: { kind: AttemptKind; id: number; title: string; tried_at: string }[];
  open_sessions: OpenSession[];
  upcoming_sessions: (Session & { opens_at: string })[];
  running: {
    exams: number;
    laboratories: number;
    queued: number;
    on_break: number;
    containers: number;
    terminals: number;
  };
};

/** Rows of each list that are shown. */
const shown = 10;
/** Days of the future whose sessions are shown. */
const daysAhead = 14;
/** The newest trials that are searched for those that failed. */
const maxTrials = 200;

/** What waits for an instructor, what runs, and what comes next. */
export class OverviewStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In one statement: each list by an index, and bounded. */
  async of(caller: Caller): Promise<Overview> {
    const { rows } = await sql<Overview>`select
      (exists (${ownClasses(caller)})) as has_classes,
      ${listOf(unreleased(caller))} as results_to_release,
      ${listOf(failedGradings(caller))} as failed_gradings,
      ${listOf(caller.role === 'admin' ? failedTrials : sql`select 0 where false`)} as failed_trials,
      ${listOf(openSessions(caller))} as open_sessions,
      ${listOf(upcoming(caller))} as upcoming_sessions,
      (select row_to_json(counts) from (${running(caller)}) as counts) as running`.execute(this.#db);
    const [overview] = rows;
    if (!overview) throw new Error('A statement without a condition has no row');
    return overview;
  }
}

const listOf = (query: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(listed), '[]') from (${query}) as listed)`;

const sessionColumns = sql`s.id, s.title, exams.title as exam_title, s.class_id, classes.name as class_name`;
const sessions = sql`exam_sessions as s join assessments as exams on exams.kind = s.exam_kind and exams.id = s.exam_id left join classes on classes.id = s.class_id`;

/** Whether the caller is an instructor of a session: of its class, or of its chosen students. */
const supervises = (caller: Caller, sessionId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from ${membershipsOf(caller.id)} as mine where mine.session_id = ${sessionId} and mine.role = 'instructor')`;

/** Whether a session is of one of the caller's classes, or for chosen students whom the caller supervises. */
const isOwnSession = (caller: Caller): RawBuilder<boolean> => sql<boolean>`(${isOwnClass(caller, sql.ref('s.class_id'))}
  or s.class_id is null and ${supervises(caller, sql.ref('s.id'))})`;
const closesAt = sql`(s.closes_at + ${sql.raw(pauseOf('s', 'now()'))})`;

/** Closed sessions whose results wait for their release, the one that waits longest first. */
const unreleased = (caller: Caller): RawBuilder<unknown> => sql`
  select ${sessionColumns}, s.closes_at, ended.attempts from ${sessions}
  cross join lateral (
    select count(*)::int as attempts from attempts
    where attempts.session_id = s.id and attempts.user_id > 0 and ${statusSql.isGraded('attempts')}
  ) as ended
  where s.results_visible = 'when_released' and s.released_at is null and s.closes_at <= now() and ${closesAt} <= now()
    and ${isOwnSession(caller)} and ended.attempts > 0
  order by s.closes_at, s.id limit ${shown}`;

/** Attempts that could not be graded and are not over, the newest first. */
const failedGradings = (caller: Caller): RawBuilder<unknown> => sql`
  select attempts.id as attempt_id, attempts.kind, attempts.title, users.username, users.full_name
  from attempts join users on users.id = attempts.user_id
  where ${statusSql.isRunning('attempts')} and attempts.user_id > 0 and attempts.grading_error is not null
    and (${isOwnStudent(caller, sql.ref('attempts.user_id'))} or ${supervises(caller, sql.ref('attempts.session_id'))})
  order by attempts.id desc limit ${shown}`;

/** Exams and laboratories whose newest trial found problems. */
const failedTrials = sql`
  select * from (
    select distinct on (kind, id) kind, id, title, tried_at, is_ok from (
      select log.id as entry, log.entity_type as kind, log.entity_id as id, log.title, log.created_at as tried_at,
        log.details->>'is_ok' as is_ok
      from activity_log as log where log.type in ('admin_exam_try', 'admin_laboratory_try')
      order by log.id desc limit ${maxTrials}
    ) as trials order by kind, id, entry desc
  ) as newest
  where is_ok = 'false' and exists (select from assessments where assessments.kind = newest.kind and assessments.id = newest.id)
  order by tried_at desc limit ${shown}`;

/** The one that closes next first. */
const openSessions = (caller: Caller): RawBuilder<unknown> => sql`
  select ${sessionColumns}, ${closesAt} as closes_at, s.paused_at is not null as is_paused,
    (select count(*)::int from ${membersOf('s')} as member where member.role = 'student') as students,
    now_there.working, now_there.done
  from ${sessions}
  cross join lateral (
    select count(distinct user_id) filter (where ${statusSql.isUnfinished()})::int as working,
      count(distinct user_id) filter (where ${statusSql.isGraded()})::int as done
    from attempts where attempts.session_id = s.id and attempts.user_id > 0
  ) as now_there
  where s.opens_at <= now() and (s.closes_at > now() or s.paused_at is not null)
    and ${isOwnSession(caller)}
  order by s.closes_at, s.id limit ${shown}`;

const upcoming = (caller: Caller): RawBuilder<unknown> => sql`
  select ${sessionColumns}, s.opens_at from ${sessions}
  where s.opens_at > now() and s.closes_at > now() and s.opens_at < now() + make_interval(days => ${daysAhead})
    and ${isOwnSession(caller)}
  order by s.opens_at, s.id limit ${shown}`;

/** The attempts and containers of the students. As many run as the engine has room for. */
const running = (caller: Caller): RawBuilder<unknown> => sql`
  select active.exams, active.laboratories, active.on_break, waiting.queued, live.containers, live.terminals
  from (
    select (count(*) filter (where kind = 'exam'))::int as exams, (count(*) filter (where kind = 'laboratory'))::int as laboratories,
      (count(*) filter (where break_ends_at is not null))::int as on_break
    from attempts where ${statusSql.isRunning()} and ${isOwnStudent(caller, sql.ref('attempts.user_id'))}
  ) as active, (
    select count(*)::int as queued from attempts where status = 'queued' and ${isOwnStudent(caller, sql.ref('attempts.user_id'))}
  ) as waiting, (
    select count(*)::int as containers,
      (count(*) filter (where exists (select from terminals where terminals.container_id = containers.id)))::int as terminals
    from containers join users on users.id = containers.user_id
    where containers.status = 'running' and users.role = 'student' and ${isOwnStudent(caller, sql.ref('users.id'))}
  ) as live`;

/** The classes that are not archived and whose instructor or assistant the caller is. */
export const ownClasses = ({ id }: Pick<Caller, 'id'>): RawBuilder<unknown> => sql`
  select classes.id from class_members as mine join classes on classes.id = mine.class_id
  where mine.user_id = ${id} and mine.role in ('assistant', 'instructor') and not classes.is_archived`;

/** Whether a class is among those of the caller. Administrators: any that is not archived. */
const isOwnClass = (caller: Caller, classId: RawBuilder<unknown>): RawBuilder<boolean> =>
  caller.role === 'admin'
    ? sql<boolean>`not exists (select from classes where classes.id = ${classId} and classes.is_archived)`
    : sql<boolean>`${classId} in (${ownClasses(caller)})`;

/** Whether a user is a student of those classes. Administrators: any user but test students. */
const isOwnStudent = (caller: Caller, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  caller.role === 'admin'
    ? sql<boolean>`${userId} > 0`
    : sql<boolean>`${userId} in (select student.user_id from class_members as student
        where student.role = 'student' and student.class_id in (${ownClasses(caller)}))`;
