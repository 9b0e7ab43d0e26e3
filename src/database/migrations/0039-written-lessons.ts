import { type Kysely, sql } from 'kysely';

/**
 * Files of lessons that are written in the pages, with all their revisions. Their contents are kept beside those of set-up files. A lesson
 * is read from there, or from the repository of its course.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A file without a digest was deleted.
  `create table written_files (
    id integer generated always as identity primary key,
    path text not null check (length(path) between 1 and 1000),
    revision integer not null check (revision > 0),
    digest text references setup_contents,
    bytes integer not null check (bytes >= 0),
    changed_at timestamptz(3) not null default now()
  )`,
  'create unique index written_files_path_key on written_files (path) where digest is not null',
  'create index written_files_digest on written_files (digest)',
  `create table written_revisions (
    id integer generated always as identity primary key,
    file_id integer not null references written_files on delete cascade,
    revision integer not null check (revision > 0),
    path text not null check (length(path) between 1 and 1000),
    digest text references setup_contents,
    bytes integer not null check (bytes >= 0),
    message text not null default '' check (length(message) <= 500),
    author_id integer references users on delete set null,
    created_at timestamptz(3) not null default now(),
    unique (file_id, revision)
  )`,
  'create index written_revisions_digest on written_revisions (digest)',
  'create index written_revisions_author on written_revisions (author_id)',
  'alter table themes add column is_written boolean not null default false',
  'create index themes_written on themes (markdown_file_path) where is_written',
  `create trigger written_files_changed after insert or update or delete or truncate on written_files
    for each statement execute function notify_table_change('written_lessons_changed')`,
];
