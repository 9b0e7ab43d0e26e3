import { type RawBuilder, sql, type Transaction } from 'kysely';
import { emailForms } from '../../values/email-address.ts';
import { normalName } from '../../values/username.ts';
import type { Tables } from '../tables.ts';

/** One user, named by the id, or by the username or the email address in any case. */
export type UserChoice = { user_id: number } | { username: string };

/** Whether a row of `users` has an address, in any case. @param email in its canonical form */
export function hasEmail(email: string): RawBuilder<boolean> {
  const [unicode, ascii] = emailForms(email);
  return sql<boolean>`lower(email) in (lower(${unicode}), lower(${ascii}))`;
}

/**
 * The user of a choice. A username counts before an address.
 * @param allowed whether a row of `users` can be chosen @param lock of the row, until the end of the transaction
 * @returns undefined where nobody can be chosen by that name
 */
export async function userOf(
  trx: Transaction<Tables>,
  choice: UserChoice,
  allowed: RawBuilder<boolean>,
  lock: RawBuilder<unknown> = sql``,
): Promise<{ id: number } | undefined> {
  const name = 'username' in choice ? normalName(choice.username) : '';
  const named =
    'user_id' in choice ? sql`id = ${choice.user_id}` : sql`(lower(username) = lower(${name}) or ${hasEmail(name)})`;
  const { rows } = await sql<{ id: number }>`select id from users where id > 0 and ${named} and ${allowed}
    order by lower(username) = lower(${name}) desc limit 1 ${lock}`.execute(trx);
  return rows[0];
}
