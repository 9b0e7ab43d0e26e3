/**
 * The service in a separate process, for load from outside. Prints as JSON its address, a user's token and account, an administrator's token, and
 * the tokens of 20 users.
 */
import { TestServer } from '../test/server.ts';

const server = await TestServer.start({
  REQUESTS_PER_MINUTE: '100000000',
  BCRYPT_COST: '12',
  LOG_LEVEL: 'info',
  PEOPLE_PER_ADDRESS: '100000',
  loginFailuresPerAccount: 100_000,
});
/** A user of each connection: a user has one whole list at a time. */
const connections = 20;
const { db } = server.application;
for (let exam = 1; exam <= 2; exam += 1) {
  const { id } = await db
    .insertInto('assessments')
    .values({
      kind: 'exam',
      title: `Exam ${exam}`,
      description: 'What it tests. '.repeat(20),
      container_image: 'x',
      time_limit_minutes: 60,
      passing_score: 70,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let task = 1; task <= 8; task += 1) {
    const fields = { title: `Task ${task}`, description: 'What to do. '.repeat(30), points: 10, order_index: task };
    await db
      .insertInto('assessment_tasks')
      .values({ assessment_kind: 'exam', ...fields, assessment_id: id, verification_script: 'echo PASS\n'.repeat(50) })
      .execute();
  }
}
const user = await server.user();
const { token: adminToken } = await server.user('admin');
const others = await Promise.all(Array.from({ length: connections - 1 }, () => server.user()));
const tokens = [user, ...others].map(({ token }) => token);
process.stdout.write(`${JSON.stringify({ url: server.url, ...user, adminToken, tokens })}\n`);
process.on('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.exit(0)));
