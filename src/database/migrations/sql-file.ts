import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The migration whose statements are in the file of its name, in this folder. */
export const ofSqlFile = (name: string): Migration => ({
  up: async (db) => {
    await sql.raw(await readFile(join(import.meta.dirname, `${name}.sql`), 'utf8')).execute(db);
  },
});
