import { type Kysely, sql } from 'kysely';

/** Those who are added to an exam session as supervisors are notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications drop constraint notifications_kind_check,
    add constraint notifications_kind_check
      check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision'))`.execute(db);
}
