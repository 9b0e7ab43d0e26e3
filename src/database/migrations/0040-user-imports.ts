import { type Kysely, sql } from 'kysely';

/** Imports of users in the background, and the invitations of users who have no password yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table user_imports (
    id integer generated always as identity primary key,
    actor_id integer references users on delete set null,
    status text not null default 'running' check (status in ('running', 'done', 'cancelled', 'failed')),
    total integer not null check (total > 0),
    problems jsonb,
    created_at timestamptz(3) not null default now(),
    finished_at timestamptz(3),
    check ((status = 'running') = (finished_at is null))
  )`,
  // One at a time.
  `create unique index user_imports_running on user_imports ((true)) where status = 'running'`,
  'create index user_imports_of_actor on user_imports (actor_id)',
  // The lines of a running import. Its end deletes them.
  `create table user_import_lines (
    import_id integer not null references user_imports on delete cascade,
    line integer not null,
    username text not null,
    email text not null,
    full_name text,
    role text not null,
    sealed_password bytea,
    password_hash text,
    primary key (import_id, line),
    check (sealed_password is null or password_hash is null)
  )`,
  // A user who has no password yet. The code is null until it is requested.
  `create table invitations (
    user_id integer primary key references users on delete cascade,
    import_id integer references user_imports on delete set null,
    code_hash text unique,
    expires_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    check ((code_hash is null) = (expires_at is null))
  )`,
  'create index invitations_of_import on invitations (import_id)',
];
