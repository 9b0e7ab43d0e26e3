import { type Selectable, sql, type Transaction } from 'kysely';
import { type Database, violatedConstraint } from '../../../database/connection/connect.ts';
import type { Tables, UserImportLinesTable, UserImportsTable } from '../../../database/tables.ts';
import { ConflictError, type ValidationItem } from '../../../errors.ts';

export type UserImportLine = Selectable<UserImportLinesTable>;
export type NewLine = Omit<UserImportLine, 'import_id' | 'password_hash'>;
/** An import, with how far it is. */
export type UserImport = Omit<Selectable<UserImportsTable>, 'problems'> & {
  problems: ValidationItem[] | null;
  /** Users whose passwords are hashed, or who get invitations. All, when the import is done. */
  done: number;
  /** Users who have not set a password yet, and whether codes were issued for any of them. */
  invited: number;
  has_codes: boolean;
};

/** Ended imports that are kept. */
const keptImports = 50;
const linesAtOnce = 1000;

/** Imports of users in the background: each line is stored until all are created in one transaction. */
export class UserImportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param linesOf seals the passwords for an import @throws ConflictError while another import is running */
  async create(actorId: number, total: number, linesOf: (id: number) => NewLine[]): Promise<number> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const values = { actor_id: actorId, total };
        const { id } = await trx.insertInto('user_imports').values(values).returning('id').executeTakeFirstOrThrow();
        const lines = linesOf(id).map((line) => ({ ...line, import_id: id }));
        for (let begin = 0; begin < lines.length; begin += linesAtOnce)
          await trx
            .insertInto('user_import_lines')
            .values(lines.slice(begin, begin + linesAtOnce))
            .execute();
        await sql`delete from user_imports where id <= (
          select id from user_imports order by id desc offset ${keptImports} limit 1)`.execute(trx);
        return id;
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'user_imports_running') throw error;
      throw new ConflictError('import_running', 'Another import of users is running');
    }
  }

  /** Newest first. */
  async list(): Promise<UserImport[]> {
    return await this.#read(sql`true`);
  }

  async get(id: number): Promise<UserImport | undefined> {
    return (await this.#read(sql`id = ${id}`))[0];
  }

  async running(): Promise<UserImport | undefined> {
    return (await this.#read(sql`status = 'running'`))[0];
  }

  /** The next lines whose passwords are to be hashed. */
  async toHash(importId: number, limit: number): Promise<UserImportLine[]> {
    return await this.#lines(importId).where('sealed_password', 'is not', null).orderBy('line').limit(limit).execute();
  }

  /** @returns false if the import has ended meanwhile */
  async setHash({ import_id, line }: UserImportLine, password_hash: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('user_import_lines')
      .set({ password_hash, sealed_password: null })
      .where('import_id', '=', import_id)
      .where('line', '=', line)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async lines(importId: number): Promise<UserImportLine[]> {
    return await this.#lines(importId).orderBy('line').execute();
  }

  /** Ends an import in the transaction of its users. @returns false if it has ended already */
  async finish(trx: Transaction<Tables>, id: number): Promise<boolean> {
    return await end(trx, id, { status: 'done' });
  }

  /** @returns false if it has ended already */
  async cancel(id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => await end(trx, id, { status: 'cancelled' }));
  }

  async fail(id: number, problems: readonly ValidationItem[]): Promise<void> {
    const ended = { status: 'failed', problems: JSON.stringify(problems) } as const;
    await this.#db.transaction().execute(async (trx) => await end(trx, id, ended));
  }

  #lines(importId: number) {
    return this.#db.selectFrom('user_import_lines').selectAll().where('import_id', '=', importId);
  }

  async #read(which: ReturnType<typeof sql>): Promise<UserImport[]> {
    const { rows } = await sql<UserImport>`
      select user_imports.*, waiting.invited, waiting.has_codes,
        case status when 'done' then total else (select count(*)::int from user_import_lines
          where import_id = user_imports.id and sealed_password is null) end as done
      from user_imports cross join lateral (
        select count(*)::int as invited, coalesce(bool_or(code_hash is not null), false) as has_codes
        from invitations where import_id = user_imports.id) as waiting
      where ${which} order by id desc`.execute(this.#db);
    return rows;
  }
}

/** Deletes the lines, which have addresses and passwords. */
async function end(
  trx: Transaction<Tables>,
  id: number,
  fields: { status: 'done' | 'cancelled' | 'failed'; problems?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('user_imports')
    .set({ ...fields, finished_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx.deleteFrom('user_import_lines').where('import_id', '=', id).execute();
  return true;
}
