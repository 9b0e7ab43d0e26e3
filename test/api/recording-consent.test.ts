import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeAssessment } from '../made-assessment.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const path = '/api/profile/recording-consent';

describe('the consent to recordings', { skip: engineSkip }, () => {
  let server: TestServer;
  let admin: TestUser;
  let instructor: TestUser;
  let exam: number;
  before(async () => {
    server = await TestServer.start();
    [admin, instructor] = [await server.user('admin'), await server.user('instructor')];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const ask = (has_recording_consent: boolean) => server.put('/api/admin/site', admin.token, { has_recording_consent });
  const decide = (user: TestUser, is_given: boolean) => server.put(path, user.token, { is_given });

  /** An attempt in which a shell was opened. A client that knows nothing of consents starts it. */
  async function attemptOf(user: TestUser): Promise<{ id: number; openShell: () => Promise<void> }> {
    const started = await server.post(`/api/exams/${exam}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const { attempt_id: id, container_id } = started.body;
    const openShell = async (): Promise<void> => {
      const address = `${server.url}/ws/terminal/${container_id}?token=${user.token}`;
      const client = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
      client.type('exit\n');
      await client.closed;
    };
    await openShell();
    return { id, openShell };
  }
  const seen = async (id: number) => {
    const { body } = await server.get(`/api/instructor/attempts/${id}`, instructor.token);
    const recordings = await server.get(`/api/instructor/attempts/${id}/recordings`, instructor.token);
    assert.equal(recordings.status, 200, recordings.text);
    return { isUnrecorded: body.has_unrecorded_terminals, count: recordings.body.length };
  };
  const expectSeen = (id: number, expected: { isUnrecorded: boolean; count: number }) =>
    until(async () => JSON.stringify(await seen(id)) === JSON.stringify(expected), JSON.stringify(expected));

  it('is asked for nobody by default, and everybody is recorded', async () => {
    const user = await server.user();
    const { body } = await server.get(path, user.token);
    assert.deepEqual(body, { is_required: false, version: 1, recording_days: 30, is_given: null, decided_at: null });
    const { id } = await attemptOf(user);
    await expectSeen(id, { isUnrecorded: false, count: 1 });
  });

  it('decides where it is asked for: without it the exam runs unrecorded, which staff see', async () => {
    assert.equal((await ask(true)).body.has_recording_consent, true);
    const [silent, declining, agreeing] = [await server.user(), await server.user(), await server.user()];
    const declined = await decide(declining, false);
    assert.deepEqual([declined.status, declined.body.is_required, declined.body.is_given], [200, true, false]);
    assert.notEqual(declined.body.decided_at, null);
    assert.equal((await decide(agreeing, true)).body.is_given, true);
    for (const user of [silent, declining]) {
      const { id } = await attemptOf(user);
      await expectSeen(id, { isUnrecorded: true, count: 0 });
      const own = await server.get('/api/exams/attempts/active', user.token);
      assert.ok(!own.text.includes('has_unrecorded_terminals'));
    }
    const { id, openShell } = await attemptOf(agreeing);
    await expectSeen(id, { isUnrecorded: false, count: 1 });
    // Withdrawn: shells from then on are not recorded.
    await decide(agreeing, false);
    await openShell();
    await expectSeen(id, { isUnrecorded: true, count: 1 });
    const { body } = await server.get('/api/admin/activity?type=recording_consent', admin.token);
    assert.deepEqual(
      body
        .filter((one: { user_id: number }) => one.user_id === agreeing.id)
        .map((one: { details: object }) => one.details),
      [
        { is_given: false, version: 1 },
        { is_given: true, version: 1 },
      ],
    );
    assert.equal((await server.put(path, agreeing.token, {})).status, 422);
  });
});
