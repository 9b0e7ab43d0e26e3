import { type Selectable, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import { courseRoleOf } from '../../database/catalogue/course-content.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { type UserChoice, userOf } from '../../database/lists/user-choice.ts';
import type { CoursesTable, Tables } from '../../database/tables.ts';
import { ConflictError, found, InvalidError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { CourseRole } from '../../values/course-policies.ts';
import type { StaffSchema } from './schema.ts';

export type TeachingCourse = Selectable<CoursesTable> & { my_role: CourseRole | null };
type StaffMember = Static<typeof StaffSchema>;

/** More names are no answer to who teaches a course. */
const maxTeachers = 20;

/** Who teaches which course. */
export class CourseStaffStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The courses of a teacher in their order, for administrators all. */
  async courses({ id, role }: Caller, page: Page): Promise<{ rows: TeachingCourse[]; total: number }> {
    const from = sql`courses left join course_staff as staff on staff.course_id = courses.id and staff.user_id = ${id}
      where ${role === 'admin' ? sql`true` : sql`staff.role is not null`}`;
    const columns = sql`courses.*, staff.role as my_role`;
    return await readList(this.#db, { columns, from, order: sql`courses.order_index, courses.id` }, page);
  }

  /** @throws NotFoundError */
  async course({ id }: Caller, courseId: number): Promise<TeachingCourse> {
    const { rows } = await sql<TeachingCourse>`select courses.*, staff.role as my_role from courses
      left join course_staff as staff on staff.course_id = courses.id and staff.user_id = ${id}
      where courses.id = ${courseId}`.execute(this.#db);
    return found(rows[0], 'Course');
  }

  /** By username. */
  async list(courseId: number, page: Page): Promise<{ rows: StaffMember[]; total: number }> {
    const from = sql`${staff} where course_id = ${courseId}`;
    return await readList(this.#db, { columns: fields, from, order: sql`lower(username), users.id` }, page);
  }

  /** The names of its owners, then of its editors, as its students see them. */
  async teachers(courseId: number): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select ${shownName()} as name from ${staff}
      where course_id = ${courseId} and course_staff.role in ('owner', 'editor') and users.role <> 'student'
      order by course_staff.role <> 'owner', lower(username) limit ${maxTeachers}`.execute(this.#db);
    return rows.map(({ name }) => name);
  }

  /** @throws NotFoundError for the user, InvalidError for a student, ConflictError for one of the staff */
  async add(caller: Caller, courseId: number, choice: UserChoice, role: CourseRole): Promise<StaffMember> {
    return await this.#change(courseId, async (trx, title) => {
      const user = found(await userOf(trx, choice, sql<boolean>`true`), 'User');
      await checkTeaches(trx, user.id, choice);
      const inserted = await trx
        .insertInto('course_staff')
        .values({ course_id: courseId, user_id: user.id, role })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (!inserted) throw new ConflictError('already_staff', 'The user is one of the staff of the course already');
      await log(trx, caller, 'add', { courseId, title, userId: user.id }, { new: { role } });
      return await member(trx, courseId, user.id);
    });
  }

  /** @throws NotFoundError, ConflictError for the last owner */
  async setRole(caller: Caller, courseId: number, userId: number, role: CourseRole): Promise<StaffMember> {
    return await this.#change(courseId, async (trx, title) => {
      const before = await member(trx, courseId, userId);
      if (before.role === role) return before;
      if (before.role === 'owner') await checkOtherOwners(trx, courseId, userId);
      const row = trx.updateTable('course_staff').set({ role }).where('course_id', '=', courseId);
      await row.where('user_id', '=', userId).execute();
      const details = { old: { role: before.role }, new: { role } };
      await log(trx, caller, 'role', { courseId, title, userId }, details);
      return await member(trx, courseId, userId);
    });
  }

  /** @throws NotFoundError, ConflictError for the last owner */
  async remove(caller: Caller, courseId: number, userId: number): Promise<void> {
    await this.#change(courseId, async (trx, title) => {
      const { role } = await member(trx, courseId, userId);
      if (role === 'owner') await checkOtherOwners(trx, courseId, userId);
      const row = trx.deleteFrom('course_staff').where('course_id', '=', courseId).where('user_id', '=', userId);
      await row.execute();
      await log(trx, caller, 'remove', { courseId, title, userId }, { old: { role } });
    });
  }

  /** See `courseRoleOf`. */
  async roleOf(caller: Caller, courseId: number): Promise<CourseRole | null | undefined> {
    return await courseRoleOf(this.#db, caller, courseId);
  }

  /** Changes of one course's staff see each other. @throws NotFoundError */
  async #change<T>(courseId: number, work: (trx: Transaction<Tables>, title: string) => Promise<T>): Promise<T> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const courses = trx.selectFrom('courses').select('name').where('id', '=', courseId).forNoKeyUpdate();
        return await work(trx, found(await courses.executeTakeFirst(), 'Course').name);
      });
    } catch (error) {
      // Deleted meanwhile.
      if (violatedConstraint(error) === 'course_staff_user_id_fkey')
        throw new NotFoundError('not_found', 'User not found');
      throw error;
    }
  }
}

/** Makes a user the owner of a new course, in the transaction that creates it. */
export async function addOwner(trx: Transaction<Tables>, userId: number, courseId: number): Promise<void> {
  await trx.insertInto('course_staff').values({ course_id: courseId, user_id: userId, role: 'owner' }).execute();
}

const fields = sql`users.id as user_id, username, full_name, course_staff.role, added_at`;
/** A program that has made a course is none of its people. */
const staff = sql`course_staff join users on users.id = course_staff.user_id and users.id > 0`;

/** @throws InvalidError */
async function checkTeaches(trx: Transaction<Tables>, userId: number, choice: UserChoice): Promise<void> {
  // A demotion waits, or is seen here.
  const users = trx.selectFrom('users').select('role').where('id', '=', userId).forShare();
  if ((await users.executeTakeFirst())?.role !== 'student') return;
  const msg = 'Value error, students cannot be staff of a course';
  const field = 'user_id' in choice ? 'user_id' : 'username';
  throw new InvalidError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

/** @throws NotFoundError */
async function member(trx: Transaction<Tables>, courseId: number, userId: number): Promise<StaffMember> {
  const { rows } = await sql<StaffMember>`select ${fields} from ${staff}
    where course_id = ${courseId} and user_id = ${userId}`.execute(trx);
  return found(rows[0], 'Staff member');
}

/** Owners who are students by now, and programs, do not count. @throws ConflictError */
async function checkOtherOwners(trx: Transaction<Tables>, courseId: number, userId: number): Promise<void> {
  const { rows } = await sql`select from ${staff}
    where course_id = ${courseId} and user_id <> ${userId} and course_staff.role = 'owner' and users.role <> 'student'
    limit 1`.execute(trx);
  if (rows.length === 0) throw new ConflictError('last_owner', 'This is the last owner of the course');
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  verb: 'add' | 'role' | 'remove',
  { courseId, title, userId }: { courseId: number; title: string; userId: number },
  details: Record<string, unknown>,
): Promise<void> {
  const entry = { actorId, userId, type: `course_staff_${verb}`, title, entityType: 'course', entityId: courseId };
  await logActivity(trx, { ...entry, details });
}
