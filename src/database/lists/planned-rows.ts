import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';

type Plan = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] };

/** How many rows PostgreSQL expects of a statement, without running it. */
export async function plannedRows(db: Database, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Plan>`explain (format json) ${statement}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
