import assert from 'node:assert/strict';
import type { AttemptKind } from '../src/database/tables.ts';
import type { TestServer, TestUser } from './server.ts';
import { until } from './until.ts';

/** The image of the exams and laboratories in most tests. */
export const image = 'platform-exam-linux-basics';

/** The part of a path that names the kind. */
export const assessmentPaths = { exam: 'exams', laboratory: 'laboratories' } as const;

/**
 * Creates an exam or a laboratory with the given scripts. The points of each task are its position.
 * @param more fields of the exam or laboratory
 * @returns its id
 */
export async function makeAssessment(
  server: TestServer,
  admin: TestUser,
  kind: AttemptKind,
  scripts: readonly string[],
  more: object = {},
): Promise<number> {
  const create = async (path: string, sent: object): Promise<number> => {
    const { status, body, text } = await server.post(`/api/admin/${path}`, admin.token, sent);
    assert.equal(status, 201, text);
    return body.id;
  };
  const path = assessmentPaths[kind];
  const time = kind === 'exam' ? { time_limit_minutes: 30 } : {};
  const assessment = { title: 'Trial', description: 'A trial', container_image: image, passing_score: 1 };
  const id = await create(path, { ...assessment, ...time, ...more });
  for (const [index, verification_script] of scripts.entries()) {
    const task = { title: `Task ${index + 1}`, description: 'Do it', points: index + 1, verification_script };
    await create(`${path}/${id}/tasks`, kind === 'laboratory' ? { ...task, hint: 'Look' } : task);
  }
  return id;
}

/** The containers that wait for a start. */
export const warmContainers = ({ application: { db } }: TestServer) =>
  db.selectFrom('containers').selectAll().where('status', '=', 'warm').execute();

/** Resolves when `count` containers wait for a start. The first round of the reconciler creates them. */
export async function warmedUp(server: TestServer, count: number): Promise<void> {
  await until(async () => (await warmContainers(server)).length === count, 'the warm containers', 120_000);
}
