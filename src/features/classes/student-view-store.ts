import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Role, StudentViewsTable, Tables, UsersTable } from '../../database/tables.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { StudentView } from '../../values/student-view.ts';
import { changeableClass } from './access-store.ts';

/** Long enough to find what a student asks about. A view cannot be prolonged, only begun again, which the student sees. */
const viewMinutes = 15;
/** Long enough for most exams. The test student keeps what it has done, and can be entered again. */
const testMinutes = 180;

type ViewRow = Selectable<StudentViewsTable>;
type UserRow = Selectable<UsersTable>;
export type Begun = { view: ViewRow; student: UserRow };

/** Whether `viewer` may still look at `student`, both of `users`, for `view`. The end of the viewer's login ends it. */
const isAllowed = sql<boolean>`(
  student.role = 'student' and student.is_active and viewer.is_active and case when view.class_id is null then viewer.role <> 'student' else
    exists (select from class_members where class_id = view.class_id and user_id = student.id and role = 'student')
    and (viewer.role = 'admin' or viewer.role = 'instructor' and exists (
      select from class_members where class_id = view.class_id and user_id = viewer.id and role = 'instructor')) end
  and viewer.tokens_valid_from <= view.started_at and coalesce(viewer.locked_login, view.viewer_login) = view.viewer_login
  and view.viewer_login <> all(viewer.ended_logins))`;

/** Instructors who look at the pages of a student of their class, or work as their own test student. */
export class StudentViewStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Ends the caller's view of another student. @throws NotFoundError, ForbiddenError unless the caller is an instructor of the class and the member a student */
  async begin(caller: Caller, classId: number, studentId: number): Promise<Begun> {
    return await this.#db.transaction().execute(async (trx) => {
      const { name } = await changeableClass(trx, caller, classId, 'share');
      const member = await trx
        .selectFrom('users')
        .innerJoin('class_members as member', 'member.user_id', 'users.id')
        .selectAll('users')
        .select('member.role as class_role')
        .where('users.id', '=', studentId)
        .where('member.class_id', '=', classId)
        .executeTakeFirst();
      if (!member) throw new NotFoundError('not_found', 'Member not found');
      const { class_role, ...student } = member;
      if (class_role !== 'student' || student.role !== 'student' || !student.is_active)
        throw new ForbiddenError('forbidden', 'Only the pages of active students can be looked at');
      const viewer = await lockViewer(trx, caller);
      const view = await enter(trx, caller, { studentId, classId, minutes: viewMinutes });
      await logActivity(trx, {
        ...{ actorId: caller.id, userId: studentId, type: 'student_view' },
        // The student reads the name in the activity.
        title: viewer.full_name || viewer.username,
        ...{ entityType: 'class', entityId: classId, details: { class: name, minutes: viewMinutes } },
      });
      return { view, student };
    });
  }

  /** Begins the caller's view as the own test student, who is made where there is none. */
  async beginTest(caller: Caller): Promise<Begun> {
    return await this.#db.transaction().execute(async (trx) => {
      // A deletion of the caller, which deletes the test student, waits, or is seen here.
      await lockViewer(trx, caller);
      // Nobody can register this name, and logins find positive ids only.
      const name = `test student ${caller.id}`;
      await sql`insert into users (id, username, email, password_hash, role) overriding system value
        values (${-caller.id}, ${name}, ${name}, '', 'student') on conflict (id) do nothing`.execute(trx);
      const view = await enter(trx, caller, { studentId: -caller.id, classId: null, minutes: testMinutes });
      const students = trx.selectFrom('users').selectAll().where('id', '=', -caller.id);
      return { view, student: await students.executeTakeFirstOrThrow() };
    });
  }

  /** The student of a view, while it lasts and its viewer may look. */
  async admit(id: string): Promise<{ student: UserRow; view: StudentView } | undefined> {
    const { rows } = await sql<UserRow & { viewer_id: number; viewer_role: Role; class_id: number | null }>`
      select student.*, view.viewer_id, viewer.role as viewer_role, view.class_id from student_views as view
      join users as viewer on viewer.id = view.viewer_id
      join users as student on student.id = view.student_id
      where view.id = ${id}::uuid and view.expires_at > clock_timestamp() and ${isAllowed}`.execute(this.#db);
    const [row] = rows;
    if (!row) return undefined;
    const { viewer_id: viewerId, viewer_role: viewerRole, class_id: classId, ...student } = row;
    return { student, view: { viewerId, viewerRole, classId } };
  }

  /** Ends the caller's view, if any. */
  async end({ id }: Caller): Promise<void> {
    await this.#db.transaction().execute((trx) => end(trx, sql<boolean>`viewer_id = ${id}`));
  }

  /** Ends those that have expired. */
  async clean(): Promise<void> {
    await this.#db.transaction().execute((trx) => end(trx, sql<boolean>`expires_at <= clock_timestamp()`));
  }
}

async function lockViewer(trx: Transaction<Tables>, { id }: Caller): Promise<Pick<UserRow, 'username' | 'full_name'>> {
  const users = trx.selectFrom('users').select(['username', 'full_name']).where('id', '=', id);
  return await users.forNoKeyUpdate().executeTakeFirstOrThrow();
}

async function enter(
  trx: Transaction<Tables>,
  caller: Caller,
  { studentId, classId, minutes }: { studentId: number; classId: number | null; minutes: number },
): Promise<ViewRow> {
  await end(trx, sql<boolean>`viewer_id = ${caller.id}`);
  const { rows } = await sql<ViewRow>`
    insert into student_views (viewer_id, student_id, class_id, viewer_login, started_at, expires_at)
    select id, ${studentId}, ${classId}, ${caller.login ?? ''}, started_at, started_at + make_interval(mins => ${minutes})
    from users, lateral (select greatest(date_trunc('milliseconds', clock_timestamp()), tokens_valid_from) as started_at) as moment
    where id = ${caller.id} returning *`.execute(trx);
  return rows[0] as ViewRow;
}

async function end(trx: Transaction<Tables>, which: ReturnType<typeof sql<boolean>>): Promise<void> {
  const { rows } = await sql<ViewRow & { seconds: number }>`delete from student_views where ${which}
    returning *, ceil(extract(epoch from least(expires_at, clock_timestamp()) - started_at))::int as seconds`.execute(
    trx,
  );
  await logActivity(
    trx,
    ...rows.map(({ viewer_id: actorId, student_id: userId, class_id: entityId, seconds }) => ({
      ...{ actorId, userId, type: 'student_view_end', title: `User ${userId}`, entityType: 'class', entityId },
      details: { seconds },
    })),
  );
}
