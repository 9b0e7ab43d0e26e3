import { sql } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ClassRole, CourseProblem } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableClass, supervisedClass } from '../classes/access-store.ts';
import { endMemberships, hasOtherInstructor } from '../classes/leaving-store.ts';
import type { ClassCourseSchema } from './schema.ts';

export type DueCourse = {
  id: number;
  platform_id: number;
  class_id: number;
  memberships_url: string;
  /** As the database writes it, because a `Date` has milliseconds only. */
  synchronize_at: string;
};
export type ClassCourse = Static<typeof ClassCourseSchema>;

/** Between two readings of the members of a course, and after one that failed. */
const [dayInSeconds, hourInSeconds] = [86_400, 3600];

/** The members whom platforms bring into classes. */
export class PlatformMemberStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The courses whose members are to be read. */
  async due(limit: number): Promise<DueCourse[]> {
    const { rows } = await sql<DueCourse>`
      select course.id, course.platform_id, course.class_id, course.memberships_url, course.synchronize_at::text as synchronize_at
      from lti_contexts as course join classes on classes.id = course.class_id and not classes.is_archived
      join lti_platforms as platform on platform.id = course.platform_id and platform.is_active
      where course.memberships_url is not null and course.synchronize_at <= now()
      order by course.synchronize_at, course.id limit ${limit}`.execute(this.#db);
    return rows;
  }

  /** Sets the next time, unless somebody has asked for another reading meanwhile: this one may be of members of before. */
  async followed({ id, synchronize_at }: DueCourse, problem: CourseProblem | null): Promise<void> {
    const seconds = problem === null ? dayInSeconds : hourInSeconds;
    await sql`update lti_contexts set problem = ${problem},
        synchronize_at = case when synchronize_at = ${synchronize_at}::timestamptz then now() + make_interval(secs => ${seconds}) else synchronize_at end,
        synchronized_at = case when ${problem}::text is null then now() else synchronized_at end
      where id = ${id}`.execute(this.#db);
  }

  /**
   * Makes a user a member of the class that follows a course. A student becomes staff with a role in the course.
   * @param isFollowing whether a member whom the platform has brought gets any role of the course. Not in a launch: teachers try their
   * courses there as students
   */
  async join(
    { id, class_id }: Pick<DueCourse, 'id' | 'class_id'>,
    userId: number,
    role: ClassRole,
    isFollowing = false,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ name: string; is_new: boolean }>`
        with joined as (
          insert into class_members as member (class_id, user_id, role)
          select id, ${userId}, ${role} from classes where id = ${class_id} and not is_archived
          on conflict (class_id, user_id) do update set role = excluded.role where member.role <> excluded.role
            and (member.role = 'student' or ${isFollowing} and exists (select from lti_members where course_id = ${id} and user_id = ${userId})
              and (member.role <> 'instructor' or ${hasOtherInstructor(class_id, [userId])}))
          returning class_id, xmax = 0 as is_new
        ), brought as (
          insert into lti_members (course_id, user_id) select ${id}::int, ${userId}::int from joined where is_new on conflict do nothing
        ) select name, is_new from classes join joined on joined.class_id = classes.id`.execute(trx);
      const act = { actorId: userId, userId, type: 'class_join', entityType: 'class', entityId: class_id };
      await logActivity(trx, ...rows.filter(({ is_new }) => is_new).map(({ name }) => ({ ...act, title: name })));
    });
  }

  /** Members whom the platform has brought leave the class when they are no members of the course any more. @param subjects its members */
  async leave({ id, platform_id, class_id }: DueCourse, subjects: readonly string[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{
        user_id: number;
      }>`select user_id from lti_members as member where course_id = ${id} and not exists (
          select from user_identities as identity where identity.user_id = member.user_id and identity.platform_id = ${platform_id}
            and identity.subject = any(${[...subjects]}::text[]))`.execute(trx);
      await endMemberships(
        trx,
        class_id,
        rows.map(({ user_id }) => user_id),
      );
      await sql`delete from lti_members as brought where course_id = ${id} and not exists (
        select from class_members where class_id = ${class_id} and user_id = brought.user_id)`.execute(trx);
    });
  }

  /** The courses that a class follows. @throws NotFoundError, ForbiddenError */
  async ofClass(caller: Caller, classId: number): Promise<ClassCourse[]> {
    await supervisedClass(this.#db, caller, classId);
    const { rows } = await sql<ClassCourse>`
      select course.id, platform.name as platform_name, course.title, course.memberships_url is not null as has_members,
        course.synchronized_at, course.problem, grades.*
      from lti_contexts as course join lti_platforms as platform on platform.id = course.platform_id
      cross join lateral (
        select (count(*) filter (where status = 'waiting'))::int as waiting_grades, (count(*) filter (where status = 'failed'))::int as failed_grades,
          (array_agg(grade.problem order by grade.status, grade.changed_at desc) filter (where grade.problem is not null))[1] as grade_problem
        from lti_grades as grade join lti_resource_links as link on link.id = grade.link_id where link.course_id = course.id
      ) as grades
      where course.class_id = ${classId} order by course.id limit 100`.execute(this.#db);
    return rows;
  }

  /** Reads the members and sends what has failed in the next round. @throws NotFoundError, ForbiddenError */
  async repeat(caller: Caller, classId: number, courseId: number): Promise<void> {
    await changeableClass(this.#db, caller, classId, undefined);
    const { rows } =
      await sql`update lti_contexts set synchronize_at = now() where id = ${courseId} and class_id = ${classId} returning 1`.execute(
        this.#db,
      );
    found(rows[0], 'Course');
  }
}
