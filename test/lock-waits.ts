import { sql } from 'kysely';
import type { Database } from '../src/database/connection/connect.ts';

/** How many statements of a test's database wait for a lock. */
export async function lockWaits(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}
