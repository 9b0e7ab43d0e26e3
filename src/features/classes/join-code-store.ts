import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import type { ClassJoinCodesTable, Tables } from '../../database/tables.ts';
import { newCode, normalCode } from '../../database/typed-codes.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { changeableClass, type OwnClass, openClass } from './access-store.ts';
import { insertMember, logMember } from './member-store.ts';

export type JoinCode = Omit<Selectable<ClassJoinCodesTable>, 'class_id'>;
export type NewJoinCode = { expires_at?: Date | null; max_uses?: number | null; email_domain?: string | null };

const columns = ['id', 'code', 'expires_at', 'max_uses', 'uses', 'email_domain', 'created_at'] as const;
const isValid = sql<boolean>`(expires_at is null or expires_at > now()) and (max_uses is null or uses < max_uses)`;

/** Codes with which users join classes. The activity log contains no code. */
export class JoinCodeStore {
  readonly #db: Database;
  readonly #max: number;

  /** @param max codes of one class */
  constructor(db: Database, max: number) {
    this.#db = db;
    this.#max = max;
  }

  /** Newest first. Expired and used-up codes are included. @throws NotFoundError, ForbiddenError */
  async list(caller: Caller, classId: number, page: Page): Promise<{ rows: JoinCode[]; total: number }> {
    await changeableClass(this.#db, caller, classId, undefined);
    const query = this.#db.selectFrom('class_join_codes').where('class_id', '=', classId);
    const rows = await query.select(columns).orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
    return { rows, total: await count(this.#db, classId) };
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError for an archived class or the maximum number of codes */
  async create(caller: Caller, classId: number, fields: NewJoinCode): Promise<JoinCode> {
    return await this.#db.transaction().execute(async (trx) => {
      // Held for a change: of two that create the last code, the second counts that of the first.
      const of = await openClass(trx, caller, classId, 'change');
      if ((await count(trx, classId)) >= this.#max)
        throw new ConflictError('too_many_join_codes', `The class has ${this.#max} join codes already`);
      const row = await trx
        .insertInto('class_join_codes')
        .values({ ...fields, class_id: classId, code: newCode() })
        .returning(columns)
        .executeTakeFirstOrThrow();
      await log(trx, caller, 'class_join_code_create', of, { new: shown(row) });
      return row;
    });
  }

  /** Those who joined with it stay members. @throws NotFoundError, ForbiddenError */
  async delete(caller: Caller, classId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const of = await changeableClass(trx, caller, classId, 'share');
      const codes = trx.selectFrom('class_join_codes').where('class_id', '=', classId).where('id', '=', id);
      const row = await codes.select(columns).forUpdate().executeTakeFirst();
      if (!row) throw new NotFoundError('not_found', 'Join code not found');
      await keepDeleted(trx, { kind: 'class_join_code', id, title: of.name, actorId: caller.id, classId });
      await trx.deleteFrom('class_join_codes').where('id', '=', id).execute();
      await log(trx, caller, 'class_join_code_delete', of, { old: shown(row) });
    });
  }

  /**
   * Makes the caller a student of the code's class. A member stays as before and uses nothing of the code, also of one that has expired.
   * @param domain of the caller's e-mail address
   * @returns the id of the class; undefined without a valid code for the caller
   */
  async join(caller: Caller, typed: string, domain: string): Promise<number | undefined> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ code_id: number; id: number; name: string; is_member: boolean }>`
          select k.id as code_id, c.id, c.name, exists (
            select from class_members m where m.class_id = c.id and m.user_id = ${caller.id}
          ) as is_member
          from class_join_codes k join classes c on c.id = k.class_id where k.code = ${normalCode(typed)}
            for share of c`.execute(trx);
        const [of] = rows;
        if (!of || of.is_member) return of?.id;
        if (!(await insertMember(trx, of.id, caller.id, 'student'))) return of.id;
        const used = await trx
          .updateTable('class_join_codes')
          .set({ uses: sql<number>`uses + 1` })
          .where('id', '=', of.code_id)
          .where(isValid)
          .where(sql<boolean>`(email_domain is null or email_domain = ${domain})`)
          .where(sql<boolean>`not (select is_archived from classes where id = class_id)`)
          .returning('id')
          .executeTakeFirst();
        if (!used) throw new NotJoinedError();
        await logMember(trx, caller, 'class_join', of, caller.id, { join_code_id: of.code_id });
        return of.id;
      });
    } catch (error) {
      if (error instanceof NotJoinedError) return undefined;
      throw error;
    }
  }
}

/** Takes the membership back. */
class NotJoinedError extends Error {}

const shown = ({ expires_at, max_uses, uses, email_domain }: JoinCode) => ({
  expires_at,
  max_uses,
  uses,
  email_domain,
});

async function count(db: Database, classId: number): Promise<number> {
  const { total } = await db
    .selectFrom('class_join_codes')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('class_id', '=', classId)
    .executeTakeFirstOrThrow();
  return total;
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { id, name }: OwnClass,
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, { actorId, type, title: name, entityType: 'class', entityId: id, details });
}
