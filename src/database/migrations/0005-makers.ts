import { type Kysely, sql } from 'kysely';

/**
 * Who works on something unfinished: the number of the process that makes a container, or that starts or grades an attempt. What a
 * process that lives no more has left is then known at once, and one that was taken for dead cannot write over its successor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create sequence process_ids as integer cycle',
  'alter table attempts add column process_id integer',
  'alter table containers add column process_id integer',
];
