import { type Kysely, sql } from 'kysely';

/**
 * The queue of starts: attempts that wait for a container. Processes are notified when a container releases its place. A container that is
 * being removed no longer blocks the next one of its attempt.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const states = `('queued', 'starting', 'in_progress', 'grading', 'finished', 'abandoned', 'expired')`;
const unsettled = `('queued', 'starting', 'in_progress', 'grading')`;

const statements = [
  // The existing rows are not checked: they satisfy the narrower constraint. So the table is not read under the lock.
  `alter table attempts add column asked_at timestamptz(3),
    drop constraint attempts_status_check,
    add constraint attempts_status_check check (status in ${states}) not valid,
    add constraint attempts_queued_check check (status <> 'queued' or asked_at is not null) not valid`,
  'drop index attempts_one_active_exam',
  'drop index attempts_one_active_laboratory',
  `create unique index attempts_one_active_exam on attempts (user_id) where kind = 'exam' and status in ${unsettled}`,
  `create unique index attempts_one_active_laboratory on attempts (user_id, laboratory_id)
    where kind = 'laboratory' and status in ${unsettled}`,
  `create index attempts_queued on attempts (id) where status = 'queued'`,
  'drop index containers_attempt',
  `create unique index containers_attempt on containers (attempt_id)
    where attempt_id is not null and status <> 'removing'`,
  `create trigger containers_deleted after delete on containers
    for each statement execute function notify_table_change('start_queue')`,
  `create trigger containers_released after update of status on containers for each row
    when (old.status <> new.status and new.status in ('stopped', 'warm'))
    execute function notify_table_change('start_queue')`,
];
