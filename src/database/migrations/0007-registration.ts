import { type Kysely, sql } from 'kysely';

/**
 * Registration codes, and the networks of an account's logins. Networks are keyed hashes: addresses cannot be recovered without the
 * service's secret key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table registration_codes (
    id integer generated always as identity primary key,
    code text not null unique check (code ~ '^[A-Z0-9]{8,40}$'),
    note text check (length(note) <= 200),
    expires_at timestamptz(3),
    max_uses integer check (max_uses > 0),
    uses integer not null default 0 check (uses >= 0),
    created_at timestamptz(3) not null default now(),
    check (uses <= max_uses)
  )`,
  // The registrations of a network in the hour that started with its first one.
  `create table registration_counts (
    network text primary key,
    count integer not null check (count > 0),
    begins_at timestamptz(3) not null default now()
  )`,
  'create index registration_counts_age on registration_counts (begins_at)',
  `create table known_devices (
    user_id integer not null references users on delete cascade,
    device text not null,
    last_login_at timestamptz(3) not null default now(),
    primary key (user_id, device)
  )`,
  'create index known_devices_age on known_devices (last_login_at)',
];
