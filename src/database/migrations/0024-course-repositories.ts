import { type Kysely, sql } from 'kysely';

/** Courses that were imported from a repository of lessons, with what the last import found there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table course_repositories (
    course_id integer primary key references courses (id) on delete cascade,
    url text check (length(url) between 1 and 2048),
    branch text check (length(branch) between 1 and 255),
    outline jsonb,
    imported_at timestamptz not null default now(),
    check (branch is null or url is not null)
  )`.execute(db);
  await sql`create trigger course_repositories_changed after insert or update or delete or truncate on course_repositories
    for each statement execute function notify_table_change('catalogue_changed')`.execute(db);
}
