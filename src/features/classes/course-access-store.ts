import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';

/** The courses that members of classes see although they are for classes only. */
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
      from class_members join classes on classes.id = class_members.class_id
      join class_courses on class_courses.class_id = classes.id
      where class_members.user_id = ${userId} and (not classes.is_archived or class_members.role <> 'student')
      order by class_courses.course_id`.execute(this.#db);
    return rows.map(({ course_id }) => course_id);
  }
}
