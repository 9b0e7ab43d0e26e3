import { type Kysely, sql } from 'kysely';

/** What was deleted is kept for a while, with all rows that went with it, so that it can be restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The class is no reference: it can be deleted later, and restored before.
  `create table deletions (
    id integer generated always as identity primary key,
    kind text not null,
    entity_id integer not null,
    title text not null,
    class_id integer,
    deleted_by integer references users on delete set null,
    deleted_at timestamptz(3) not null default now(),
    unique (kind, entity_id)
  )`,
  'create index deletions_age on deletions (deleted_at)',
  'create index deletions_own on deletions (deleted_by, kind, id)',
  // A reference is a row that still exists: its data are the columns that the deletion cleared. The rows of a user go with the user.
  `create table deleted_rows (
    id bigint generated always as identity primary key,
    deletion_id integer not null references deletions on delete cascade,
    table_name text not null,
    is_reference boolean not null,
    key jsonb not null,
    data jsonb not null,
    user_id integer references users on delete cascade
  )`,
  'create index deleted_rows_of on deleted_rows (deletion_id, table_name)',
  'create index deleted_rows_user on deleted_rows (user_id) where user_id is not null',
  // The contents of set-up files are needed as long as their rows can be restored.
  `create index deleted_rows_files on deleted_rows ((data->>'digest')) where table_name = 'setup_files' and not is_reference`,
];
