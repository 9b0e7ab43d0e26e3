import { type Kysely, sql } from 'kysely';

/** Notes and bookmarks of users at paragraphs of lessons. A bookmark is a note without a text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table lesson_notes (
    id integer generated always as identity primary key,
    user_id integer not null references users on delete cascade,
    theme_id integer not null references themes on delete cascade,
    heading text not null default '',
    excerpt text not null check (excerpt <> ''),
    text text not null default '',
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (user_id, theme_id, heading, excerpt)
  )`.execute(db);
  await sql`create index lesson_notes_of_user on lesson_notes (user_id, id)`.execute(db);
  await sql`create index lesson_notes_of_theme on lesson_notes (theme_id)`.execute(db);
}
