import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { type Order, type Page, readList } from '../../database/lists/keyset.ts';
import { type UserChoice, userOf } from '../../database/lists/user-choice.ts';
import { nameMatches, userMatches } from '../../database/lists/user-search.ts';
import type { ClassRole, Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import {
  changeableClass,
  mayBeAdded,
  type OwnClass,
  openClass,
  seenClass,
  seesAddress,
  supervisedClass,
} from './access-store.ts';
import { hasOtherInstructor } from './leaving-store.ts';
import type { MemberSchema } from './schema.ts';

export type Member = Static<typeof MemberSchema>;
export type MemberSort = 'username' | 'role' | 'joined_at';
export type MemberFilter = { q?: string | undefined; role?: ClassRole | undefined; order: Order<MemberSort> };

const sortedBy: Record<MemberSort, string> = {
  username: 'lower(username)',
  role: `array_position(array['student', 'assistant', 'instructor'], class_members.role)`,
  joined_at: 'joined_at',
};
const noMember = () => new NotFoundError('not_found', 'Member not found');

type Invitation = {
  id: number;
  username: string;
  email: string;
  full_name: string | null;
  code: string;
  expires_at: Date;
};
/** Of users who have no password yet. */
type FirstInvitations = {
  issueFirst: (trx: Transaction<Tables>, userId: number) => Promise<Invitation | undefined>;
};

/** The members of classes. */
export class ClassMemberStore {
  readonly #db: Database;
  readonly #invitations: FirstInvitations;

  constructor(db: Database, invitations: FirstInvitations) {
    this.#db = db;
    this.#invitations = invitations;
  }

  /** @throws NotFoundError, ForbiddenError */
  async list(caller: Caller, classId: number, { q, role, order }: MemberFilter, page: Page) {
    await supervisedClass(this.#db, caller, classId);
    const from = sql`${members} where class_id = ${classId} and ${q === undefined ? sql`true` : sql`case when ${seesAddress(caller)} then ${userMatches(q)} else ${nameMatches(q)} end`}
      and ${role === undefined ? sql`true` : sql`class_members.role = ${role}`}`;
    const way = sql.raw(order.isDescending ? 'desc' : 'asc');
    const inOrder = sql`${sql.raw(sortedBy[order.by])} ${way}, lower(username) ${way}, users.id ${way}`;
    return await readList<Member>(this.#db, { columns: fieldsFor(caller), from, order: inOrder }, page);
  }

  /** @throws NotFoundError for the class or the user, ForbiddenError, ConflictError for a member or an archived class */
  async add(caller: Caller, classId: number, choice: UserChoice, role: ClassRole): Promise<Member> {
    return await this.#db.transaction().execute(async (trx) => {
      const joined = await openClass(trx, caller, classId);
      // Also one whom the caller may not add is not found.
      const user = await userOf(trx, choice, mayBeAdded(caller, role));
      if (!user) throw new NotFoundError('not_found', 'User not found');
      if (!(await insertMember(trx, joined.id, user.id, role)))
        throw new ConflictError('already_member', 'The user is a member of the class already');
      await logMember(trx, caller, 'class_member_add', joined, user.id, { new: { role } });
      return await oneMember(trx, caller, classId, user.id);
    });
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError for the last instructor */
  async setRole(caller: Caller, classId: number, userId: number, role: ClassRole): Promise<Member> {
    return await this.#db.transaction().execute(async (trx) => {
      const joined = await changeableClass(trx, caller, classId, 'change');
      const before = await oneMember(trx, caller, classId, userId);
      if (before.role === role) return before;
      if (role === 'student') await checkMayStudy(trx, caller, userId);
      if (before.role === 'instructor') await checkOtherInstructors(trx, classId, userId);
      await trx
        .updateTable('class_members')
        .set({ role })
        .where('class_id', '=', classId)
        .where('user_id', '=', userId)
        .execute();
      const details = { old: { role: before.role }, new: { role } };
      await logMember(trx, caller, 'class_member_role', joined, userId, details);
      return await oneMember(trx, caller, classId, userId);
    });
  }

  /**
   * Issues another invitation to a student who has not used the one of an import.
   * @throws NotFoundError, ForbiddenError, ConflictError for an archived class or a member who has a password
   */
  async invite(caller: Caller, classId: number, userId: number): Promise<Invitation> {
    return await this.#db.transaction().execute(async (trx) => {
      const of = await openClass(trx, caller, classId);
      await oneMember(trx, caller, classId, userId);
      const invitation = await this.#invitations.issueFirst(trx, userId);
      if (!invitation)
        throw new ConflictError(
          'member_has_password',
          'The member has a password; administrators can issue an invitation',
        );
      await logMember(trx, caller, 'class_member_invite', of, userId, {});
      return invitation;
    });
  }

  /**
   * Everybody can leave. The member's attempts and progress are kept.
   * @throws NotFoundError, ForbiddenError, ConflictError for the last instructor, and while the member takes an exam in a session of the class
   */
  async remove(caller: Caller, classId: number, userId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const isLeaving = caller.id === userId;
      const left = isLeaving
        ? await seenClass(trx, caller, classId, 'change')
        : await changeableClass(trx, caller, classId, 'change');
      const { role } = await oneMember(trx, caller, classId, userId);
      if (role === 'instructor') await checkOtherInstructors(trx, classId, userId);
      await checkNoExam(trx, classId, userId);
      await trx.deleteFrom('class_members').where('class_id', '=', classId).where('user_id', '=', userId).execute();
      await logMember(trx, caller, isLeaving ? 'class_leave' : 'class_member_remove', left, userId, { old: { role } });
    });
  }
}

