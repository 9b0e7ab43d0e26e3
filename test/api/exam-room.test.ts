import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EventReader } from '../event-reader.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('the room of an exam session', { timeout: 600_000 }, () => {
  let server: TestServer;
  let teacher: TestUser;
  let first: TestUser;
  let second: TestUser;
  let classId: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  let session: any;
  let at: string;
  before(async () => {
    const limits = { examRoomSeconds: 1, maxExamRoomWatchers: 2 };
    server = await TestServer.start(limits, {}, 2);
    teacher = await server.user('instructor');
    [first, second] = [await server.user(), await server.user()];
    const exam_id = await makeAssessment(server, await server.user('admin'), 'exam', ['echo PASS']);
    classId = await schoolClass(server, teacher, [first, second]);
    session = await openSession(server, teacher, { exam_id, class_id: classId });
    at = `/api/exam-sessions/${session.id}`;
  });
  after(() => server?.[Symbol.asyncDispose]());

  const room = async () => (await server.get(`${at}/room`, teacher.token)).body;
  const open = (process = 0, token = teacher.token) =>
    EventReader.open(server, `${at}/room/events`, token, server.urls[process]);
  const change = async (of: TestUser, fields: object) => {
    const { db } = server.application;
    await db.updateTable('attempts').set(fields).where('user_id', '=', of.id).execute();
  };

  it('has each student with the newest attempt, and what to look at', async () => {
    const { session: shown, students } = await room();
    assert.deepEqual(
      [shown.id, shown.state, shown.is_paused, shown.exam_id],
      [session.id, 'open', false, session.exam_id],
    );
    const absent = {
      user_id: first.id,
      username: first.username,
      full_name: null,
      status: 'not_started',
      attempt_id: null,
    };
    const none = { started_at: null, expires_at: null, submitted_at: null, container_id: null, last_seen_at: null };
    const clock = { paused_at: null, break_ends_at: null };
    const rest = { attempts: 0, is_connected: false, time_factor: 1, is_locked: false, warnings: [] };
    const grade = { score: null, max_score: null, passed: null, is_awaiting_grading: false, last_input_at: null };
    const marks = { checked_at: null, marks_changed_at: null, task_marks: null };
    assert.deepEqual(students[0], { ...absent, ...none, ...clock, ...rest, ...grade, ...marks });
    assert.equal(students.length, 2);

    await server.put(`${at}/accommodations/${first.id}`, teacher.token, { time_factor: 1.5 });
    const attempt = await runAttempt(server, first, session);
    const { db } = server.application;
    await db
      .updateTable('containers')
      .set({ full_at: new Date(), replaced_at: new Date() })
      .where('attempt_id', '=', attempt)
      .execute();
    await change(first, { integrity: JSON.stringify(['/usr/bin/ls']) });
    const [row] = (await room()).students;
    assert.deepEqual([row.status, row.attempt_id, row.attempts, row.time_factor], ['in_progress', attempt, 1, 1.5]);
    assert.deepEqual(row.warnings, ['replaced', 'disk_full', 'integrity']);
    assert.ok(Date.parse(row.last_seen_at) && Date.parse(row.expires_at) > Date.now());
    const submitted_at = new Date(Date.now() + 60_000);
    await change(first, { status: 'finished', submitted_at, score: 1, passed: true });
    assert.equal((await room()).students[0].last_seen_at, submitted_at.toISOString());
  });

  it('is streamed by every process, with each change', async () => {
    await using one = await open(0);
    await using two = await open(1);
    const begin = await Promise.all([one.next(), two.next()]);
    for (const event of begin) {
      assert.deepEqual([event?.event, event?.data.students.length], ['room', 2]);
    }
    assert.deepEqual(begin[0]?.data, await room());
    const both = async (isFound: (data: { students: { user_id: number; status: string }[] }) => boolean) =>
      await Promise.all([one.until(isFound), two.until(isFound)]);
    const of = (user: TestUser, is: (student: never) => boolean) => (data: { students: { user_id: number }[] }) =>
      data.students.some((student) => student.user_id === user.id && is(student as never));

    await runAttempt(server, second, session);
    const [{ students }] = await both(of(second, ({ status }: { status: string }) => status === 'in_progress'));
    assert.deepEqual(
      students.map(({ user_id }: { user_id: number }) => user_id),
      [second.id],
      'only what has changed',
    );
    await server.post(`${at}/pause`, teacher.token);
    const paused = await both(of(second, ({ paused_at }: { paused_at: string | null }) => paused_at !== null));
    assert.ok(
      paused.every((data) => data.session?.is_paused),
      'the session is in the same event',
    );
    await server.post(`${at}/resume`, teacher.token);
    await both(of(second, ({ paused_at }: { paused_at: string | null }) => paused_at === null));
    await change(second, { status: 'finished', score: 1, passed: true, submitted_at: new Date() });
    await both(of(second, ({ score }: { score: number | null }) => score === 1));
    await server.put(at, teacher.token, { closes_at: minutes(90) });
    await one.until(({ session: changed }) => changed !== undefined && changed.closes_at > session.closes_at);

    const late = await server.user();
    await server.post(`/api/classes/${classId}/members`, (await server.user('admin')).token, { user_id: late.id });
    await two.until(of(late, () => true));
    await server.delete(`/api/classes/${classId}/members/${late.id}`, teacher.token);
    assert.deepEqual((await two.until(({ gone = [] }) => gone.length > 0)).gone, [late.id]);
  });

  it('is watched by a limited number, as long as they may see it', async () => {
    const assistant = await server.user();
    const admin = await server.user('admin');
    const member = { user_id: assistant.id, role: 'assistant' };
    assert.equal((await server.post(`/api/classes/${classId}/members`, admin.token, member)).status, 201);
    await using own = await open(0, assistant.token);
    await using other = await open();
    await Promise.all([own.next(), other.next()]);
    const headers = { authorization: `Bearer ${teacher.token}` };
    const refused = await fetch(`${server.urls[0]}${at}/room/events`, { headers });
    assert.deepEqual([refused.status, refused.headers.get('error-code')], [503, 'overloaded']);

    await server.delete(`/api/classes/${classId}/members/${assistant.id}`, admin.token);
    while (await own.next());
    assert.equal((await server.get(`${at}/room`, assistant.token)).status, 404);
    await using next = await open();
    assert.equal((await next.next())?.event, 'room', 'its place is free');
    await server.delete(`/api/admin/users/${teacher.id}`, admin.token);
    while (await other.next());
  });
});
