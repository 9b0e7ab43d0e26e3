import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ClassRole, Tables } from '../../database/tables.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { mayBeAdded, openClass, seesAddress } from './access-store.ts';
import { insertMember, logMember, oneMember } from './member-store.ts';

export type KnownUser = { id: number; username: string; email: string; full_name: string | null };
/** An account that a line of a file names. */
export type NamedUser = KnownUser & {
  may_be_added: boolean;
  may_be_student: boolean;
  /** Null where the caller does not see it. */
  seen_email: string | null;
};
export type Imported = { outcome: 'created' | 'added' | 'already_member'; role: ClassRole };

/** Imports members into classes. */
export class ClassImportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Checks the right to import, before passwords are hashed. @throws NotFoundError, ForbiddenError, ConflictError for an archived class */
  async check(caller: Caller, classId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => await openClass(trx, caller, classId));
  }

  /** The users who have one of the usernames or addresses. */
  async known(caller: Caller, usernames: readonly string[], emails: readonly string[]): Promise<NamedUser[]> {
    const { rows } = await sql<NamedUser>`
      select id, username, email, full_name, ${mayBeAdded(caller, 'instructor')} as may_be_added,
        ${mayBeAdded(caller)} as may_be_student, case when ${seesAddress(caller)} then email end as seen_email from users
      where id > 0 and (lower(username) in (select lower(name) from unnest(${usernames}::text[]) as name)
        or lower(email) in (select lower(address) from unnest(${emails}::text[]) as address))`.execute(this.#db);
    return rows;
  }
}

/**
 * Adds users to a class, in the transaction that has created some of them. A member keeps the role.
 * @throws NotFoundError, ForbiddenError, ConflictError for an archived class or a user who was deleted meanwhile
 */
export async function importMembers(
  trx: Transaction<Tables>,
  caller: Caller,
  classId: number,
  users: readonly { id: number; role: ClassRole; isNew: boolean }[],
): Promise<Map<number, Imported>> {
  const of = await openClass(trx, caller, classId);
  const imported = new Map<number, Imported>();
  // Two imports of the same users wait for each other in one order.
  for (const { id, role, isNew } of users.toSorted((a, b) => a.id - b.id)) {
    if (await insertMember(trx, classId, id, role).catch(deletedMeanwhile)) {
      await logMember(trx, caller, 'class_member_import', of, id, { new: { role } });
      imported.set(id, { outcome: isNew ? 'created' : 'added', role });
    } else {
      const member = await oneMember(trx, caller, classId, id);
      imported.set(id, { outcome: 'already_member', role: member.role });
    }
  }
  return imported;
}

function deletedMeanwhile(error: unknown): never {
  throw error instanceof NotFoundError
    ? new ConflictError('changed_meanwhile', 'A user was deleted meanwhile; try again')
    : error;
}
