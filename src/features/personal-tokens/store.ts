import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { PersonalTokensTable, Tables, UsersTable } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { TokenScope } from '../../values/token-scopes.ts';

export type PersonalTokenRow = Omit<Selectable<PersonalTokensTable>, 'user_id' | 'hash'>;
/** Whose token it is, and who makes or deletes it: an administrator for a service account, everybody for themselves. */
export type TokenHands = { ownerId: number; actorId: number };
export type NewToken = { name: string; scopes: TokenScope[]; hash: string; expires_at: Date };

const columns = ['id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

/** Enough for the programs of one user. */
const mostTokens = 50;

/** Users' tokens for their programs. */
export class PersonalTokenStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest first, those that have ended included. */
  async list(userId: number): Promise<PersonalTokenRow[]> {
    const query = this.#db.selectFrom('personal_tokens').where('user_id', '=', userId);
    return await query.select(columns).orderBy('id', 'desc').execute();
  }

  /** @throws ConflictError for the maximum number of tokens */
  async create(hands: TokenHands, token: NewToken): Promise<PersonalTokenRow> {
    return await this.#db.transaction().execute(async (trx) => {
      const userId = hands.ownerId;
      // Held for a change: of two requests for the last token, the second counts that of the first.
      await sql`select from users where id = ${userId} for no key update`.execute(trx);
      const row = await trx
        .insertInto('personal_tokens')
        .values({ ...token, user_id: userId })
        .returning(columns)
        .executeTakeFirstOrThrow();
      const { total } = await trx
        .selectFrom('personal_tokens')
        .where('user_id', '=', userId)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      // Rolled back.
      if (Number(total) > mostTokens)
        throw new ConflictError('too_many_tokens', `You have ${mostTokens} tokens already`);
      await log(trx, hands, 'create', row);
      return row;
    });
  }

  /** @returns whether the user had the token */
  async delete(hands: TokenHands, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .deleteFrom('personal_tokens')
        .where('id', '=', id)
        .where('user_id', '=', hands.ownerId)
        .returning(columns)
        .executeTakeFirst();
      if (row) await log(trx, hands, 'delete', row);
      return row !== undefined;
    });
  }

  /** The user of a valid token, whose use is noted once a minute. */
  async admit(hash: string): Promise<{ id: number; scopes: TokenScope[]; user: Selectable<UsersTable> } | undefined> {
    const row = await this.#db
      .selectFrom('personal_tokens as token')
      .innerJoin('users', 'users.id', 'token.user_id')
      .where('token.hash', '=', hash)
      .where('token.expires_at', '>', sql<Date>`now()`)
      .selectAll('users')
      .select(['token.id as token_id', 'token.scopes as token_scopes', 'token.last_used_at as token_used_at'])
      .executeTakeFirst();
    if (!row) return undefined;
    const { token_id: id, token_scopes: scopes, token_used_at, ...user } = row;
    if (!token_used_at || Date.now() - token_used_at.getTime() > 60_000)
      await this.#db
        .updateTable('personal_tokens')
        .set({ last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .execute();
    return { id, scopes, user };
  }
}

async function log(
  trx: Transaction<Tables>,
  { ownerId: userId, actorId }: TokenHands,
  verb: 'create' | 'delete',
  { id, name, scopes, expires_at }: PersonalTokenRow,
): Promise<void> {
  await logActivity(trx, {
    ...{ actorId, userId, type: `personal_token_${verb}`, title: name },
    ...{ entityType: 'personal_token', entityId: id, details: { scopes, expires_at } },
  });
}
