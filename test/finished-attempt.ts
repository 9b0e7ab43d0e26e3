import { sql } from 'kysely';
import type { AttemptKind } from '../src/database/tables.ts';
import type { TestServer, TestUser } from './server.ts';

let count = 0;

/**
 * Writes a submitted attempt as the service leaves it in the database, with its entries in the activity log. No container is involved.
 * @param passed for each task of the exam or laboratory, in their order
 * @returns its id
 */
export async function finishAttempt(
  { application: { db } }: TestServer,
  user: TestUser,
  kind: AttemptKind,
  assessmentId: number,
  passed: readonly boolean[],
): Promise<number> {
  const { title, passing_score } = await db
    .selectFrom('assessments')
    .select(['title', 'passing_score'])
    .where('kind', '=', kind)
    .where('id', '=', assessmentId)
    .executeTakeFirstOrThrow();
  const { rows: tasks } = await sql<{ id: number; title: string; points: number }>`
    select id, title, points from assessment_tasks where assessment_kind = ${kind} and assessment_id = ${assessmentId} order by order_index, id`.execute(
    db,
  );
  const points = (some: typeof tasks): number => some.reduce((sum, task) => sum + task.points, 0);
  const score = points(tasks.filter((_, index) => passed[index]));
  count += 1;
  const now = new Date();
  const { id } = await db
    .insertInto('attempts')
    .values({
      kind,
      assessment_id: assessmentId,
      user_id: user.id,
      title,
      container_name: `finished-${count}`,
      status: 'finished',
      started_at: new Date(now.getTime() - 60_000),
      expires_at: new Date(now.getTime() + 60_000),
      submitted_at: now,
      score,
      max_score: points(tasks),
      passing_score,
      passed: score >= passing_score,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const results = tasks.map((task, index) => ({
    attempt_id: id,
    task_id: task.id,
    title: task.title,
    order_index: index,
    points: task.points,
    points_earned: passed[index] ? task.points : 0,
    passed: passed[index] ?? false,
    output: passed[index] ? 'PASS' : 'FAIL',
  }));
  await db.insertInto('task_results').values(results).execute();
  const entry = { user_id: user.id, actor_id: user.id, title, entity_type: kind, entity_id: assessmentId };
  const types = [`${kind}_start`, `${kind}_submit`];
  await db
    .insertInto('activity_log')
    .values(types.map((type) => ({ ...entry, type })))
    .execute();
  return id;
}
