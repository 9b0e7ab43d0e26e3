import { type Kysely, sql } from 'kysely';

/** Terminals that are held while a clock stands still. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // All processes hold the terminals of an attempt while its clock stands still. A transaction sends equal notifications once.
  `create function notify_attempt_held() returns trigger language plpgsql as $$
  begin
    perform pg_notify('attempt_held', '*');
    return null;
  end $$`,
  `create trigger attempts_held after update of paused_at on attempts for each row
    when ((old.paused_at is null) <> (new.paused_at is null)) execute function notify_attempt_held()`,
];
