import { type Kysely, sql } from 'kysely';

/** Usernames have 2 to 64 characters, or are the address of the account. The service checks which characters they have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop constraint users_username_check,
    add constraint users_username_check check (length(username) between 2 and 254)`.execute(db);
}
