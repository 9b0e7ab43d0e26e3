import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import type { Page } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { seesAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { ListedRegradeSchema, Regrade } from './schema.ts';

export type RegradeFilter = { kind?: AttemptKind; assessmentId?: number | undefined; sessionId?: number | undefined };
export type ListedRegrade = Static<typeof ListedRegradeSchema>;

/** Of one answer: differences, and characters of each output, from its end. */
const maxShown = 1000;
const maxOutput = 4000;

/** Regrades as their readers see them. */
export class RegradeReadStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those that the caller sees, newest first. */
  async list(
    caller: Caller,
    { kind, assessmentId, sessionId }: RegradeFilter,
    { limit, offset }: Page,
  ): Promise<{ rows: ListedRegrade[]; total: number }> {
    const chosen = sql`from regrades where ${sees(caller)}
      ${kind === undefined || assessmentId === undefined ? sql`` : sql`and kind = ${kind} and assessment_id = ${assessmentId}`}
      ${sessionId === undefined ? sql`` : sql`and session_id = ${sessionId}`}`;
    const rows = await this.#rows(caller, sql`select * ${chosen} order by id desc limit ${limit} offset ${offset}`);
    const counted = await sql<{ total: number }>`select count(*)::int as total ${chosen}`.execute(this.#db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** The whole comparison. @throws NotFoundError for who does not see it */
  async shown(caller: Caller, id: number): Promise<Regrade> {
    const [row] = await this.#rows(caller, sql`select * from regrades where id = ${id} and ${sees(caller)}`);
    const regrade = found(row, 'Regrade');
    const skipped = await sql<Regrade['skipped'][number]>`
      select attempt_id, status as reason from regrade_attempts
      where regrade_id = ${id} and status in ('evidence_gone', 'failed') order by attempt_id limit ${maxShown}`.execute(
      this.#db,
    );
    const shortened = (column: string): RawBuilder<unknown> =>
      sql`jsonb_set(${sql.ref(column)}, '{output}', to_jsonb(right(${sql.ref(column)}->>'output', ${sql.lit(maxOutput)})))`;
    const differences = await sql<Regrade['differences'][number] & { needs_processes: boolean }>`
      select difference.attempt_id, difference.task_id, ${shortened('difference.before')} as before, ${shortened('difference.after')} as after,
        is_deterministic, needs_processes, is_applied, users.username, users.full_name, result.title, result.points
      from regrade_differences as difference join attempts on attempts.id = difference.attempt_id join users on users.id = attempts.user_id
      join task_results as result on result.attempt_id = difference.attempt_id and result.task_id = difference.task_id
      where regrade_id = ${id} order by needs_processes, difference.attempt_id, result.order_index, difference.task_id limit ${maxShown}`.execute(
      this.#db,
    );
    const [kept, changed] = [true, false].map((is) => differences.rows.filter((one) => one.needs_processes === is));
    return { ...regrade, skipped: skipped.rows, differences: changed ?? [], kept: kept ?? [] };
  }

  /** @param chosen regrades, with all columns */
  async #rows({ id, role }: Caller, chosen: RawBuilder<unknown>): Promise<ListedRegrade[]> {
    const { rows } = await sql<ListedRegrade>`
      select regrades.id, regrades.kind, regrades.assessment_id, regrades.session_id, revision, reason, regrades.status, requested_at, decided_at,
        ${shownName('requester')} as requested_by, ${shownName('decider')} as decided_by,
        (requested_by = ${id} or ${role === 'admin'}) is true as is_decider,
        attempts.total, attempts.done, attempts.skipped_count, attempts.title, changed.gain_count, changed.lose_count
      from (${chosen}) as regrades
      left join users as requester on requester.id = requested_by left join users as decider on decider.id = decided_by
      cross join lateral (
        select count(*)::int as total, (count(*) filter (where item.status <> 'waiting'))::int as done,
          (count(*) filter (where item.status in ('evidence_gone', 'failed')))::int as skipped_count, coalesce(max(attempts.title), '') as title
        from regrade_attempts as item join attempts on attempts.id = item.attempt_id where item.regrade_id = regrades.id) as attempts
      cross join lateral (
        select (count(*) filter (where points > 0))::int as gain_count, (count(*) filter (where points < 0))::int as lose_count
        from (select sum((after->>'points_earned')::numeric - (before->>'points_earned')::numeric) as points
          from regrade_differences where regrade_id = regrades.id and not needs_processes group by attempt_id) as each) as changed
      order by regrades.id desc`.execute(this.#db);
    return rows;
  }
}

/**
 * Whether a caller sees a regrade of the table `regrades`: who has requested it, administrators, who may grade all attempts of the exam or
 * laboratory, and who sees each attempt of it.
 */
function sees(caller: Caller): RawBuilder<boolean> {
  if (caller.role === 'admin') return sql`true`;
  return sql`(requested_by = ${caller.id}
    or exists (select from assessments left join sections on sections.id = assessments.section_id
      join course_staff as staff on staff.course_id = coalesce(sections.course_id, assessments.course_id)
      where assessments.kind = regrades.kind and assessments.id = regrades.assessment_id
        and staff.user_id = ${caller.id} and staff.role <> 'viewer')
    or not exists (select from regrade_attempts as item join attempts on attempts.id = item.attempt_id
      where item.regrade_id = regrades.id and (${seesAttempt(caller)}) is not true)
      and exists (select from regrade_attempts as item where item.regrade_id = regrades.id))`;
}
