import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind } from '../../database/tables.ts';

/** What users see beside the published courses for everybody: as members of classes, as chosen for an exam session, as teachers. */
export class CourseAccessStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * The courses of the user's current classes, in ascending order. It is read for each request: a user who was removed from a class sees its
   * courses no longer, in any process.
   */
  async coursesOf(userId: number): Promise<readonly number[]> {
    const { rows } = await sql<{ course_id: number }>`select distinct class_courses.course_id
      from own_memberships as own join classes on classes.id = own.class_id
      join class_courses on class_courses.class_id = classes.id
      join users on users.id = own.user_id
      where own.user_id = ${userId}
        and (not classes.is_archived or own.role <> 'student' and users.role <> 'student')
      order by class_courses.course_id`.execute(this.#db);
    return rows.map(({ course_id }) => course_id);
  }

  /** The courses that a user teaches, in ascending order. It is read for each request, as above. */
  async taughtBy(userId: number): Promise<readonly number[]> {
    const rows = this.#db.selectFrom('course_staff').select('course_id').where('user_id', '=', userId);
    return (await rows.orderBy('course_id').execute()).map(({ course_id }) => course_id);
  }

  /** The exams or laboratories of the courses that a user teaches. */
  async taughtAssessments(userId: number, kind: AttemptKind): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number }>`select assessments.id from assessments
      left join sections on sections.id = assessments.section_id
      join course_staff as own on own.course_id = coalesce(assessments.course_id, sections.course_id) and own.user_id = ${userId}
      where assessments.kind = ${kind}`.execute(this.#db);
    return new Set(rows.map(({ id }) => id));
  }

  /** The exams of the sessions for which a user was chosen, or which an instructor supervises, in ascending order. */
  async examsOf(userId: number): Promise<readonly number[]> {
    const { rows } = await sql<{ exam_id: number }>`select distinct s.exam_id
      from exam_session_users as own join exam_sessions as s on s.id = own.session_id
      join users on users.id = own.user_id and (own.role = 'student' or users.role <> 'student')
      where own.user_id = ${userId} order by s.exam_id`.execute(this.#db);
    return rows.map(({ exam_id }) => exam_id);
  }
}
