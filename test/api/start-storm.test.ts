import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { until } from '../until.ts';

/** Many concurrent starts: each gets an attempt or a time to retry, and refused ones leave nothing. */
describeLong('a storm of starts', { skip: engineSkip }, () => {
  let server: TestServer;
  let docker: Docker;
  let exam: number;
  const users: TestUser[] = [];
  const limits = { CONTAINER_STARTS: '1', maxStartsWaiting: 4, maxStartWaitSeconds: 1 };

  before(async () => {
    server = await TestServer.start({ ...limits, CONTAINERS_MAX: '5', CONTAINER_MEMORY_MB: '64' });
    const engine = await testEngine();
    if (!('options' in engine)) throw new Error(engine.reason);
    docker = new Docker(engine.options);
    const admin = await server.user('admin');
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    for (let index = 0; index < 10; index += 1) users.push(await server.user());
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const rows = async (table: 'attempts' | 'containers') =>
    (await server.application.db.selectFrom(table).select('id').execute()).length;
  const onEngine = async () =>
    (await docker.listContainers({ all: true, filters: { name: [server.config.engine.namePrefix] } })).length;

  it('ends in 201 or 503 with Retry-After within the waiting time, and leaves nothing', async () => {
    const answers = await Promise.all(
      users.map(async (user) => {
        const begin = performance.now();
        const { status, headers } = await server.post(`/api/exams/${exam}/start`, user.token);
        return { status, retryAfter: Number(headers.get('retry-after')), milliseconds: performance.now() - begin };
      }),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    assert.ok(made >= 1 && made <= 5, `${made} of 10 with room for 5`);
    for (const { status, retryAfter, milliseconds } of answers) {
      assert.ok(status === 201 || (status === 503 && retryAfter > 0), `${status}, ${retryAfter}`);
      // A second in the queue, and the container, which a busy machine takes long to create.
      assert.ok(milliseconds < 30_000, `${milliseconds} ms`);
    }
    await until(async () => (await rows('containers')) === made && (await onEngine()) === made, 'one container each');
    assert.equal(await rows('attempts'), made, 'no attempt was used up by a refusal');
    // Refused users can retry: the finished ones have freed their places.
    for (const [index, { status }] of answers.entries()) {
      if (status === 201) await server.post(`/api/exams/${exam}/submit`, users[index]?.token);
    }
    const refused = users.find((_user, index) => answers[index]?.status === 503);
    await until(
      async () => (await server.post(`/api/exams/${exam}/start`, refused?.token)).status === 201,
      'a start that succeeds',
    );
  });
});
