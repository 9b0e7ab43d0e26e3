import { type Kysely, sql } from 'kysely';

const statements = [
  // A try is counted before its outcome is known, and taken back.
  'alter table login_throttles drop constraint login_throttles_failures_check, add check (failures >= 0)',
  // Registrations are counted like failed logins.
  'drop table registration_counts',
  `create table network_limits (
    network text not null,
    limit_met text not null,
    times integer not null default 1,
    first_at timestamptz(3) not null default now(),
    last_at timestamptz(3) not null default now(),
    primary key (network, limit_met)
  )`,
];

/** Networks that had to wait, for administrators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
