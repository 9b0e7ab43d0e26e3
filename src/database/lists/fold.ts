import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { tryLock } from '../locks.ts';

/** The counts, and the changes that are not yet added to them. Triggers of the counted tables write the changes. */
export const countTables = ['attempt', 'activity', 'user']
  .flatMap((list) => [`${list}_counts`, `${list}_count_changes`])
  .concat('student_counts');

/**
 * Runs statements that write to the tables of counts, in one transaction.
 * @param claim comes first; without a row of it nothing else runs
 * @returns undefined if another process writes to them now, or without a claim
 */
export async function writeCounts<Row>(
  db: Database,
  statements: readonly RawBuilder<Row>[],
  claim?: RawBuilder<unknown>,
): Promise<Row[] | undefined> {
  return await db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, 'counts'))) return undefined;
    if (claim && (await claim.execute(trx)).rows.length === 0) return undefined;
    await sql`set local statement_timeout = '10min'`.execute(trx);
    // The check sorts and groups all attempts.
    await sql`set local work_mem = '64MB'`.execute(trx);
    const written: Row[] = [];
    for (const statement of statements) written.push(...(await statement.execute(trx)).rows);
    return written;
  });
}

/** Adds the changes to the counts. Both are the same to readers, but a long list of changes is slower to read. */
export async function foldCounts(db: Database): Promise<void> {
  await writeCounts(db, [attempts, activity, users]);
}

const attempts = sql`
  with changes as (delete from attempt_count_changes returning *),
  students as (
    insert into student_counts as kept select kind, subject_id, sum(students) from changes
    where students <> 0 and subject_id <> 0 group by 1, 2
    on conflict (kind, subject_id) do update set count = kept.count + excluded.count
  )
  insert into attempt_counts as kept
  select level.block, kind, level.subject_id, status, passed, sum(count), min(started_at), max(started_at)
  from changes cross join lateral (values (changes.block, 0), (-1, changes.subject_id)) as level (block, subject_id)
  group by 1, 2, 3, 4, 5
  on conflict (block, kind, subject_id, status, passed) do update set count = kept.count + excluded.count,
    earliest = least(kept.earliest, excluded.earliest), latest = greatest(kept.latest, excluded.latest)`;

const activity = sql`
  with changes as (delete from activity_count_changes returning *)
  insert into activity_counts as kept
  select level.block, type, entity_type, sum(count)
  from changes cross join lateral (values (changes.block), (-1)) as level (block) group by 1, 2, 3
  on conflict (block, type, entity_type) do update set count = kept.count + excluded.count`;

const users = sql`
  with changes as (delete from user_count_changes returning *)
  insert into user_counts as kept select role, is_active, sum(count) from changes group by 1, 2
  on conflict (role, is_active) do update set count = kept.count + excluded.count`;
