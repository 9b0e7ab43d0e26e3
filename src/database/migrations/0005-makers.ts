import { type Kysely, sql } from 'kysely';

/**
 * The process that creates a container, or that starts or grades an attempt. Unfinished work of a dead process is then detected
 * immediately, and a process that was wrongly considered dead cannot overwrite its successor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create sequence process_ids as integer cycle',
  'alter table attempts add column process_id integer',
  'alter table containers add column process_id integer',
];
