import { type Kysely, sql } from 'kysely';

/** Shells that outlive the process that serves them: where each is found, and its screen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table terminals (
    id text primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    container_id integer not null references containers on delete cascade,
    user_id integer not null references users on delete cascade,
    process_id integer,
    holder text not null,
    begun_at timestamptz(3) not null default now(),
    cols integer not null check (cols > 0),
    rows integer not null check (rows > 0),
    picture bytea,
    picture_at bigint not null default 0 check (picture_at >= 0)
  )`,
  // It is compressed already.
  'alter table terminals alter column picture set storage external',
  'create index terminals_container on terminals (container_id, begun_at)',
  'create index terminals_user on terminals (user_id)',
];
