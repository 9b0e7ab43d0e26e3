import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { SignalStore } from '../../src/features/signals/store.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

describe('signals about attempts', { skip: engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let [admin, teacher, stranger]: TestUser[] = [];
  let exam: number;

  before(async () => {
    server = await TestServer.start({ TRUST_PROXY: 'true', INSTRUCTOR_SCOPE: 'classes' });
    [admin, teacher, stranger] = [
      await server.user('admin'),
      await server.user('instructor'),
      await server.user('instructor'),
    ];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Shell' });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const as = (user: TestUser | undefined): TestUser => user ?? assert.fail('no such user');
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  async function refused(answer: ReturnType<TestServer['post']>, status: number): Promise<void> {
    const given = await answer;
    assert.equal(given.status, status, given.text);
  }
  const db = () => server.application.db;
  const planned = async (students: TestUser[], fields: object) => {
    const class_id = await schoolClass(server, as(teacher), []);
    for (const { id } of students)
      await good(server.post(`/api/classes/${class_id}/members`, as(admin).token, { user_id: id }));
    return await openSession(server, as(teacher), { exam_id: exam, class_id, results_visible: 'at_end', ...fields });
  };
  /** Starts an attempt, and types in a terminal of it. */
  async function work({ token }: TestUser, session_id: number, pieces: string[], networks: string[]): Promise<number> {
    const started = await good(server.post(`/api/exams/${exam}/start`, token, { session_id }));
    for (const [index, network] of networks.entries()) {
      const client = await new TerminalClient(`${server.url}/ws/terminal/${started.container_id}?token=${token}`, {
        protocol: 'terminal.v1',
        headers: { 'x-forwarded-for': network },
      }).ready();
      for (const piece of index === 0 ? pieces : []) client.type(piece);
      client.type('exit\r');
      await client.closed;
    }
    await good(server.post(`/api/exams/${exam}/submit`, token));
    return started.attempt_id;
  }
  const commands = Array.from({ length: 25 }, (_, index) => `echo step ${index}\r`);

  // Long: two students work alike and one pastes, everybody reads what concerns them.
  it('count pastes, networks, the first key and commands that are alike, and say so to those concerned', async () => {
    const students = [await server.user(), await server.user()];
    const [one, other] = students;
    const session = await planned(students, { has_signals: true });
    assert.equal((await good(server.get(`/api/exam-sessions/${session.id}`, as(one).token))).has_signals, true);
    const pasted = `: ${'x'.repeat(150)}\r`;
    const first = await work(as(one), session.id, commands, ['192.0.2.1']);
    const second = await work(as(other), session.id, [...commands, pasted], ['192.0.2.7', '198.51.100.9']);
    const read = () => good(server.get(`/api/exam-sessions/${session.id}/signals`, as(teacher).token));
    await until(
      async () => (await read()).filter(({ commands: count }: { commands: number }) => count > 20).length === 2,
      'the signals',
    );
    const [newer, older] = await read();
    assert.deepEqual(
      [newer, older].map((row) => [row.attempt_id, row.username, row.pastes, row.longest_paste, row.networks]),
      [
        [second, as(other).username, 1, pasted.length, 2],
        [first, as(one).username, 0, 0, 1],
      ],
    );
    assert.ok(
      older.commands === 26 && older.first_key_seconds > 0 && older.first_key_seconds < 300,
      JSON.stringify(older),
    );
    assert.deepEqual([newer.alike[0].attempt_id, older.alike[0].attempt_id], [first, second]);
    assert.ok(newer.alike[0].percent > 70, `${newer.alike[0].percent}`);
    // Nothing of the input is kept.
    const { rows } = await sql<{ text: string }>`select attempt_signals::text as text from attempt_signals`.execute(
      db(),
    );
    assert.ok(rows.every(({ text }) => !/echo|step|192\.0\.2/.test(text)));

    const staff = await good(server.get(`/api/instructor/attempts/${second}/signals`, as(teacher).token));
    const own = await good(server.get(`/api/exams/attempts/${second}/signals`, as(other).token));
    assert.deepEqual(own, staff);
    const { alike: _alike, user_id: _id, username: _name, full_name: _full, ...shown } = newer;
    assert.deepEqual(staff, { ...shown, has_signals: true });
    await refused(server.get(`/api/exams/attempts/${second}/signals`, as(one).token), 404);
    await refused(server.get(`/api/exam-sessions/${session.id}/signals`, as(one).token), 403);
    await refused(server.get(`/api/exam-sessions/${session.id}/signals`, as(stranger).token), 404);
    await refused(server.get(`/api/instructor/attempts/${second}/signals`, as(stranger).token), 404);
    const results = await good(server.get(`/api/exams/attempts/${second}/results`, as(other).token));
    assert.equal(results.passed, true);
  });

  it('are off by default: nothing is counted', async () => {
    const student = await server.user();
    const session = await planned([student], {});
    assert.equal(session.has_signals, false);
    const attempt = await work(student, session.id, commands.slice(0, 3), ['192.0.2.1']);
    const { has_signals, commands: counted } = await good(
      server.get(`/api/exams/attempts/${attempt}/signals`, student.token),
    );
    assert.deepEqual([has_signals, counted], [false, 0]);
    const kept = db().selectFrom('attempt_signals').select('attempt_id').where('attempt_id', '=', attempt);
    assert.equal(await kept.executeTakeFirst(), undefined);
    assert.deepEqual(await good(server.get(`/api/exam-sessions/${session.id}/signals`, as(teacher).token)), []);
  });

  it('are shown to the student with the results, and deleted with recordings and attempts', async () => {
    const student = await server.user();
    const session = await planned([student], { has_signals: true, results_visible: 'never' });
    const [old, young] = [
      await finishAttempt(server, student, 'exam', exam, [true]),
      await finishAttempt(server, student, 'exam', exam, [true]),
    ];
    await db().updateTable('attempts').set({ session_id: session.id }).where('id', 'in', [old, young]).execute();
    await refused(server.get(`/api/exams/attempts/${old}/signals`, student.token), 404);
    const values = [old, young].map((attempt_id) => ({ attempt_id, pastes: 1 }));
    await db().insertInto('attempt_signals').values(values).execute();
    const weekAgo = new Date(Date.now() - 8 * 86_400_000);
    await db().updateTable('attempts').set({ submitted_at: weekAgo }).where('id', '=', old).execute();
    await new SignalStore(db(), String).deleteOlderThan(7);
    const left = () =>
      db().selectFrom('attempt_signals').select('attempt_id').where('attempt_id', 'in', [old, young]).execute();
    assert.deepEqual(await left(), [{ attempt_id: young }]);
    await db().deleteFrom('attempts').where('id', '=', young).execute();
    assert.deepEqual(await left(), []);
  });
});
