import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { isOnCluster } from '../cluster.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

describe('starts in exam sessions', { skip: engineSkip }, () => {
  let room: Classroom;
  let student: TestUser;
  let exam: number;
  let classId: number;
  before(async () => {
    room = await Classroom.open();
    student = await room.server.user();
    exam = await room.make('exam', ['echo canary; echo PASS']);
    classId = await schoolClass(room.server, room.instructor, [student]);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const start = (json: object = {}) => room.server.post(`/api/exams/${exam}/start`, student.token, json);

  // Long: one container serves all steps of an attempt.
  it('make one attempt from concurrent starts, which ends with the session and shows what it shows', async () => {
    const { server, instructor } = room;
    const fields = {
      exam_id: exam,
      class_id: classId,
      max_attempts: 1,
      access_code: 'room',
      results_visible: 'when_released',
    };
    await openSession(server, instructor, { ...fields, closes_at: minutes(90) });
    const session = await openSession(server, instructor, { ...fields, closes_at: minutes(20) });
    const at = `/api/exam-sessions/${session.id}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => start({ access_code: 'room' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    const started = answers.find(({ status }) => status === 201)?.body;
    assert.deepEqual([started.session_id, started.expires_at], [session.id, session.closes_at], 'the close is earlier');
    const active = async () => (await server.get('/api/exams/attempts/active', student.token)).body;
    assert.equal((await active()).session_id, session.id);

    await server.put(`${at}/accommodations/${student.id}`, instructor.token, {
      closes_at: minutes(120),
      time_factor: 1.5,
    });
    const deadline = Date.parse(started.started_at) + 45 * 60_000;
    assert.equal(Date.parse((await active()).expires_at), deadline);
    const container = await server.get(`/api/containers/${started.container_id}`, student.token);
    assert.equal(Date.parse(container.body.expires_at), deadline);
    const address = `${server.url}/ws/terminal/${started.container_id}?token=${student.token}`;
    const terminal = new TerminalClient(address, { protocol: 'terminal.v1' });
    await terminal.message('ready');
    const place = async () => (await server.get(`${at}/room`, instructor.token)).body.students[0];
    const { status: state, container_id, attempt_id, attempts, is_connected } = await place();
    assert.deepEqual(
      [state, container_id, attempt_id, attempts, is_connected],
      ['in_progress', started.container_id, started.attempt_id, 1, true],
    );
    await server.post(`${at}/message`, instructor.token, { text: 'Ten minutes left' });
    const notice = await terminal.message('notice', ({ reason }) => reason === 'message');
    assert.deepEqual([notice['text'], notice['seconds_left']], ['Ten minutes left', null]);
    await server.post(`${at}/pause`, instructor.token);
    await terminal.message('notice', ({ reason }) => reason === 'held');
    const isFrozen = async () => (await server.application.engine.list())[0]?.isFrozen ?? false;
    if (!isOnCluster) await until(isFrozen, 'the processes to stand still');
    terminal.type('echo $((40 + 2))\n');
    await server.reconcile();
    assert.equal((await new TerminalClient(address, { protocol: 'terminal.v1' }).closed).code, 1013);
    assert.ok(!terminal.output.toString().includes('42'), 'input is kept');
    await server.post(`${at}/resume`, instructor.token);
    await terminal.message('notice', ({ reason }) => reason === 'released');
    await terminal.shows('42');
    const moved = Date.parse((await active()).expires_at);
    assert.ok(moved > deadline && moved < deadline + 60_000);

    const breaks = (break_minutes: number | null) =>
      server.put(`${at}/accommodations/${student.id}`, instructor.token, { break_minutes });
    await breaks(5);
    const onBreak = await server.post(`/api/exams/attempts/${started.attempt_id}/break`, student.token);
    assert.equal(onBreak.status, 200, onBreak.text);
    if (!isOnCluster) await until(isFrozen, 'the processes to stand still during a break');
    terminal.type('echo $((50 + 3))\n');
    // No request ends the break: its job does.
    await breaks(null);
    await terminal.shows('53');
    assert.equal((await active()).break_ends_at, null);

    terminal.socket.close();
    await until(async () => !(await place()).is_connected, 'the end of the connection');
    await server.post(`${at}/pause`, instructor.token);
    if (!isOnCluster) await until(isFrozen, 'the processes to stand still');
    const submitted = await server.post(`/api/exams/${exam}/submit`, student.token);
    assert.equal(submitted.status, 200, submitted.text);
    const { score, passed, results, status } = submitted.body;
    assert.deepEqual([score, passed, results, status], [null, null, [], 'finished']);
    const [listed] = (await server.get('/api/exams/attempts', student.token)).body;
    assert.deepEqual([listed.score, listed.passed, listed.session_id], [null, null, session.id]);
    await server.post(`${at}/resume`, instructor.token);
    assert.equal((await start({ session_id: session.id, access_code: 'room' })).code, 'no_attempts_left');
    await server.post(`${at}/release`, instructor.token);
    assert.equal((await server.get(`/api/exams/attempts/${started.attempt_id}/results`, student.token)).body.score, 1);
  });

  it('wait in the queue, use up one attempt, and end when an instructor ends the session', async () => {
    const { server, instructor } = room;
    const other = await room.make('exam', ['echo PASS']);
    const session = await openSession(server, instructor, { exam_id: other, class_id: classId, max_attempts: 1 });
    const path = `/api/exams/${other}/start`;
    const headers = { prefer: 'respond-async' };
    const answer = await server.request('POST', path, { token: student.token, json: {}, headers });
    assert.ok(answer.status === 201 || answer.status === 202, answer.text);
    const active = async () => (await server.get('/api/exams/attempts/active', student.token)).body;
    await until(async () => (await active()).status === 'in_progress', 'the start');
    const { id, session_id } = await active();
    assert.equal(session_id, session.id);
    assert.equal((await server.post(`/api/exam-sessions/${session.id}/end`, instructor.token)).status, 200);
    const results = async () => (await server.get(`/api/exams/attempts/${id}/results`, student.token)).body;
    await until(async () => (await results()).status === 'expired', 'the grading');
    assert.deepEqual([(await results()).score, (await results()).passed], [1, true]);
    assert.equal((await server.post(path, student.token)).code, 'closed');
  });

  itLong('do not keep the service from ending while their containers are frozen', { skip: isOnCluster }, async () => {
    const other = await Classroom.open();
    const { server, instructor } = other;
    const user = await server.user();
    const exam_id = await other.make('exam', ['echo PASS']);
    const class_id = await schoolClass(server, instructor, [user]);
    const session = await openSession(server, instructor, { exam_id, class_id });
    const { container_id } = await other.start(user, 'exam', exam_id);
    const address = `${server.url}/ws/terminal/${container_id}?token=${user.token}`;
    const terminal = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    await server.post(`/api/exam-sessions/${session.id}/pause`, instructor.token);
    const isFrozen = async () => (await server.application.engine.list())[0]?.isFrozen ?? false;
    await until(isFrozen, 'the processes to stand still');
    terminal.type('echo kept');
    await other[Symbol.asyncDispose]();
    assert.equal((await terminal.closed).code, 1001);
  });
});
