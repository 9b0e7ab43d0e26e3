import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../../database/activity-log.ts';
import { type CatalogueLimits, checkLimit } from '../../../database/catalogue/catalogue-limits.ts';
import type { Database } from '../../../database/connection/connect.ts';
import { keepDeleted } from '../../../database/deletions/keep.ts';
import type { Order, Page } from '../../../database/lists/keyset.ts';
import type { RegistrationCodesTable, Tables } from '../../../database/tables.ts';
import { newCode, normalCode } from '../../../database/typed-codes.ts';
import { ForbiddenError } from '../../../errors.ts';

export type RegistrationCode = Selectable<RegistrationCodesTable>;
export type NewRegistrationCode = { note?: string | null; expires_at?: Date | null; max_uses?: number | null };

export type RegistrationCodeSort = 'created_at' | 'code' | 'uses' | 'expires_at';
/** There are at most 5,000 codes, so their order needs no indexes. Without `expires_at` a code does not expire. */
const sortedBy: Record<RegistrationCodeSort, string> = {
  created_at: 'id',
  code: 'code collate "C"',
  uses: 'uses',
  expires_at: `coalesce(expires_at, 'infinity')`,
};

/** Whether a code is valid now. */
const isValid = sql<boolean>`(expires_at is null or expires_at > now()) and (max_uses is null or uses < max_uses)`;

export { normalCode };

export const wrongCode = (): ForbiddenError =>
  new ForbiddenError('wrong_registration_code', 'The registration code is not valid');

/** Uses a code once, as part of a registration. @returns its id @throws ForbiddenError when it is not valid or no longer valid */
export async function takeUseOfCode(trx: Transaction<Tables>, code: string): Promise<number> {
  const used = await trx
    .updateTable('registration_codes')
    .set({ uses: sql<number>`uses + 1` })
    .where('code', '=', code)
    .where(isValid)
    .returning('id')
    .executeTakeFirst();
  if (!used) throw wrongCode();
  return used.id;
}

/** Registration codes, for administrators. Each action is in the activity log, which contains no code. */
export class RegistrationCodeStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(db: Database, limits: CatalogueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Expired and used-up codes are included. */
  async list(
    page: Page,
    { by, isDescending }: Order<RegistrationCodeSort>,
  ): Promise<{ rows: RegistrationCode[]; total: number }> {
    const query = this.#db.selectFrom('registration_codes');
    const way = sql.raw(isDescending ? 'desc' : 'asc');
    const rows = await query
      .selectAll()
      .orderBy(sql`${sql.raw(sortedBy[by])} ${way}, id ${way}`)
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  /** @throws ConflictError when the maximum number of codes exists */
  async create(actorId: number, fields: NewRegistrationCode): Promise<RegistrationCode> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('registration_codes')
        .values({ ...fields, code: newCode() })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { expires_at, max_uses } = row;
      await log(trx, actorId, 'create', row, { new: { expires_at, max_uses } });
      await checkLimit(trx, 'registration_codes', this.#limits);
      return row;
    });
  }

  /** @returns undefined without such a code */
  async delete(actorId: number, id: number): Promise<RegistrationCode | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const codes = trx.selectFrom('registration_codes').where('id', '=', id);
      const row = await codes.selectAll().forUpdate().executeTakeFirst();
      if (!row) return undefined;
      await keepDeleted(trx, { kind: 'registration_code', id, title: row.note ?? '', actorId });
      await trx.deleteFrom('registration_codes').where('id', '=', id).execute();
      const { expires_at, max_uses, uses } = row;
      await log(trx, actorId, 'delete', row, { old: { expires_at, max_uses, uses } });
      return row;
    });
  }

  /** Whether a code is valid now. `takeUseOfCode` makes the final decision. */
  async isValid(code: string): Promise<boolean> {
    const query = this.#db.selectFrom('registration_codes').select('id').where('code', '=', code).where(isValid);
    return (await query.executeTakeFirst()) !== undefined;
  }
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  verb: string,
  { id, note }: RegistrationCode,
  details: Record<string, unknown>,
): Promise<void> {
  const entityType = 'registration_code';
  const title = note ?? `Registration code ${id}`;
  await logActivity(trx, { actorId, type: `admin_${entityType}_${verb}`, title, entityType, entityId: id, details });
}
