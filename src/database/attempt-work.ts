import { type RawBuilder, sql, type Transaction } from 'kysely';
import { statusSql } from './attempt-status.ts';
import { lostReason } from './exam-session-rules.ts';
import type { Tables } from './tables.ts';

/**
 * What belongs to an attempt besides its score and the points of its tasks: what the student wrote, did and was told. The files of
 * recordings and evidence are deleted by their sweeps, once no row names them.
 */
const details = [
  ...['task_answers', 'task_decisions', 'task_grades', 'attempt_comments', 'review_requests', 'attempt_endings'],
  ...['reopen_requests', 'regrade_attempts', 'attempt_evidence', 'attempt_signals', 'silent_looks', 'webhook_results'],
  ...['recordings', 'task_reports'],
];

/** Whether an attempt of the table `attempts` can still change: it has not ended, or waits for somebody. */
export const isOpen: RawBuilder<boolean> = sql<boolean>`(not ${statusSql.isOver('attempts')} or attempts.is_awaiting_grading
  or exists (select from review_requests as request where request.attempt_id = attempts.id and request.outcome is null)
  or exists (select from reopen_requests as request where request.attempt_id = attempts.id and request.declined_at is null)
  or exists (select from regrade_attempts as item join regrades on regrades.id = item.regrade_id
    where item.attempt_id = attempts.id and regrades.status in ('running', 'ready')))`;

/** Deletes what is behind the results of these attempts, which are locked. Their points stay. */
export async function removeWork(trx: Transaction<Tables>, ids: readonly number[]): Promise<void> {
  for (const table of details)
    await sql`delete from ${sql.table(table)} where attempt_id = any(${ids}::int[])`.execute(trx);
  await sql`update task_results set output = '', remark = null, remark_codes = null where attempt_id = any(${ids}::int[])`.execute(
    trx,
  );
  // Whether an attempt counts depends on the loss of its container.
  await sql`update attempts set work_removed_at = now(), integrity = null, grading_error = case when grading_error = ${lostReason} then grading_error end,
      grading_error_code = case when grading_error = ${lostReason} then grading_error_code end
    where id = any(${ids}::int[])`.execute(trx);
}
