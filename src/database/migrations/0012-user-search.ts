import { type Kysely, sql } from 'kysely';

/**
 * The text in which users are searched is stored, as its lower case costs more than the search. Trigrams cannot find a text of one or two
 * characters, so there is an index of these as well. 100,000 users take about ten seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`set local maintenance_work_mem = '256MB'`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'drop index users_text',
  `alter table users add column search_text text not null generated always as
    (lower(username || E'\\n' || email || E'\\n' || coalesce(full_name, ''))) stored`,
  // All substrings of one and of two characters.
  `create function short_substrings(value text) returns text[] language sql immutable strict parallel safe as $$
    select coalesce(array_agg(distinct substr(value, start, size)), '{}')
    from generate_series(1, length(value)) as start, generate_series(1, 2) as size
  $$`,
  'create index users_text on users using gin (search_text gin_trgm_ops)',
  'create index users_short_substrings on users using gin (short_substrings(search_text))',
  // The planner needs to know how frequent each substring is.
  'analyze users',
];
