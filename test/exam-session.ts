import assert from 'node:assert/strict';
import type { TestServer, TestUser } from './server.ts';

export const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();

/** A class with students. @returns its id */
export async function schoolClass(
  server: TestServer,
  teacher: TestUser,
  students: readonly TestUser[],
): Promise<number> {
  const { status, body, text } = await server.post('/api/classes', teacher.token, { name: 'Exam class' });
  assert.equal(status, 201, text);
  for (const { id: user_id } of students)
    assert.equal((await server.post(`/api/classes/${body.id}/members`, teacher.token, { user_id })).status, 201);
  return body.id;
}

/** A session that is open for an hour, except for what is given. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
export async function openSession(server: TestServer, teacher: TestUser, fields: object): Promise<any> {
  const times = { opens_at: minutes(-10), closes_at: minutes(60) };
  const { status, body, text } = await server.post('/api/exam-sessions', teacher.token, { ...times, ...fields });
  assert.equal(status, 201, text);
  return body;
}

let attempts = 0;

/** Writes an attempt of a session that runs, as its start leaves it. No container is involved. @returns its id */
export async function runAttempt(
  { application: { db } }: TestServer,
  user: TestUser,
  { id: session_id, exam_id }: { id: number; exam_id: number },
  {
    started = minutes(0),
    expires = minutes(30),
    limit = 30,
  }: { started?: string; expires?: string; limit?: number } = {},
): Promise<number> {
  attempts += 1;
  const name = `running-${attempts}`;
  const { id } = await db
    .insertInto('attempts')
    .values({
      ...{ kind: 'exam', assessment_id: exam_id, session_id, user_id: user.id, title: 'Trial', container_name: name },
      ...{ status: 'in_progress', started_at: new Date(started), expires_at: new Date(expires) },
      ...{ time_limit_minutes: limit, max_score: 3, passing_score: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const container = { name, user_id: user.id, kind: 'exam', image: 'none', attempt_id: id, status: 'failed' } as const;
  await db
    .insertInto('containers')
    .values({ ...container, expires_at: new Date(expires) })
    .execute();
  return id;
}
