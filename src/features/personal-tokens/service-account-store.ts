import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { lock } from '../../database/locks.ts';
import type { Role, Tables } from '../../database/tables.ts';
import { afterAllTokens } from '../../database/token-times.ts';
import { found } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';

export type ServiceRole = Exclude<Role, 'student'>;
export type ServiceAccount = {
  id: number;
  name: string;
  role: ServiceRole;
  created_at: Date;
  tokens: number;
  last_used_at: Date | null;
};

/** People have ids above 0, test students those between: see the constraint of `users`. On the wire an id is positive. */
const firstId = -1_000_000_000;

const accounts = sql`select -users.id as id, full_name as name, role, users.created_at, count(token.id)::int as tokens, max(last_used_at) as last_used_at
  from users left join personal_tokens as token on token.user_id = users.id and token.expires_at > now()`;

/** Accounts of programs. They have no password, so that they are used with tokens only. */
export class ServiceAccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In the order of their creation. */
  async list({ limit, offset }: Page): Promise<{ rows: ServiceAccount[]; total: number }> {
    const where = sql`where users.id < ${firstId} and is_active`;
    const { rows } =
      await sql<ServiceAccount>`${accounts} ${where} group by users.id order by users.id desc limit ${limit} offset ${offset}`.execute(
        this.#db,
      );
    const counted = await sql<{ total: number }>`select count(*)::int as total from users ${where}`.execute(this.#db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** @returns its id in the table of users @throws NotFoundError unless it is active */
  async userId(id: number): Promise<number> {
    const { rows } = await sql`select from users where id = ${-id} and id < ${firstId} and is_active`.execute(this.#db);
    found(rows[0], 'Service account');
    return -id;
  }

  async create(actorId: number, { name, role }: { name: string; role: ServiceRole }): Promise<ServiceAccount> {
    return await this.#db.transaction().execute(async (trx) => {
      await lock(trx, 'administrators');
      const { rows } = await sql<{ id: number }>`select least(min(id), ${firstId}::int) - 1 as id from users`.execute(
        trx,
      );
      const id = rows[0]?.id ?? firstId - 1;
      // With a number, because names are not unique: no user can register either of the two.
      const username = `${name} (service ${firstId - id})`;
      await sql`insert into users (id, username, email, password_hash, role, full_name) overriding system value
        values (${id}, ${username}, ${username}, '', ${role}, ${name})`.execute(trx);
      await log(trx, { actorId, id, username, role, verb: 'create' });
      const created = await sql<ServiceAccount>`${accounts} where users.id = ${id} group by users.id`.execute(trx);
      return created.rows[0] as ServiceAccount;
    });
  }

  /** With its tokens. What it has made stays, with its name. @throws NotFoundError unless it is active */
  async deactivate(actorId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const update = trx
        .updateTable('users')
        .set({ is_active: false, tokens_valid_from: afterAllTokens })
        .where('id', '=', -id)
        .where('id', '<', firstId)
        .where('is_active', '=', true)
        .returning(['username', 'role']);
      const row = found(await update.executeTakeFirst(), 'Service account');
      await trx.deleteFrom('personal_tokens').where('user_id', '=', -id).execute();
      await log(trx, { ...row, actorId, id: -id, verb: 'delete' });
    });
  }
}

type Logged = { actorId: number; id: number; username: string; role: Role; verb: 'create' | 'delete' };

async function log(trx: Transaction<Tables>, { actorId, id, username, role, verb }: Logged): Promise<void> {
  await logActivity(trx, {
    ...{ actorId, userId: id, type: `service_account_${verb}`, title: username },
    ...{ entityType: 'user', entityId: id, details: { role } },
  });
}
