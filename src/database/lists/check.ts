import { sql } from 'kysely';
import { statusSql } from '../attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import { writeCounts } from './fold.ts';

/** A count that was not that of the rows. */
export type CountDifference = {
  list: 'attempts' | 'students' | 'activity' | 'users';
  /** Such as `exam 3 finished`. */
  what: string;
  /** Rows minus count. */
  difference: number;
};

/**
 * Compares all counts with the rows, and corrects those that differ. Each list is compared and corrected in one statement, which sees the
 * rows, the counts and the changes of one moment, so that changes at the same time are no difference.
 * @returns the differences that it corrected; undefined if another process checks now
 */
export async function checkCounts(db: Database): Promise<CountDifference[] | undefined> {
  return await writeCounts(db, checks);
}

/** The same, unless any process has done so within the last day. A check that fails is due again. */
export async function checkCountsDaily(db: Database): Promise<CountDifference[] | undefined> {
  const claim = sql`update installation set counts_checked_at = now()
    where counts_checked_at <= now() - interval '1 day' returning id`;
  return await writeCounts(db, checks, claim);
}

const attempts = sql<CountDifference>`
  with actual as (
    select coalesce(block, -1) as block, kind, coalesce(subject_id, 0) as subject_id, status, passed, count(*) as count,
      min(started_at) as earliest, max(started_at) as latest
    from (
      select id >> 13 as block, kind, coalesce(exam_id, laboratory_id, 0) as subject_id, status, coalesce(passed, false) as passed, started_at
      from attempts
    ) as attempts
    group by grouping sets ((block, kind, status, passed), (kind, subject_id, status, passed))
  ), kept as (
    select block, kind, subject_id, status, passed, sum(count) as count, min(earliest) as earliest, max(latest) as latest from (
      select block, kind, subject_id, status, passed, count, earliest, latest from attempt_counts
      union all
      select level.block, kind, level.subject_id, status, passed, count, started_at, started_at from attempt_count_changes as changes
        cross join lateral (values (changes.block, 0), (-1, changes.subject_id)) as level (block, subject_id)
    ) as counts group by 1, 2, 3, 4, 5
  ), differing as (
    select block, kind, subject_id, status, passed, coalesce(actual.count, 0) - coalesce(kept.count, 0) as difference,
      coalesce(actual.earliest, kept.earliest) as earliest, coalesce(actual.latest, kept.latest) as latest
    from actual full join kept using (block, kind, subject_id, status, passed)
    where coalesce(actual.count, 0) <> coalesce(kept.count, 0) or actual.earliest < kept.earliest or actual.latest > kept.latest
  ), corrected as (
    insert into attempt_counts as kept select block, kind, subject_id, status, passed, difference, earliest, latest from differing
    on conflict (block, kind, subject_id, status, passed) do update set count = kept.count + excluded.count,
      earliest = least(kept.earliest, excluded.earliest), latest = greatest(kept.latest, excluded.latest)
  )
  select 'attempts' as list, concat_ws(' ', kind, nullif(subject_id, 0), status, case when passed then 'passed' end,
    'block ' || nullif(block, -1)) as what, difference::int from differing`;

const students = sql<CountDifference>`
  with actual as (
    select kind, subject_id, count(*) as count from (
      select distinct kind, coalesce(exam_id, laboratory_id) as subject_id, user_id from attempts where ${statusSql.isListed()}
    ) as students where subject_id is not null group by 1, 2
  ), kept as (
    select kind, subject_id, sum(count) as count from (
      select kind, subject_id, count from student_counts
      union all select kind, subject_id, students from attempt_count_changes where subject_id <> 0
    ) as counts group by 1, 2
  ), differing as (
    select kind, subject_id, coalesce(actual.count, 0) - coalesce(kept.count, 0) as difference
    from actual full join kept using (kind, subject_id)
    where coalesce(actual.count, 0) <> coalesce(kept.count, 0)
  ), corrected as (
    insert into student_counts as kept select kind, subject_id, difference from differing
    on conflict (kind, subject_id) do update set count = kept.count + excluded.count
  )
  select 'students' as list, concat_ws(' ', kind, subject_id) as what, difference::int from differing`;

const activity = sql<CountDifference>`
  with actual as (
    select coalesce(block, -1) as block, type, entity_type, count(*) as count
    from (select (id >> 13)::integer as block, type, coalesce(entity_type, '') as entity_type from activity_log) as entries
    group by grouping sets ((block, type, entity_type), (type, entity_type))
  ), kept as (
    select block, type, entity_type, sum(count) as count from (
      select block, type, entity_type, count from activity_counts
      union all
      select level.block, type, entity_type, count from activity_count_changes as changes
        cross join lateral (values (changes.block), (-1)) as level (block)
    ) as counts group by 1, 2, 3
  ), differing as (
    select block, type, entity_type, coalesce(actual.count, 0) - coalesce(kept.count, 0) as difference
    from actual full join kept using (block, type, entity_type)
    where coalesce(actual.count, 0) <> coalesce(kept.count, 0)
  ), corrected as (
    insert into activity_counts as kept select block, type, entity_type, difference from differing
    on conflict (block, type, entity_type) do update set count = kept.count + excluded.count
  )
  select 'activity' as list, concat_ws(' ', type, nullif(entity_type, ''), 'block ' || nullif(block, -1)) as what, difference::int
  from differing`;

const users = sql<CountDifference>`
  with actual as (
    select role, is_active, count(*) as count from users group by 1, 2
  ), kept as (
    select role, is_active, sum(count) as count from (
      select role, is_active, count from user_counts union all select role, is_active, count from user_count_changes
    ) as counts group by 1, 2
  ), differing as (
    select role, is_active, coalesce(actual.count, 0) - coalesce(kept.count, 0) as difference
    from actual full join kept using (role, is_active)
    where coalesce(actual.count, 0) <> coalesce(kept.count, 0)
  ), corrected as (
    insert into user_counts as kept select role, is_active, difference from differing
    on conflict (role, is_active) do update set count = kept.count + excluded.count
  )
  select 'users' as list, concat_ws(' ', case when is_active then 'active' else 'inactive' end, role) as what, difference::int
  from differing`;

const checks = [attempts, students, activity, users];