const fieldsFor = (caller: Caller) => sql`users.id as user_id, username, full_name,
  case when ${seesAddress(caller)} then email end as email, class_members.role, joined_at`;
const members = sql`class_members join users on users.id = class_members.user_id and users.id > 0`;

/** @throws NotFoundError */
export async function oneMember(
  trx: Transaction<Tables>,
  caller: Caller,
  classId: number,
  userId: number,
): Promise<Member> {
  const { rows } = await sql<Member>`select ${fieldsFor(caller)} from ${members}
    where class_id = ${classId} and user_id = ${userId}`.execute(trx);
  if (!rows[0]) throw noMember();
  return rows[0];
}

/** A caller who does not see all students makes no student of a colleague. @throws ForbiddenError */
async function checkMayStudy(trx: Transaction<Tables>, caller: Caller, userId: number): Promise<void> {
  if (caller.scope === 'all') return;
  const user = await trx.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst();
  if (user?.role !== 'student')
    throw new ForbiddenError('forbidden', 'Only administrators make a student of a class of an instructor');
}

/** @returns false for a member. @throws NotFoundError for a user who was deleted meanwhile */
export async function insertMember(
  trx: Transaction<Tables>,
  class_id: number,
  user_id: number,
  role: ClassRole,
): Promise<boolean> {
  try {
    const inserted = await trx
      .insertInto('class_members')
      .values({ class_id, user_id, role })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    return inserted !== undefined;
  } catch (error) {
    if (violatedConstraint(error) === 'class_members_user_id_fkey')
      throw new NotFoundError('not_found', 'User not found');
    throw error;
  }
}

/**
 * Those who may change the class: students who supervise it do not count. Changes of roles and removals hold the class, so two of them see
 * each other.
 * @throws ConflictError where the user is the last one
 */
async function checkOtherInstructors(trx: Transaction<Tables>, classId: number, userId: number): Promise<void> {
  const { rows } = await sql`select from ${members} where class_id = ${classId} and user_id = ${userId}
    and class_members.role = 'instructor' and users.role <> 'student' and not ${hasOtherInstructor(classId, [userId])}`.execute(
    trx,
  );
  if (rows.length > 0) throw new ConflictError('last_class_instructor', 'This is the last instructor of the class');
}

/**
 * The supervisors of the class would lose sight of the attempt, and the student the accommodations of the class. A start holds its session: it
 * is seen here, or finds that the user is no member.
 * @throws ConflictError
 */
async function checkNoExam(trx: Transaction<Tables>, classId: number, userId: number): Promise<void> {
  await sql`select from exam_sessions where class_id = ${classId} order by id for no key update`.execute(trx);
  const { rows } = await sql`select from attempts join exam_sessions as s on s.id = attempts.session_id
    where s.class_id = ${classId} and attempts.user_id = ${userId}
      and ${statusSql.isUnfinished('attempts')} limit 1`.execute(trx);
  if (rows.length > 0)
    throw new ConflictError(
      'member_in_exam',
      'The member takes an exam in a session of the class; it has to end first',
    );
}

export async function logMember(
  trx: Transaction<Tables>,
  { id: actorId }: Pick<Caller, 'id'>,
  type: string,
  { id, name }: Pick<OwnClass, 'id' | 'name'>,
  userId: number,
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, { actorId, userId, type, title: name, entityType: 'class', entityId: id, details });
}
