import { type Kysely, sql } from 'kysely';

/** The cookies in which the pages keep logins, and what a supervisor sees of a login that an exam refuses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table login_cookies (
    family_hash text primary key,
    secret_hash text not null,
    user_id integer not null references users on delete cascade,
    login text not null,
    valid_from timestamptz(3) not null,
    replacements timestamptz(3)[] not null default '{}',
    expires_at timestamptz not null
  )`,
  'create index login_cookies_user on login_cookies (user_id)',
  'create index login_cookies_age on login_cookies (expires_at)',
  // Single logins that have ended; tokens_valid_from ends all of them.
  `alter table users add column ended_logins text[] not null default '{}'`,
  // When another login of the student was refused, for the room.
  `alter table attempts add column login_refused_at timestamptz(3)`,
  `create trigger attempts_of_session_refused after update of login_refused_at on attempts for each row
    when (new.session_id is not null and old.login_refused_at is distinct from new.login_refused_at)
    execute function notify_exam_session('session_id')`,
  `create function delete_login_cookies() returns trigger language plpgsql as $$
  begin
    delete from login_cookies where user_id = new.id and valid_from < new.tokens_valid_from;
    return null;
  end $$`,
  `create trigger users_delete_login_cookies after update of tokens_valid_from on users for each row
    when (new.tokens_valid_from > old.tokens_valid_from) execute function delete_login_cookies()`,
];
