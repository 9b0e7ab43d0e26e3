import { type Kysely, sql } from 'kysely';

/** The notification of a user who was made a supervisor of an exam session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications drop constraint notifications_kind_check,
    add constraint notifications_kind_check
      check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision'))`.execute(db);
}
