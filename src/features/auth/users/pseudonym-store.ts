import { sql, type Transaction } from 'kysely';
import { statusSql } from '../../../database/attempt-status.ts';
import { removeWork } from '../../../database/attempt-work.ts';
import type { Tables } from '../../../database/tables.ts';

/**
 * Before the deletion of a user, where the settings demand it: attempts that have ended, with the points of their tasks, grades, and the places
 * in classes are given to a new user without a name, so that grade books and statistics stay true. All else goes with the user.
 */
export async function keepResults(trx: Transaction<Tables>, userId: number): Promise<void> {
  const isKept = sql`attempts.user_id = ${userId} and ${statusSql.isOver('attempts')} and not is_awaiting_grading`;
  const { rows } = await sql<{ id: number }>`
    insert into users (username, email, password_hash, is_active, is_pseudonym)
    select name, name, '', false, true from (select 'pseudonym ' || substr(md5(gen_random_uuid()::text), 1, 12) as name) as new
    where exists (select from site where has_kept_results)
      and (exists (select from attempts where ${isKept}) or exists (select from grade_values where user_id = ${userId}))
    returning id`.execute(trx);
  const pseudonym = rows[0]?.id;
  if (pseudonym === undefined) return;
  await sql`insert into class_members (class_id, user_id, role, joined_at)
    select class_id, ${pseudonym}::int, role, joined_at from class_members where user_id = ${userId} and role = 'student'`.execute(
    trx,
  );
  // Later deadlines decide what an attempt counts.
  for (const table of ['grade_values', 'deadline_extensions'])
    await sql`update ${sql.table(table)} set user_id = ${pseudonym} where user_id = ${userId}`.execute(trx);
  // Its holder, who has the address of a certificate, must not lead to the pseudonym.
  await sql`update certificates set attempt_id = null, user_id = null where user_id = ${userId}`.execute(trx);
  const given = await sql<{
    id: number;
  }>`update attempts set user_id = ${pseudonym}, container_name = 'pseudonym-' || id
    where ${isKept} returning id`.execute(trx);
  await removeWork(
    trx,
    given.rows.map(({ id }) => id),
  );
}
