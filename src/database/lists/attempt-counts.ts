import { type RawBuilder, sql } from 'kysely';
import type { AttemptStatus, ListedStatus } from '../../values/attempt-status.ts';
import { statusSql } from '../attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind } from '../tables.ts';

/** What is counted as attempts change: filters of these fields have exact totals at any size. */
export type AttemptFacets = {
  kind?: AttemptKind;
  status?: ListedStatus;
  passed?: boolean;
  /** Ids of exams and of laboratories. */
  assessments?: { exams: readonly number[]; laboratories: readonly number[] };
};
/** Attempts that agree in all facets but the assessment. */
export type AttemptGroup = { kind: AttemptKind; status: AttemptStatus; passed: boolean | null; count: number };
export type AttemptBlock = {
  block: number;
  count: number;
  /** Of their starts, inclusive. */
  earliest: Date;
  latest: Date;
};

/** The number of ids in a block is 2 to this power. */
export const blockBits = 13;
/** Stands for the whole table. */
const allBlocks = -1;

function matching({ kind, status, passed, assessments }: AttemptFacets): RawBuilder<boolean> {
  const conditions = [statusSql.isListed()];
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (passed !== undefined) conditions.push(sql`${statusSql.isGraded()} and passed = ${passed}`);
  if (assessments !== undefined)
    conditions.push(sql`(kind = 'exam' and subject_id = any(${assessments.exams}::int[])
      or kind = 'laboratory' and subject_id = any(${assessments.laboratories}::int[]))`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** The groups that there are, in one statement. */
export async function attemptGroups(db: Database, facets: AttemptFacets): Promise<AttemptGroup[]> {
  const { rows } = await sql<AttemptGroup>`
    select kind, status, case when ${statusSql.isGraded()} then passed end as passed, sum(count)::int as count from (
      select kind, subject_id, status, passed, count from attempt_counts where block = ${allBlocks}
      union all select kind, subject_id, status, passed, count from attempt_count_changes
    ) as counts
    where ${matching(facets)} group by 1, 2, 3 having sum(count) > 0`.execute(db);
  return rows;
}

/** The blocks with such attempts, newest first. */
export async function attemptBlocks(db: Database, facets: Omit<AttemptFacets, 'assessments'>): Promise<AttemptBlock[]> {
  const { kind, status, passed } = facets;
  const rest = { ...(kind && { kind }), ...(status && { status }), ...(passed !== undefined && { passed }) };
  const { rows } = await sql<AttemptBlock>`
    select block, sum(count)::int as count, min(earliest) as earliest, max(latest) as latest from (
      select block, kind, status, passed, count, earliest, latest from attempt_counts where block <> ${allBlocks}
      union all
      select block, kind, status, passed, count, started_at, started_at from attempt_count_changes
    ) as counts
    where ${matching(rest)} group by block having sum(count) > 0 order by block desc`.execute(db);
  return rows;
}
