import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { isOnCluster } from '../cluster.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

describe('locked exam sessions', { skip: engineSkip }, () => {
  let room: Classroom;
  let student: TestUser;
  let at: string;
  let exam: number;
  before(async () => {
    room = await Classroom.open();
    student = await room.server.user();
    exam = await room.make('exam', ['echo PASS']);
    const class_id = await schoolClass(room.server, room.instructor, [student]);
    const session = await openSession(room.server, room.instructor, { exam_id: exam, class_id, is_locked_down: true });
    assert.equal(session.is_locked_down, true);
    at = `/api/exam-sessions/${session.id}`;
  });
  after(() => room?.[Symbol.asyncDispose]());

  const login = () =>
    room.server.post('/api/auth/login', undefined, { username: student.username, password: student.password });
  const status = async (token: string) => (await room.server.get('/api/auth/me', token)).status;
  const place = async () => (await room.server.get(`${at}/room`, room.instructor.token)).body.students[0];
  const end = async (token: string) => {
    assert.equal((await room.server.post(`/api/exams/${exam}/submit`, token)).status, 200);
  };

  // Long: the steps are those of one attempt.
  it('leave a student one login, which a supervisor can release', async () => {
    const { server, instructor, admin } = room;
    const other = (await login()).body.access_token;
    const unlock = (user_id: number, by = instructor) => server.post(`${at}/unlock`, by.token, { user_id });
    assert.equal((await unlock(student.id)).code, 'no_active_attempt');
    await room.start(student, 'exam', exam);
    await until(async () => (await status(other)) === 401, 'the end of the other login');
    const refused = await login();
    assert.deepEqual([refused.status, refused.code], [403, 'login_locked']);
    assert.ok((await place()).warnings.includes('login_refused'));
    assert.equal((await server.post('/api/auth/login', undefined, { ...student, password: 'wrong' })).status, 401);
    const renewed = (await server.post('/api/auth/refresh', student.token)).body.access_token;
    assert.deepEqual([await status(student.token), await status(renewed)], [200, 200]);
    assert.equal((await place()).is_locked, true);

    assert.equal((await unlock(student.id, student)).status, 403);
    assert.equal((await unlock(instructor.id)).status, 404);
    assert.equal((await unlock(student.id)).status, 200);
    assert.ok(!(await place()).warnings.includes('login_refused'));
    await until(async () => (await status(renewed)) === 401, 'the end of the former login');
    assert.equal((await place()).is_locked, false);
    const { access_token: second } = (await login()).body;
    assert.equal(await status(second), 200);
    assert.deepEqual([(await login()).code, (await place()).is_locked], ['login_locked', true]);
    const log = (await server.get(`/api/admin/activity?type=exam_session_unlock`, admin.token)).body;
    assert.deepEqual(
      log.map(({ user_id }: { user_id: number }) => user_id),
      [student.id],
    );

    await end(second);
    const after = (await login()).body.access_token;
    assert.deepEqual([await status(after), await status(second)], [200, 200]);
    student = { ...student, token: after };
  });

  it('cannot be entered by logins that refresh their tokens while the exam starts', async () => {
    const { server } = room;
    let hasStarted = false;
    const others = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await login()).body.access_token));
    const refreshing = others.map(async (first) => {
      let token = first;
      for (let isLast = false; !isLast; ) {
        isLast = hasStarted;
        const { status: answered, body } = await server.post('/api/auth/refresh', token);
        if (answered === 200) token = body.access_token;
      }
      return token;
    });
    await room.start(student, 'exam', exam);
    hasStarted = true;
    for (const token of await Promise.all(refreshing))
      await until(async () => (await status(token)) === 401, 'the end of the other login');
    assert.equal(await status(student.token), 200);
    await end(student.token);
  });

  // Long: the steps are those of one attempt.
  it('stop sandboxes, hold laboratories, and let neither be started', async () => {
    const { server } = room;
    const { token } = student;
    const [lab, otherLab] = [
      await room.make('laboratory', ['echo PASS']),
      await room.make('laboratory', ['echo PASS']),
    ];
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 0.5 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
    const { status: made, body: sandbox } = await server.post('/api/containers/create', token, {});
    assert.equal(made, 201, sandbox.code);
    const practice = await room.start(student, 'laboratory', lab);
    const address = `${server.url}/ws/terminal/${practice.container_id}?token=${token}`;
    const terminal = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    await room.start(student, 'exam', exam);
    const shown = async () => (await server.get(`/api/containers/${sandbox.id}`, token)).body;
    await until(async () => (await shown()).status === 'stopped', 'the stop of the sandbox');
    assert.equal((await shown()).stop_reason, 'exam');
    await terminal.message('notice', ({ reason }) => reason === 'held');
    const { engine } = server.application;
    const isFrozen = async () =>
      (await engine.list()).some((one) => one.isFrozen && one.name.endsWith(practice.container_name));
    if (!isOnCluster) await until(isFrozen, 'the processes to stand still');
    const refusals = [`containers/${sandbox.id}/start`, 'containers/create', `laboratories/${otherLab}/start`];
    for (const path of [...refusals, `laboratories/${lab}/check`]) {
      const { status: refused, code } = await server.post(`/api/${path}`, token, {});
      assert.deepEqual([refused, code], [409, 'exam_locked_down'], path);
    }
    if (!isOnCluster) assert.equal(await isFrozen(), true, 'a check lets nothing continue');
    await server.reconcile();
    assert.equal((await shown()).status, 'stopped');
    await end(token);
    await terminal.message('notice', ({ reason }) => reason === 'released');
    await until(async () => !(await isFrozen()), 'the processes to go on');
    terminal.type('echo $((40 + 2))\n');
    await terminal.shows('42');
    assert.equal((await server.post(`/api/containers/${sandbox.id}/start`, token)).body.status, 'running');
  });
});
