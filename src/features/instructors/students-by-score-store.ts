import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { isCounted } from '../../database/exam-session-rules.ts';
import { cut, isBackward, type Listed, type Page, rowsToRead } from '../../database/lists/keyset.ts';
import { checkSortable, noScore, sortedRows } from '../../database/lists/sorted-attempts.ts';
import { ofScope, type StudentScope } from '../../database/lists/student-scope.ts';
import { userMatches } from '../../database/lists/user-search.ts';

/** Which of a student's attempts counts. */
export type Counted = 'best' | 'latest';

/** The attempts of one student, the one that counts first. */
export const countedFirst: Record<Counted, RawBuilder<unknown>> = {
  // In an exam session only the attempt that counts there is a candidate.
  best: sql`${isCounted} desc, score desc nulls last, id desc`,
  latest: sql`id desc`,
};

const score = sql`coalesce(counted.score, ${sql.lit(noScore)})`;

/** The key of a student in the cursors of this order. */
export const scoreKey = (row: { score: number | null; user_id: number }): [string, number, number] => [
  'score',
  row.score ?? noScore,
  row.user_id,
];

function beyond({ cursor }: Page, isDescending: boolean): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`;
  const sign = sql.raw(isDescending === (cursor.way === 'before') ? '>' : '<');
  const [, value, id] = cursor.key;
  return sql`(${score}, users.id) ${sign} (${value}::int, ${id}::int)`;
}

/**
 * The ids of the students on a page, by the scores of the attempts that count. All attempts are read, so their number is limited.
 * @param attempted a condition on `attempts`: those of the exam or laboratory
 * @throws ConflictError if they are too many
 */
export async function studentsByScore(
  db: Database,
  scope: StudentScope,
  attempted: RawBuilder<unknown>,
  { counted, search }: { counted: Counted; search?: string | undefined },
  page: Page,
  isDescending: boolean,
): Promise<Listed<number>> {
  const way = sql.raw(isDescending === isBackward(page) ? 'asc' : 'desc');
  const found = search === undefined ? sql`true` : userMatches(search);
  const students = sql`counted join users on users.id = counted.user_id where ${found}`;
  const { rows } = await sql<{ attempts: number; total: number; ids: number[] }>`
    with own as materialized (
      select id, user_id, session_id, score from attempts
      where ${attempted} and ${ofScope(scope, sql.ref('attempts.user_id'))} limit ${sortedRows + 1}
    ), counted as materialized (
      select distinct on (user_id) user_id, score from own as attempts order by user_id, ${countedFirst[counted]}
    )
    select (select count(*) from own)::int as attempts, (select count(*) from ${students})::int as total, array(
      select users.id from ${students} and ${beyond(page, isDescending)}
      order by ${score} ${way}, users.id ${way} limit ${rowsToRead(page)} offset ${page.offset}
    ) as ids`.execute(db);
  const { attempts = 0, total = 0, ids = [] } = rows[0] ?? {};
  checkSortable(attempts);
  return { ...cut(ids, page), total };
}
