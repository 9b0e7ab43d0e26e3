import { type Kysely, sql } from 'kysely';

/**
 * A lock names the login that takes the exam, by the id that all its tokens have. A token from before has its time of issue as the id
 * (`loginOf` in features/auth/tokens.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table users add column locked_login text`,
  `update users set locked_login =
      'issued:' || (extract(epoch from coalesce(login_locked_token, login_locked_at)) * 1000)::bigint
    where login_locked_at is not null`,
  `create or replace function unlock_login() returns trigger language plpgsql as $$
  begin
    update users set locked_login = null where id = old.user_id;
    perform pg_notify('attempt_held', '*');
    return null;
  end $$`,
  `alter table users drop column login_locked_at, drop column login_locked_token`,
];
