import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, isCounted } from '../../database/exam-session-rules.ts';
import { latenessOf } from '../../database/own-deadlines.ts';
import type { GradeProblem } from '../../database/tables.ts';

/** A grade that is to be sent, and where to. */
export type DueGrade = {
  link_id: number;
  user_id: number;
  platform_id: number;
  /** The user, as the platform names it. */
  subject: string;
  score: number | null;
  max_score: number;
  changed_at: Date;
  attempts: number;
  /** The platform has had a grade before. */
  is_sent: boolean;
  resource_link_id: string;
  lineitem_url: string | null;
  lineitems_url: string | null;
  title: string;
};

/** Seconds before the next attempt: doubled with each, up to an hour. */
const [retrySeconds, maxRetrySeconds] = [30, 3600];
/** After which a platform that does not answer counts as gone. */
const retryDays = 14;

/** What students see of their results in what links show, as the class's grades have it: of a session what counts there, less what lateness costs. */
const fresh: RawBuilder<unknown> = sql`
  select distinct on (link.id, attempts.user_id) link.id as link_id, attempts.user_id,
    late_score(attempts.score, late.lost) as score, attempts.max_score
  from lti_resource_links as link
  join lti_contexts as course on course.id = link.course_id
  join lti_platforms as platform on platform.id = course.platform_id and platform.is_active
  join user_identities as identity on identity.platform_id = platform.id
  join lateral (
    select * from attempts where session_id = link.exam_session_id and user_id = identity.user_id
    union all
    select * from attempts where kind = 'laboratory' and assessment_id = link.laboratory_id and user_id = identity.user_id
      and exists (select from class_members as member where member.class_id = course.class_id and member.user_id = identity.user_id and member.role = 'student')
  ) as attempts on true
  left join grade_book_assessments as own on own.class_id = course.class_id and own.kind = attempts.kind and own.assessment_id = attempts.assessment_id
  left join lateral (${latenessOf(sql`course.class_id`)}) as late on true
  where coalesce(link.lineitem_url, course.lineitems_url) is not null and ${statusSql.isGraded()} and attempts.score is not null
    and ${sql.raw(hasShownResults)} and ${isCounted}
  order by link.id, attempts.user_id, case coalesce(own.counted_attempt, 'best')
    when 'best' then -late_score(attempts.score, late.lost) when 'last' then -attempts.id else attempts.id end, attempts.id desc`;

/** A change waits with what waits already: a platform that does not answer is not asked sooner for it. */
const changed = sql`changed_at = greatest(clock_timestamp(), known.changed_at + interval '1 millisecond'), status = 'waiting',
  attempts = case known.status when 'waiting' then known.attempts else 0 end,
  due_at = case known.status when 'waiting' then known.due_at else now() end, problem = case known.status when 'waiting' then known.problem end`;

/** The grades that books of platforms are to have. */
export class PlatformGradeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Notes the results that count now where others are noted. It can be done at any time: nothing has to tell that a result has changed. Who is
   * not in the class, also because the course has another one now, keeps the grade of a laboratory there.
   */
  async note(): Promise<void> {
    await sql`with fresh as materialized (${fresh}), put as (
        insert into lti_grades as known (link_id, user_id, score, max_score)
        select link_id, user_id, score, max_score from fresh
        on conflict (link_id, user_id) do update set score = excluded.score, max_score = excluded.max_score, ${changed}
        where (known.score, known.max_score) is distinct from (excluded.score, excluded.max_score)
      )
      update lti_grades as known set score = null, ${changed}
      where score is not null and not exists (select from fresh where fresh.link_id = known.link_id and fresh.user_id = known.user_id)
        and not exists (select from lti_resource_links as link join lti_contexts as course on course.id = link.course_id
          where link.id = known.link_id and link.laboratory_id is not null and not exists (select from class_members as member
            where member.class_id = course.class_id and member.user_id = known.user_id and member.role = 'student'))`.execute(
      this.#db,
    );
  }

  /** The grades that are due, those that have waited longest first. */
  async due(limit: number): Promise<DueGrade[]> {
    const { rows } = await sql<DueGrade>`
      select grade.link_id, grade.user_id, course.platform_id, identity.subject, grade.score, grade.max_score, grade.changed_at, grade.attempts, grade.is_sent,
        link.resource_link_id, link.lineitem_url, course.lineitems_url, coalesce(laboratory.title, session.title, '') as title
      from lti_grades as grade
      join lti_resource_links as link on link.id = grade.link_id
      join lti_contexts as course on course.id = link.course_id
      join lti_platforms as platform on platform.id = course.platform_id and platform.is_active
      join user_identities as identity on identity.platform_id = platform.id and identity.user_id = grade.user_id
      left join assessments as laboratory on laboratory.kind = link.laboratory_kind and laboratory.id = link.laboratory_id
      left join exam_sessions as session on session.id = link.exam_session_id
      where grade.status = 'waiting' and grade.due_at <= now()
      order by grade.due_at, grade.link_id, grade.user_id limit ${limit}`.execute(this.#db);
    return rows;
  }

  /** A grade that has changed meanwhile is due at once. */
  async sent({ link_id, user_id, changed_at }: DueGrade): Promise<void> {
    const isSame = sql`changed_at = ${changed_at}`;
    await sql`update lti_grades set status = case when ${isSame} then 'sent' else 'waiting' end, is_sent = true, attempts = 0, due_at = now(), problem = null
      where link_id = ${link_id} and user_id = ${user_id}`.execute(this.#db);
  }

  /** @param isFinal another attempt is of no use */
  async failed({ link_id, user_id }: DueGrade, problem: GradeProblem, isFinal: boolean): Promise<void> {
    const isOver = sql`(${isFinal} or changed_at < now() - make_interval(days => ${retryDays}))`;
    await sql`update lti_grades set attempts = attempts + 1, problem = ${problem}, status = case when ${isOver} then 'failed' else status end,
        due_at = now() + make_interval(secs => least(${maxRetrySeconds}, ${retrySeconds} * 2.0 ^ least(20, attempts)))
      where link_id = ${link_id} and user_id = ${user_id}`.execute(this.#db);
  }

  /** Nothing is sent to a platform for so many seconds. */
  async pause(platformId: number, seconds: number): Promise<void> {
    await sql`update lti_grades set due_at = greatest(due_at, now() + make_interval(secs => ${seconds}))
      where status = 'waiting' and link_id in (select link.id from lti_resource_links as link
        join lti_contexts as course on course.id = link.course_id where course.platform_id = ${platformId})`.execute(
      this.#db,
    );
  }

  /** The platform has a grade of a later time: the clock here is behind. */
  async newer({ link_id, user_id }: DueGrade): Promise<void> {
    await sql`update lti_grades set changed_at = greatest(clock_timestamp(), changed_at + interval '1 minute')
      where link_id = ${link_id} and user_id = ${user_id}`.execute(this.#db);
  }

  async setColumn(linkId: number, url: string): Promise<void> {
    await this.#db.updateTable('lti_resource_links').set({ lineitem_url: url }).where('id', '=', linkId).execute();
  }

  /** Sends again what has failed in a course. */
  async repeat(courseId: number): Promise<void> {
    await sql`update lti_grades set status = 'waiting', attempts = 0, due_at = now(), changed_at = greatest(clock_timestamp(), changed_at + interval '1 millisecond')
      where (status = 'failed' or status = 'waiting' and problem is not null) and link_id in (select id from lti_resource_links where course_id = ${courseId})`.execute(
      this.#db,
    );
  }
}
