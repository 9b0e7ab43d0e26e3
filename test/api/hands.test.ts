import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EventReader } from '../event-reader.ts';
import { openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('raised hands', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  /** Owns the course; teaches the class that has it; teaches another class of the student; has nothing to do with either. */
  let [owner, teacher, other, stranger]: TestUser[] = [];
  let [course, theme, laboratory, classId, otherClass]: number[] = [];

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    admin = await server.user('admin');
    [owner, teacher, other, stranger] = await Promise.all([1, 2, 3, 4].map(() => server.user('instructor')));
    course = await made('/api/teaching/courses', owner, { name: 'Shell' });
    const section = await made(`/api/teaching/courses/${course}/sections`, owner, { name: 'One' });
    theme = await made(`/api/teaching/courses/${course}/themes`, owner, {
      ...{ title: 'Pipes', section_id: section, markdown_file_path: 'a.md' },
    });
    laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id: section });
    classId = await schoolClass(server, as(teacher), []);
    await good(server.put(`/api/classes/${classId}`, as(teacher).token, { course_ids: [course] }));
    otherClass = await schoolClass(server, as(other), []);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const as = (user: TestUser | undefined): TestUser => user ?? admin;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  const made = async (path: string, user: TestUser | undefined, json: object): Promise<number> =>
    (await good(server.post(path, as(user).token, json))).id;

  /** A student of both classes. */
  async function pupil(): Promise<TestUser> {
    const user = await server.user();
    for (const id of [classId, otherClass])
      await good(server.post(`/api/classes/${id}/members`, admin.token, { user_id: user.id }));
    return user;
  }
  let machines = 0;
  /** A machine in the database alone: nothing here opens a terminal. */
  async function sandboxOf({ id: user_id }: TestUser): Promise<number> {
    machines += 1;
    const values = { name: `hand-${machines}`, user_id, kind: 'sandbox', image: 'none', status: 'running' } as const;
    const row = server.application.db.insertInto('containers').values({ ...values, engine_ref: values.name });
    return (await row.returning('id').executeTakeFirstOrThrow()).id;
  }
  async function practiceOf({ id: user_id }: TestUser): Promise<{ attempt: number; container: number }> {
    machines += 1;
    const name = `practice-${machines}`;
    const { db } = server.application;
    const attempt = await db
      .insertInto('attempts')
      .values({
        ...{ kind: 'laboratory', assessment_id: laboratory ?? 0, user_id, title: 'Practice', container_name: name },
        ...{ status: 'in_progress', max_score: 1, passing_score: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const values = { name, user_id, kind: 'laboratory', image: 'none', attempt_id: attempt.id } as const;
    const container = await db
      .insertInto('containers')
      .values({ ...values, status: 'running', engine_ref: name })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { attempt: attempt.id, container: container.id };
  }
  const finish = (attempt: number) =>
    server.application.db
      .updateTable('attempts')
      .set({ status: 'finished', submitted_at: new Date(), score: 0, passed: false })
      .where('id', '=', attempt)
      .execute();
  const raise = (user: TestUser, container_id: number, more: object = {}) =>
    server.post('/api/hands', user.token, { container_id, ...more });
  const own = async (user: TestUser, machine: number) =>
    await good(server.get(`/api/hands?container_id=${machine}`, user.token));
  const take = (user: TestUser | undefined, id: number) =>
    server.post(`/api/instructor/hands/${id}/take`, as(user).token);
  const answer = (user: TestUser | undefined, id: number, text = 'Look at line 3') =>
    server.post(`/api/hands/${id}/close`, as(user).token, { text });
  const close = (user: TestUser | undefined, id: number) => server.post(`/api/hands/${id}/close`, as(user).token);
  /** Who finds a hand in the queue. */
  async function seers(id: number): Promise<(TestUser | undefined)[]> {
    const all = [owner, teacher, other, stranger, admin];
    const queues = await Promise.all(all.map((one) => server.get(`/api/instructor/hands`, as(one).token)));
    return all.filter((_, index) => queues[index]?.body.some((hand: { id: number }) => hand.id === id));
  }

  // Long: the life of one hand.
  it('are taken and answered, and their student follows it', async () => {
    const student = await pupil();
    const { container } = await practiceOf(student);
    assert.deepEqual(await own(student, container), { is_allowed: true, hand: null });
    await using notified = await EventReader.open(server, '/api/notifications/events', as(teacher).token);
    const { id, ...first } = await good(raise(student, container, { text: 'The pipe hangs' }));
    assert.deepEqual([first.title, first.text, first.ahead, first.taken_by], ['Practice', 'The pipe hangs', 0, null]);
    const news = await notified.until((list) => list.some(({ kind }: { kind: string }) => kind === 'hand'));
    assert.equal(news.at(0).title, student.username);
    assert.equal((await good(raise(student, container, { text: 'Still' }))).id, id, 'it keeps its turn');
    assert.deepEqual(await seers(id), [owner, teacher, admin]);
    const [queued] = (await server.get('/api/instructor/hands', as(teacher).token)).body;
    assert.deepEqual(
      [queued.username, queued.class_name, queued.kind, queued.container_id, queued.is_watchable, queued.text],
      [student.username, 'Exam class', 'laboratory', container, true, 'Still'],
    );
    const [forOwner] = (await server.get('/api/instructor/hands', as(owner).token)).body;
    assert.equal(forOwner.is_watchable, false, 'the staff of a course see no more terminals for it');

    assert.equal((await good(take(teacher, id))).taken_by, as(teacher).username);
    assert.equal((await good(take(teacher, id))).taken_by, as(teacher).username, 'twice is once');
    const refused = await take(owner, id);
    assert.deepEqual([refused.status, refused.code], [409, 'hand_taken']);
    assert.equal((await own(student, container)).hand.taken_by, as(teacher).username);
    const [coming] = (await server.get('/api/notifications', student.token)).body;
    assert.deepEqual([coming.kind, coming.title], ['help', as(teacher).username]);
    await good(answer(owner, id));
    assert.deepEqual(await seers(id), []);
    assert.equal((await own(student, container)).hand.answer, 'Look at line 3');
    assert.equal((await server.get('/api/notifications', as(teacher).token)).body.length, 0);
    for (const again of [take, answer, close]) assert.equal((await again(teacher, id)).status, 404);
    assert.notEqual((await good(raise(student, container))).id, id);
    const mine = (await own(student, container)).hand.id;
    await good(close(student, mine));
    assert.equal((await own(student, container)).hand, null);
  });

  it('are for the staff of the class that has the course, and of the course', async () => {
    const [student, classmate] = [await pupil(), await pupil()];
    const machine = await sandboxOf(student);
    const { id } = await good(raise(student, machine, { theme_id: theme, text: 'Lesson' }));
    assert.deepEqual(await seers(id), [owner, teacher, admin]);
    for (const user of [other, stranger]) {
      assert.equal((await take(user, id)).status, 404);
      assert.equal((await answer(user, id)).status, 404);
      assert.equal((await close(user, id)).status, 404);
    }
    for (const user of [student, classmate]) assert.equal((await take(user, id)).status, 403);
    assert.equal((await close(classmate, id)).status, 404);
    assert.equal((await server.get(`/api/hands?container_id=${machine}`, classmate.token)).status, 404);
    assert.equal((await raise(classmate, machine)).status, 404);
    const viewer = await server.user('instructor');
    const staff = `/api/teaching/courses/${course}/staff`;
    await good(server.post(staff, as(owner).token, { user_id: viewer.id, role: 'viewer' }));
    assert.equal((await take(viewer, id)).status, 404);
    await good(server.put(`${staff}/${viewer.id}`, as(owner).token, { role: 'editor' }));
    assert.equal((await take(viewer, id)).status, 200);
    await good(close(student, id));
    // Without a lesson, every class of the student may have been meant.
    const plain = await good(raise(student, machine));
    assert.deepEqual(await seers(plain.id), [teacher, other, admin]);
    await good(close(student, plain.id));
    assert.equal((await raise(student, machine, { theme_id: 2_147_483_647 })).status, 404);
    assert.equal((await raise(student, machine, { text: 'x'.repeat(201) })).status, 422);
  });

  it('end with the attempt or the sandbox, and are refused after it', async () => {
    const { db } = server.application;
    const set = (table: 'attempts' | 'containers', id: number, status: 'grading' | 'in_progress' | 'stopped') =>
      db
        .updateTable(table)
        .set({ status } as object)
        .where('id', '=', id)
        .execute();
    const student = await pupil();
    const { attempt, container } = await practiceOf(student);
    const { id } = await good(raise(student, container));
    await set('attempts', attempt, 'grading');
    await set('attempts', attempt, 'in_progress');
    assert.deepEqual(await seers(id), [owner, teacher, admin], 'a check for practice ends nothing');
    await finish(attempt);
    assert.deepEqual(await seers(id), []);
    assert.equal((await take(teacher, id)).status, 404);
    const late = await raise(student, container);
    assert.deepEqual([late.status, late.code], [409, 'attempt_not_in_progress']);

    const machine = await sandboxOf(student);
    const second = await good(raise(student, machine));
    await set('containers', machine, 'stopped');
    assert.deepEqual(await seers(second.id), []);
    const stopped = await raise(student, machine);
    assert.deepEqual([stopped.status, stopped.code], [409, 'container_not_running']);
    const third = await sandboxOf(student);
    await good(raise(student, third));
    await db.deleteFrom('containers').where('id', '=', third).execute();
    assert.equal((await own(student, machine)).hand, null);
  });

  it('are one for a student, and are taken by one, also at the same time', async () => {
    const [student, mate] = [await pupil(), await pupil()];
    const [machine, elsewhere] = [await sandboxOf(student), await sandboxOf(student)];
    const raised = await Promise.all(Array.from({ length: 8 }, () => raise(student, machine, { theme_id: theme })));
    assert.deepEqual([...new Set(raised.map(({ status }) => status))], [201]);
    assert.equal(new Set(raised.map(({ body }) => body.id)).size, 1);
    assert.equal((await raise(student, elsewhere)).status, 409);
    const { id } = raised[0]?.body ?? {};
    const behind = await good(raise(mate, await sandboxOf(mate), { theme_id: theme }));
    assert.equal(behind.ahead, 1);
    const takers = [owner, teacher, admin];
    const taken = await Promise.all(takers.map((user) => take(user, id)));
    assert.deepEqual(taken.map(({ status }) => status).sort(), [200, 409, 409]);
    const winner = takers[taken.findIndex(({ status }) => status === 200)];
    assert.equal((await own(student, machine)).hand.taken_by, as(winner).username);
    assert.deepEqual((await good(raise(mate, behind.container_id))).ahead, 0);
    const ended = await Promise.all(takers.map((user) => answer(user, id)));
    assert.deepEqual(ended.map(({ status }) => status).sort(), [200, 404, 404]);
    for (const user of [student, mate]) await close(user, user === mate ? behind.id : id);
  });

  // Long: one session, with and without the permission.
  it('are raised in an exam only where its session allows it, for its supervisors', async () => {
    const student = await pupil();
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course });
    const session = await openSession(server, as(teacher), { exam_id, class_id: classId });
    assert.equal(session.has_hands, false);
    const attempt = await runAttempt(server, student, session);
    const { db } = server.application;
    const set = db.updateTable('containers').set({ status: 'running', engine_ref: 'exam' });
    const { id: machine } = await set.where('attempt_id', '=', attempt).returning('id').executeTakeFirstOrThrow();
    assert.equal((await own(student, machine)).is_allowed, false);
    const refused = await raise(student, machine);
    assert.deepEqual([refused.status, refused.code], [403, 'forbidden']);
    await good(server.put(`/api/exam-sessions/${session.id}`, as(teacher).token, { has_hands: true }));
    const { id } = await good(raise(student, machine, { text: 'The task is unclear' }));
    assert.deepEqual(await seers(id), [teacher, admin], 'the staff of the course help in no exam');
    const room = await good(server.get(`/api/exam-sessions/${session.id}/room`, as(teacher).token));
    const inRoom = room.students.find(({ user_id }: { user_id: number }) => user_id === student.id);
    assert.deepEqual(inRoom.warnings, ['hand_raised']);
    await good(answer(teacher, id, 'Read it again'));
    const { messages } = await good(server.get(`/api/exams/attempts/${attempt}/results`, student.token));
    assert.deepEqual(
      messages.map(({ text }: { text: string }) => text),
      ['Read it again'],
    );
    await finish(attempt);
    assert.deepEqual(await seers(id), []);
  });
});
