import { type Kysely, sql } from 'kysely';

/**
 * For each user a number that differs after each change of the user's completed themes, whatever its source. A process that keeps what it
 * computed from them compares the number, and needs no notification of a completion. The number is that of the transaction, so it never
 * repeats, and a transaction that is rolled back leaves no number behind.
 */
const statements = [
  `create table progress_versions (
    user_id integer primary key references users on delete cascade,
    version xid8 not null
  ) with (fillfactor = 50)`,
  `create function renew_progress_version() returns trigger language plpgsql as $$
  begin
    insert into progress_versions as known values (new.user_id, pg_current_xact_id())
      on conflict (user_id) do update set version = excluded.version where known.version <> excluded.version;
    return null;
  end $$`,
  `create trigger theme_progress_changed after insert or update on theme_progress
    for each row execute function renew_progress_version()`,
  // The rows of a deleted theme leave with it. Who keeps an answer sees that the catalogue has changed. The order prevents deadlocks.
  `create function renew_progress_versions() returns trigger language plpgsql as $$
  begin
    update progress_versions set version = pg_current_xact_id() where user_id in (
      select user_id from progress_versions where user_id in (
        select user_id from gone where exists (select from themes where id = gone.theme_id)
      ) order by user_id for update);
    return null;
  end $$`,
  `create trigger theme_progress_deleted after delete on theme_progress referencing old table as gone
    for each statement execute function renew_progress_versions()`,
  `create function renew_all_progress_versions() returns trigger language plpgsql as $$
  begin
    update progress_versions set version = pg_current_xact_id();
    return null;
  end $$`,
  `create trigger theme_progress_emptied after truncate on theme_progress
    for each statement execute function renew_all_progress_versions()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
