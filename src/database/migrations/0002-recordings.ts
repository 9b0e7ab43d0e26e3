import { type Kysely, sql } from 'kysely';

/** Terminal output of exam attempts: one row per shell, and a file that the row names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table recordings (
    id integer generated always as identity primary key,
    attempt_id integer not null references attempts on delete cascade,
    key text not null unique check (key ~ '^[0-9a-f]{40}$'),
    cols integer not null check (cols > 0),
    rows integer not null check (rows > 0),
    started_at timestamptz(3) not null default now(),
    ended_at timestamptz(3),
    bytes integer not null default 0 check (bytes >= 0),
    is_truncated boolean not null default false
  )`,
  'create index recordings_attempt on recordings (attempt_id, id)',
  // For the cleanup: recordings that were left open (null) and those that are too old.
  'create index recordings_ended on recordings (ended_at)',
];
