import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/**
 * The schema of release 0.2.0.
 * @throws Error with the remedy where the extension that finds parts of words cannot be created
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    throw new Error(
      'PostgreSQL could not create the extension pg_trgm, which the search for users needs: install the contrib modules of PostgreSQL, ' +
        'grant the right to create on the database, or run "create extension pg_trgm" as its owner',
      { cause: error },
    );
  }
  await sql.raw(await readFile(join(import.meta.dirname, '0100-baseline.sql'), 'utf8')).execute(db);
}
