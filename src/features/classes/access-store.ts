import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ClassesTable, ClassRole } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Student } from '../../values/student.ts';

type ClassRow = Selectable<ClassesTable>;
/** A class, and the role in it of the caller. */
export type OwnClass = ClassRow & { my_role: ClassRole | null };
type InClass = Pick<OwnClass, 'my_role'>;

export const noClass = (): NotFoundError => new NotFoundError('not_found', 'Class not found');

/** Whether a caller sees all classes, not only those of which the caller is a member. */
export const seesAllClasses = ({ role, scope }: Pick<Caller, 'role' | 'scope'>): boolean =>
  role !== 'student' && scope === 'all';

/** Whether rows of a class, by the column of its id, are in what a caller sees: a view of a student's pages shows one class only. */
export const isInView = ({ view }: Pick<Caller, 'view'>, classId: string): RawBuilder<boolean> =>
  view?.classId ? sql<boolean>`${sql.ref(classId)} = ${view.classId}` : sql<boolean>`true`;

/**
 * Whether a caller may add a row of `users` to a class. Its supervisors see the data of a student, so a caller who does not see all
 * students adds those of the own classes only. Others join with a code, or are added by administrators. Colleagues are added as such: as
 * students their attempts would be seen.
 */
export const mayBeAdded = (
  { id, scope }: Pick<Caller, 'id' | 'scope'>,
  role: ClassRole = 'student',
): RawBuilder<boolean> =>
  scope === 'all'
    ? sql<boolean>`(users.id > 0 and not users.is_pseudonym)`
    : sql<boolean>`case when users.role <> 'student' then ${role !== 'student'} else exists (
        select from class_members as own join class_members as theirs on theirs.class_id = own.class_id
        where own.user_id = ${id} and own.role = 'instructor' and theirs.user_id = users.id) end`;

/** Whether a caller sees the address of a row of `users` in a class. Those of colleagues are seen by who sees all users. */
export const seesAddress = (caller: Caller): RawBuilder<boolean> =>
  seesAllClasses(caller) ? sql<boolean>`true` : sql<boolean>`(users.role = 'student' or users.id = ${caller.id})`;

/*
 * A role in a class counts together with the user's own role, and only here. Members can be students who supervise (tutors), and users
 * who were instructors once: they supervise what an instructor has planned, and plan nothing.
 */

/** Whether a caller may read the members, their progress and their grades. */
export const isSupervisor = (caller: Caller, { my_role }: InClass): boolean =>
  seesAllClasses(caller) || my_role === 'assistant' || my_role === 'instructor';

/** Whether a caller may change the class, its members and what is planned for it. */
export const mayChange = (caller: Caller, { my_role }: InClass): boolean =>
  caller.role === 'admin' || (caller.role === 'instructor' && my_role === 'instructor');

/** Whether a caller may act while an exam session runs: pause it, give more time, send messages. */
export const mayControl = (caller: Caller, { my_role }: InClass): boolean =>
  caller.role === 'admin' || my_role === 'instructor';

/** The accommodations of students are often about their health. They are not for other students. */
export const seesAccommodations = (caller: Caller, of: InClass): boolean =>
  caller.role !== 'student' && isSupervisor(caller, of);

/**
 * A class that the caller may see. A lock holds until the end of the transaction: `share` against changes of the class, `change` against
 * those and against further members.
 * @throws NotFoundError
 */
export async function seenClass(
  db: Database,
  caller: Caller,
  id: number,
  lock?: 'share' | 'change',
): Promise<OwnClass> {
  const locking = lock === undefined ? sql`` : lock === 'share' ? sql`for share` : sql`for no key update`;
  // The role is read after the lock is held: the caller may have been removed while this waited.
  const { rows } = await sql<ClassRow>`select * from classes where id = ${id} ${locking}`.execute(db);
  const member = await db
    .selectFrom('own_memberships')
    .select('role')
    .where('class_id', '=', id)
    .where('user_id', '=', caller.id)
    .executeTakeFirst();
  const [row] = rows;
  if (!row || !(member || seesAllClasses(caller))) throw noClass();
  return { ...row, my_role: member?.role ?? null };
}

/** The same for reading the members. @throws NotFoundError, ForbiddenError */
export async function supervisedClass(db: Database, caller: Caller, id: number): Promise<OwnClass> {
  const row = await seenClass(db, caller, id);
  if (!isSupervisor(caller, row))
    throw new ForbiddenError('forbidden', 'Only instructors and assistants of the class may do this');
  return row;
}

/** The same for reading the accommodations. @throws NotFoundError, ForbiddenError */
export async function accommodatedClass(db: Database, caller: Caller, id: number): Promise<OwnClass> {
  const row = await supervisedClass(db, caller, id);
  if (!seesAccommodations(caller, row)) throw new ForbiddenError('forbidden', 'Accommodations are not for students');
  return row;
}

/** The same for acting while its exam sessions run. The class does not change meanwhile. @throws NotFoundError, ForbiddenError */
export async function controllableClass(db: Database, caller: Caller, id: number): Promise<OwnClass> {
  const row = await seenClass(db, caller, id, 'share');
  if (!mayControl(caller, row)) throw onlyInstructors();
  return row;
}

/** The same for a change. @throws NotFoundError, ForbiddenError */
export async function changeableClass(
  db: Database,
  caller: Caller,
  id: number,
  lock: 'share' | 'change' | undefined,
): Promise<OwnClass> {
  const row = await seenClass(db, caller, id, lock);
  if (!mayChange(caller, row)) throw onlyInstructors();
  return row;
}

const onlyInstructors = () =>
  new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');

/** The same for something that an archived class no longer gets. @throws NotFoundError, ForbiddenError, ConflictError */
export async function openClass(
  db: Database,
  caller: Caller,
  id: number,
  lock: 'share' | 'change' = 'share',
): Promise<OwnClass> {
  const row = await changeableClass(db, caller, id, lock);
  if (row.is_archived) throw new ConflictError('class_archived', 'The class is archived');
  return row;
}

/** The deadline of one student in a laboratory. */
export type OwnDeadline = { laboratory_id: number; due_at: Date };

/** The extensions of a class by their students, as far as the caller may know them. */
export async function extensionsOf(db: Database, caller: Caller, of: OwnClass): Promise<Map<number, OwnDeadline[]>> {
  if (!seesAccommodations(caller, of)) return new Map();
  const extensions = db.selectFrom('deadline_extensions').select(['user_id', 'laboratory_id', 'due_at']);
  const rows = await extensions.where('class_id', '=', of.id).orderBy('laboratory_id').execute();
  const own = rows.map(({ user_id, ...deadline }) => ({ user_id, deadline }));
  return new Map(
    [...Map.groupBy(own, ({ user_id }) => user_id)].map(([id, some]) => [id, some.map(({ deadline }) => deadline)]),
  );
}

/** The students of a class, whom the lines of a file can name. */
export async function studentsOf(db: Database, classId: number): Promise<Student[]> {
  return await db
    .selectFrom('class_members')
    .innerJoin('users', 'users.id', 'class_members.user_id')
    .select(['users.id as user_id', 'username', 'email'])
    .where('class_id', '=', classId)
    .where('class_members.role', '=', 'student')
    .execute();
}
