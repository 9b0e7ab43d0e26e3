import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Caller } from '../../http/access/access.ts';
import { ownClasses } from './overview-store.ts';
import type { OverviewSchema } from './schema.ts';

/** A student who does not get on: with a lesson, the next one, or with an exam or a laboratory that several attempts have not passed. */
export type StuckStudent = Static<typeof OverviewSchema>['stuck'][number];
export type StuckRules = { attempts: number; days: number };

/** Students that are shown. */
const shown = 10;
/** Students of the own classes, each once for each class, that are searched. */
const maxStudents = 2000;
/** The newest failed attempts of a student, and those of everybody, that are searched. */
const maxOfStudent = 50;
const maxOfAll = 2000;
/** Who has not come for so many times the days has left rather than got stuck. */
const forgottenAfter = 8;

/** Finds those who are stuck by indexes of failed attempts and of last lessons. */
export class StuckStore {
  readonly #db: Database;
  readonly #rules: StuckRules;

  constructor(db: Database, rules: StuckRules) {
    this.#db = db;
    this.#rules = rules;
  }

  /**
   * The latest ones, and how many there are. Instructors: the students of their own classes. Administrators: those with the newest
   * failed attempts in the whole school, without lessons.
   */
  async of(caller: Caller): Promise<{ rows: StuckStudent[]; total: number }> {
    const found = caller.role === 'admin' ? this.#ofAll() : this.#ofClasses(caller);
    const { rows } = await sql<StuckStudent & { total: number }>`
      select found.*, users.username, users.full_name, (count(*) over ())::int as total
      from (${found}) as found join users on users.id = found.user_id
      order by last_at desc, user_id, kind, id limit ${shown}`.execute(this.#db);
    return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
  }

  #ofAll(): RawBuilder<unknown> {
    const failed = sql`select user_id, null::int as class_id, kind, assessment_id, id
      from (select user_id, kind, assessment_id, id from attempts
        where user_id > 0 and ${statusSql.isGraded()} and not passed order by id desc limit ${maxOfAll}) as latest`;
    return this.#subjects(failed, sql`true`);
  }

  #ofClasses(caller: Caller): RawBuilder<unknown> {
    const failed = sql`select own.user_id, own.class_id, each.kind, each.assessment_id, each.id from own cross join lateral (
      select kind, assessment_id, id from attempts
      where user_id = own.user_id and ${statusSql.isGraded()} and not passed order by id desc limit ${maxOfStudent}
    ) as each`;
    const isOfClass = sql`(exists (select from class_courses where class_courses.class_id = failed.class_id
        and class_courses.course_id = coalesce(assessments.course_id, sections.course_id))
      or failed.kind = 'exam' and exists (
        select from exam_sessions as s where s.class_id = failed.class_id and s.exam_id = assessments.id))`;
    return sql`with own as materialized (
      select student.user_id, student.class_id from class_members as student
      where student.class_id in (${ownClasses(caller)}) and student.role = 'student' limit ${maxStudents}
    ) ${this.#subjects(failed, isOfClass)} union all ${this.#lessons()}`;
  }

  /** Several failed attempts of one assessment, none that passed, is active or awaits grading. */
  #subjects(failed: RawBuilder<unknown>, isWanted: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`select failed.user_id, failed.kind, failed.assessment_id as id, assessments.title,
      failed.class_id, classes.name as class_name, failed.attempts, failed.attempt_id,
      (select coalesce(submitted_at, expires_at, started_at) from attempts where id = failed.attempt_id) as last_at
    from (
      select user_id, class_id, kind, assessment_id, count(*)::int as attempts, max(id) as attempt_id from (${failed}) as one
      group by user_id, class_id, kind, assessment_id having count(*) >= ${this.#rules.attempts}
    ) as failed
    join assessments on assessments.kind = failed.kind and assessments.id = failed.assessment_id and assessments.is_active
    left join sections on sections.id = assessments.section_id
    left join classes on classes.id = failed.class_id
    where ${isWanted} and not exists (
      select from attempts as other where other.user_id = failed.user_id and other.kind = failed.kind
        and other.assessment_id = failed.assessment_id
        and (other.passed or other.is_awaiting_grading or ${statusSql.isUnfinished('other')}))`;
  }

  /** The last lesson was in a course of the class and some days ago, there was no attempt since, and lessons of the course remain. */
  #lessons(): RawBuilder<unknown> {
    const { days } = this.#rules;
    const ago = (some: number) => sql`now() - make_interval(days => ${some})`;
    return sql`select own.user_id, 'lesson', next.id, next.title, own.class_id, classes.name, 0, null, latest.completed_at
    from own
    join classes on classes.id = own.class_id
    cross join lateral (
      select theme_id, completed_at from theme_progress
      where theme_progress.user_id = own.user_id and completed order by completed_at desc limit 1
    ) as latest
    join themes on themes.id = latest.theme_id
    join sections on sections.id = themes.section_id
    join class_courses on class_courses.class_id = own.class_id and class_courses.course_id = sections.course_id
    join courses on courses.id = sections.course_id and courses.is_active
    cross join lateral (
      select rest.id, rest.title from themes as rest join sections as place on place.id = rest.section_id
      where place.course_id = courses.id and place.is_active and not exists (
        select from theme_progress as done where done.user_id = own.user_id and done.theme_id = rest.id and done.completed)
      order by place.order_index, place.id, rest.order_index, rest.id limit 1
    ) as next
    where latest.completed_at between ${ago(days * forgottenAfter)} and ${ago(days)}
      and coalesce((select started_at from attempts where attempts.user_id = own.user_id order by id desc limit 1), 'epoch') < ${ago(days)}`;
  }
}
