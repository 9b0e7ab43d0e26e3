import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { lockWaits } from '../lock-waits.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/exam-sessions';

describe('exam sessions', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let stranger: TestUser;
  let student: TestUser;
  let classmate: TestUser;
  let exam: number;
  let classId: number;
  before(async () => {
    server = await TestServer.start({
      TRUST_PROXY: 'true',
      loginFailuresPerAccount: 3,
      maxExamSessionsPerClass: 8,
      SCHOOL_TIME_ZONE: 'Europe/Berlin',
    });
    [admin, teacher, stranger] = [
      await server.user('admin'),
      await server.user('instructor'),
      await server.user('instructor'),
    ];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
  });
  beforeEach(async () => {
    [student, classmate] = [await server.user(), await server.user()];
    classId = await schoolClass(server, teacher, [student, classmate]);
  });
  after(() => server[Symbol.asyncDispose]());

  const is = ({ status, code: answered }: Answer, expected: number, code: string) =>
    assert.deepEqual([status, answered], [expected, code]);
  /** A session of an exam and a class of its own. */
  const own = async (fields: object = {}, students: readonly TestUser[] = []) => {
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const class_id = await schoolClass(server, teacher, [student, ...students]);
    return await openSession(server, teacher, { exam_id, class_id, ...fields });
  };
  const start = (examId: number, user: TestUser, json: object = {}, address = '192.0.2.1') =>
    server.request('POST', `/api/exams/${examId}/start`, {
      token: user.token,
      json,
      headers: { 'x-forwarded-for': address },
    });
  const end = (id: number) =>
    server.application.db.updateTable('attempts').set({ status: 'abandoned' }).where('id', '=', id).execute();
  const attempt = (id: number) =>
    server.application.db
      .selectFrom('attempts')
      .leftJoin('containers', 'containers.attempt_id', 'attempts.id')
      .select(['attempts.expires_at', 'attempts.paused_at', 'containers.expires_at as container_expires_at'])
      .where('attempts.id', '=', id)
      .executeTakeFirstOrThrow();
  const minutesOf = (moment: Date | null) => Math.round(((moment?.getTime() ?? 0) - Date.now()) / 60_000) + 0;

  // Long: the steps change one session, whose state each of them continues.
  it('are planned by instructors of the class and administrators, and seen by its members', async () => {
    const fields = { exam_id: exam, class_id: classId, opens_at: minutes(60), closes_at: minutes(120) };
    for (const [user, status] of [
      [student, 403],
      [stranger, 403],
      [await server.user(), 404],
    ] as const)
      assert.equal((await server.post(path, user.token, fields)).status, status);
    assert.equal((await server.post(path, teacher.token, { ...fields, exam_id: 2_000_000 })).status, 404);
    const settings = {
      max_attempts: 2,
      networks: ['192.0.2.7/24', '2001:DB8::/32'],
      access_code: 'room 12',
      title: 'Final',
    };
    const created = await server.post(path, teacher.token, { ...fields, ...settings });
    assert.equal(created.status, 201, created.text);
    const { id, created_at, ...rest } = created.body;
    assert.ok(Date.parse(created_at) <= Date.now());
    assert.deepEqual(rest, {
      ...{ ...fields, exam_title: 'Trial', class_name: 'Exam class', title: 'Final', time_limit_minutes: null },
      ...{ chosen_students: null },
      ...{
        max_attempts: 2,
        counted_attempt: 'best',
        has_access_code: true,
        networks: ['192.0.2.0/24', '2001:db8::/32'],
      },
      ...{
        results_visible: 'at_end',
        is_output_visible: true,
        is_locked_down: false,
        has_hands: false,
        review_days: null,
        has_hidden_names: false,
        grader_tolerance_percent: null,
        has_assistant_graders: false,
        has_signals: false,
        is_paused: false,
        is_released: false,
      },
      ...{ state: 'upcoming', attempts_left: null, my_role: 'instructor' },
    });
    const seen = (await server.get(`${path}/${id}`, student.token)).body;
    assert.deepEqual(
      [seen.my_role, seen.attempts_left, seen.time_limit_minutes, seen.state],
      ['student', 2, 30, 'upcoming'],
    );
    assert.equal((await server.get(`${path}/${id}`, stranger.token)).body.my_role, null, 'instructors see all classes');
    assert.equal((await server.get(`${path}/${id}`, (await server.user()).token)).status, 404);
    const listed = await server.get(`${path}?class_id=${classId}&exam_id=${exam}&state=upcoming`, student.token);
    assert.deepEqual([listed.body, listed.headers.get('x-total-count')], [[seen], '1']);
    assert.deepEqual((await server.get(`${path}?class_id=${classId}&state=open`, student.token)).body, []);
    assert.deepEqual((await server.get(path, (await server.user()).token)).body, []);
    await server.put(`/api/classes/${classId}`, teacher.token, { is_archived: true });
    assert.equal((await server.get(`${path}/${id}`, student.token)).status, 404, 'of an archived class');
    assert.deepEqual((await server.get(path, student.token)).body, []);
    is(await server.post(path, teacher.token, fields), 409, 'class_archived');
    await server.put(`/api/classes/${classId}`, teacher.token, { is_archived: false });
    const log = (await server.get(`/api/admin/activity?entity_type=exam_session&entity_id=${id}`, admin.token)).text;
    assert.ok(log.includes('exam_session_create') && !log.includes('room 12'));
  });

  it('are changed and deleted by the same people, but not while an attempt is unfinished', async () => {
    const session = await own({ access_code: 'first' });
    const at = `${path}/${session.id}`;
    for (const user of [student, stranger]) {
      assert.equal((await server.put(at, user.token, { title: 'Mine' })).status, 403);
      assert.equal((await server.delete(at, user.token)).status, 403);
    }
    const changed = await server.put(at, teacher.token, { title: 'Changed', access_code: null, networks: ['::1'] });
    assert.deepEqual(changed.body, { ...session, title: 'Changed', has_access_code: false, networks: ['::1/128'] });
    assert.deepEqual((await server.put(at, admin.token, {})).body, { ...changed.body, my_role: null });
    const id = await runAttempt(server, student, session);
    is(await server.delete(at, teacher.token), 409, 'session_in_use');
    is(await server.delete(`/api/classes/${session.class_id}`, teacher.token), 409, 'session_in_use');
    await end(id);
    assert.deepEqual((await server.delete(at, teacher.token)).body, { detail: 'Exam session deleted' });
    assert.equal((await server.get(at, teacher.token)).status, 404);
    assert.equal((await server.get(`/api/exams/attempts/${id}/results`, student.token)).body.session_id, null);
  });

  it('are not deleted with their class by a deletion that waits for a start', async () => {
    const session = await own();
    const { db } = server.application;
    let deletion: Promise<Answer> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`select from exam_sessions where id = ${session.id} for share`.execute(trx);
      deletion = server.delete(`/api/classes/${session.class_id}`, teacher.token);
      await until(async () => (await lockWaits(db)) === 1, 'the deletion to wait for the session');
      await runAttempt(server, student, session);
    });
    assert.ok(deletion);
    is(await deletion, 409, 'session_in_use');
  });

  it('refuse windows that end before they begin, and networks that are none', async () => {
    const fields = { exam_id: exam, class_id: classId, opens_at: minutes(60), closes_at: minutes(120) };
    const wrong: [object, (string | number)[]][] = [
      [{ closes_at: minutes(30) }, ['body', 'closes_at']],
      [{ networks: ['192.0.2.0/24', '192.0.2.0/33'] }, ['body', 'networks', 1]],
      [{ networks: ['school'] }, ['body', 'networks', 0]],
      [{ networks: ['fe80::1%eth0'] }, ['body', 'networks', 0]],
      [{ networks: ['2001:db8::/129'] }, ['body', 'networks', 0]],
      [{ max_attempts: 0 }, ['body', 'max_attempts']],
      [{ results_visible: 'always' }, ['body', 'results_visible']],
    ];
    for (const [change, loc] of wrong) {
      const answer = await server.post(path, teacher.token, { ...fields, ...change });
      assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, loc]);
    }
    const session = await own();
    const late = await server.put(`${path}/${session.id}`, teacher.token, { opens_at: minutes(90) });
    assert.deepEqual([late.status, late.body.detail[0].loc], [422, ['body', 'closes_at']]);
  });

  it('have a limited number in a class, even of concurrent requests', async () => {
    const exam_id = exam;
    const class_id = await schoolClass(server, teacher, []);
    const fields = { exam_id, class_id, opens_at: minutes(60), closes_at: minutes(120) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.post(path, teacher.token, fields)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(8).fill(201), ...Array(2).fill(409)]);
    is(answers.find(({ status }) => status === 409) as Answer, 409, 'too_many_exam_sessions');
  });

  it('let students start an exam in a session of their class only, from an allowed network, while it is open', async () => {
    const session = await own({ opens_at: minutes(5), networks: ['192.0.2.0/24', '2001:db8::/32'] });
    await server.put(`/api/admin/exams/${session.exam_id}`, admin.token, { is_session_only: true });
    const refused = await start(session.exam_id, student);
    is(refused, 403, 'not_open_yet');
    const opening = Math.ceil(Date.parse(session.opens_at) / 1000) * 1000;
    assert.equal(refused.headers.get('retry-after'), new Date(opening).toUTCString());
    for (const user of [classmate, stranger, admin]) is(await start(session.exam_id, user), 404, 'not_found');
    is(await start(session.exam_id, student, { session_id: 2_000_000 }), 404, 'not_found');
    const other = await own();
    is(await start(session.exam_id, student, { session_id: other.id }), 404, 'not_found');
    const free = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    is(await start(free, student, { session_id: session.id }), 404, 'not_found');
    await server.put(`${path}/${session.id}`, teacher.token, { opens_at: minutes(-5) });
    for (const address of ['198.51.100.1', '2001:db9::1', '::ffff:198.51.100.1'])
      is(await start(session.exam_id, student, {}, address), 403, 'wrong_network');
    // From an allowed network, something else is wrong.
    await server.put(`${path}/${session.id}`, teacher.token, { access_code: 'secret' });
    for (const address of ['192.0.2.200', '2001:db8:1::1', '::ffff:192.0.2.9'])
      is(await start(session.exam_id, student, {}, address), 403, 'wrong_access_code');
    await server.put(`${path}/${session.id}`, teacher.token, { opens_at: minutes(-9), closes_at: minutes(-5) });
    is(await start(session.exam_id, student, { access_code: 'secret' }), 403, 'closed');
    const ownWindow = `${path}/${session.id}/accommodations/${student.id}`;
    await server.put(ownWindow, teacher.token, { closes_at: minutes(5) });
    is(await start(session.exam_id, student), 403, 'wrong_access_code');
  });

  it('count the attempts that began, and refuse a further one', async () => {
    const session = await own({ max_attempts: 2 });
    const { db } = server.application;
    const begun = await runAttempt(server, student, session);
    is(await start(session.exam_id, student), 409, 'attempt_active');
    await end(begun);
    const left = async () => (await server.get(`${path}/${session.id}`, student.token)).body.attempts_left;
    assert.equal(await left(), 1);
    const lost = await runAttempt(server, student, session);
    await end(lost);
    const grading_error = 'The container was lost, so there is nothing to grade';
    await db.updateTable('attempts').set({ grading_error }).where('id', '=', lost).execute();
    const queued = await runAttempt(server, student, session);
    await end(queued);
    await db.updateTable('attempts').set({ time_limit_minutes: null }).where('id', '=', queued).execute();
    assert.equal(await left(), 1, 'a lost container and a start that never began do not count');
    const second = await finishAttempt(server, student, 'exam', session.exam_id, [true]);
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', second).execute();
    assert.equal(await left(), 0);
    is(await start(session.exam_id, student), 403, 'no_attempts_left');
    is(await start(session.exam_id, student, { session_id: session.id, access_code: 'any' }), 403, 'no_attempts_left');
  });

  it('end the wait of a queued attempt when they close, which uses up no attempt', async () => {
    const session = await own({ max_attempts: 1, closes_at: minutes(-1) });
    const queued = await runAttempt(server, student, session);
    const { db } = server.application;
    await db.deleteFrom('containers').where('attempt_id', '=', queued).execute();
    const waiting = { status: 'queued', asked_at: new Date(Date.now() + 60_000), time_limit_minutes: null } as const;
    await db.updateTable('attempts').set(waiting).where('id', '=', queued).execute();
    await server.reconcile();
    const { body } = await server.get(`/api/exams/attempts/${queued}/results`, student.token);
    assert.deepEqual([body.status, body.score], ['abandoned', null]);
    assert.equal((await server.get(`${path}/${session.id}`, student.token)).body.attempts_left, 1);
  });

  it('take a student out of the queue when a supervisor ends the attempt, and say so while it starts', async () => {
    const session = await own({ max_attempts: 1 });
    const queued = await runAttempt(server, student, session);
    const { db } = server.application;
    await db.deleteFrom('containers').where('attempt_id', '=', queued).execute();
    const waiting = { status: 'queued', asked_at: new Date(), time_limit_minutes: null, process_id: 1 } as const;
    await db.updateTable('attempts').set(waiting).where('id', '=', queued).execute();
    const end = () => server.post(`${path}/${session.id}/end`, teacher.token, { user_id: student.id });
    is(await end(), 409, 'attempt_queued');
    await db.updateTable('attempts').set({ process_id: null }).where('id', '=', queued).execute();
    assert.equal((await end()).status, 200);
    const { body } = await server.get(`/api/exams/attempts/${queued}/results`, student.token);
    assert.equal(body.status, 'abandoned');
    assert.equal((await server.get(`${path}/${session.id}`, student.token)).body.attempts_left, 1);
    is(await end(), 404, 'no_active_attempt');
  });

  it('slow down the guessing of access codes', async () => {
    const guesser = await server.user();
    const session = await own({ access_code: ' Öffnen 12 ' }, [guesser]);
    is(await start(session.exam_id, guesser), 403, 'wrong_access_code');
    for (const access_code of ['', 'öffnen 12', 'wrong'])
      is(await start(session.exam_id, guesser, { access_code }), 403, 'wrong_access_code');
    const blocked = await start(session.exam_id, guesser, { access_code: 'Öffnen 12' });
    is(blocked, 429, 'too_many_wrong_access_codes');
    assert.ok(Number(blocked.headers.get('retry-after')) > 0);
    is(await start(session.exam_id, student, { access_code: 'wrong' }), 403, 'wrong_access_code');
    const rows = await server.application.db.selectFrom('exam_sessions').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes('ffnen'), 'the code is not stored');
  });

  // Long: the steps change one session, whose state each of them continues.
  it('have accommodations by student, which also apply to an attempt that runs', async () => {
    const session = await own({ max_attempts: 1 }, [classmate]);
    const at = `${path}/${session.id}/accommodations`;
    const of = (user: TestUser) => `${at}/${user.id}`;
    const running = await runAttempt(server, student, session);
    for (const user of [student, stranger]) {
      assert.equal((await server.put(of(student), user.token, { time_factor: 2 })).status, 403);
      assert.equal((await server.delete(of(student), user.token)).status, 403);
    }
    assert.equal((await server.get(at, student.token)).status, 403);
    assert.equal((await server.get(at, (await server.user()).token)).status, 404);
    assert.equal((await server.put(of(teacher), teacher.token, { time_factor: 2 })).status, 404, 'no student');
    for (const time_factor of [0.9, 3.1])
      assert.equal((await server.put(of(student), teacher.token, { time_factor })).status, 422);
    assert.equal(
      (await server.put(of(student), teacher.token, { opens_at: minutes(70) })).status,
      422,
      'after the close',
    );

    const set = await server.put(of(student), teacher.token, { time_factor: 1.5 });
    const none = { opens_at: null, closes_at: null, max_attempts: null, break_minutes: null };
    assert.deepEqual(set.body, {
      user_id: student.id,
      username: student.username,
      full_name: null,
      time_factor: 1.5,
      ...none,
    });
    let now = await attempt(running);
    assert.deepEqual([minutesOf(now.expires_at), now.container_expires_at], [45, now.expires_at]);
    await server.put(of(student), teacher.token, { time_factor: 3 });
    assert.equal(minutesOf((await attempt(running)).expires_at), 60, 'the close is earlier');
    await server.put(of(student), teacher.token, { closes_at: minutes(120), max_attempts: 3 });
    now = await attempt(running);
    assert.deepEqual([minutesOf(now.expires_at), now.container_expires_at], [90, now.expires_at]);
    const seen = (await server.get(`${path}/${session.id}`, student.token)).body;
    assert.deepEqual(
      [seen.time_limit_minutes, seen.max_attempts, seen.attempts_left, minutesOf(new Date(seen.closes_at))],
      [90, 3, 2, 120],
    );
    assert.equal((await server.get(`${path}/${session.id}`, classmate.token)).body.attempts_left, 1);

    await server.put(of(classmate), teacher.token, { opens_at: minutes(20) });
    is(await start(session.exam_id, classmate), 403, 'not_open_yet');
    const listed = (await server.get(at, stranger.token)).body;
    assert.deepEqual(
      listed.map(({ username }: { username: string }) => username),
      [student.username, classmate.username].sort(),
    );
    assert.deepEqual((await server.delete(of(student), teacher.token)).body, { detail: 'Accommodation withdrawn' });
    assert.equal((await server.delete(of(student), teacher.token)).status, 404);
    assert.equal(minutesOf((await attempt(running)).expires_at), 30);
    await server.put(`${path}/${session.id}`, teacher.token, { time_limit_minutes: 35 });
    assert.equal(minutesOf((await attempt(running)).expires_at), 35, 'a change of the session applies as well');
    await server.put(`/api/admin/attempts/${running}`, admin.token, { time_limit_minutes: 80 });
    await server.put(of(student), teacher.token, { max_attempts: 2 });
    assert.equal(
      minutesOf((await attempt(running)).expires_at),
      80,
      'what an administrator added stays, also beyond the close',
    );
    await end(running);
  });

  // Long: each step changes the terms of one student.
  it('have accommodations of the class, where the session has none', async () => {
    const session = await own({ max_attempts: 1 }, [classmate]);
    const at = `/api/classes/${session.class_id}/accommodations`;
    const running = await runAttempt(server, student, session);
    const set = (json: object, by = teacher, of = student) => server.put(`${at}/${of.id}`, by.token, json);
    for (const user of [student, stranger]) assert.equal((await set({ time_factor: 2 }, user)).status, 403);
    assert.equal((await set({}, teacher, teacher)).status, 404);
    for (const json of [{ time_factor: 0.5 }, { time_factor: null }, { extra_attempts: -1 }])
      assert.equal((await set(json)).status, 422);
    const { id: user_id, username } = student;
    const { body } = await set({ time_factor: 2, extra_attempts: 2 });
    assert.deepEqual(body, {
      user_id,
      username,
      full_name: null,
      time_factor: 2,
      extra_attempts: 2,
      break_minutes: null,
    });
    const now = await attempt(running);
    assert.deepEqual([minutesOf(now.expires_at), now.container_expires_at], [60, now.expires_at]);
    const seen = async (user = student) => {
      const view = (await server.get(`${path}/${session.id}`, user.token)).body;
      return [view.time_limit_minutes, view.max_attempts, view.attempts_left];
    };
    assert.deepEqual(
      [await seen(), await seen(classmate)],
      [
        [60, 3, 2],
        [30, 1, 1],
      ],
    );
    const [place] = (await server.get(`${path}/${session.id}/room`, teacher.token)).body.students.filter(
      (one: { user_id: number }) => one.user_id === user_id,
    );
    assert.equal(place.time_factor, 2);

    const ofSession = `${path}/${session.id}/accommodations/${user_id}`;
    await server.put(ofSession, teacher.token, { closes_at: minutes(50) });
    assert.equal(minutesOf((await attempt(running)).expires_at), 50, 'the rest is still that of the class');
    const { body: both } = await server.put(ofSession, teacher.token, { time_factor: 1, max_attempts: 2 });
    assert.deepEqual([both.time_factor, minutesOf((await attempt(running)).expires_at)], [1, 30]);
    assert.deepEqual(await seen(), [30, 2, 1], 'what the session sets holds');
    await server.put(ofSession, teacher.token, { time_factor: null, closes_at: null });
    assert.equal(minutesOf((await attempt(running)).expires_at), 60);
    assert.deepEqual((await server.get(at, stranger.token)).body, [body]);
    assert.equal((await server.delete(`${at}/${user_id}`, student.token)).status, 403);
    assert.deepEqual((await server.delete(`${at}/${user_id}`, teacher.token)).body, {
      detail: 'Accommodation withdrawn',
    });
    assert.equal((await server.delete(`${at}/${user_id}`, teacher.token)).status, 404);
    assert.equal(minutesOf((await attempt(running)).expires_at), 30);
    const log = (await server.get(`/api/admin/activity?entity_type=class&entity_id=${session.class_id}`, admin.token))
      .body;
    const types = log
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.includes('accommodation'));
    assert.deepEqual(types, ['class_accommodation_delete', 'class_accommodation_set']);
    await end(running);
  });

  // Long: the steps change one session, whose state each of them continues.
  it('are paused and resumed: the clocks are stopped', async () => {
    const session = await own({ closes_at: minutes(35) });
    const at = `${path}/${session.id}`;
    const running = await runAttempt(server, student, session);
    for (const action of ['pause', 'resume', 'extend', 'end', 'release'])
      for (const user of [student, stranger])
        assert.equal((await server.post(`${at}/${action}`, user.token, { minutes: 1 })).status, 403);
    is(await server.post(`${at}/resume`, teacher.token), 409, 'session_not_paused');
    const before = await attempt(running);
    assert.equal((await server.post(`${at}/pause`, teacher.token)).body.is_paused, true);
    is(await server.post(`${at}/pause`, teacher.token), 409, 'session_not_running');
    // As if the pause had begun 40 minutes ago: without it, the time would be over and the session closed.
    const { db } = server.application;
    const paused_at = new Date(Date.now() - 40 * 60_000);
    const started_at = new Date(Date.now() - 40 * 60_000);
    const was = new Date((before.expires_at?.getTime() ?? 0) - 40 * 60_000);
    await db
      .updateTable('attempts')
      .set({ paused_at, started_at, expires_at: was })
      .where('id', '=', running)
      .execute();
    const closes_at = new Date(Date.now() - 5 * 60_000);
    await db
      .updateTable('exam_sessions')
      .set({ paused_at, opens_at: new Date(0), closes_at })
      .where('id', '=', session.id)
      .execute();
    await server.reconcile();
    const active = (await server.get('/api/exams/attempts/active', student.token)).body;
    assert.deepEqual(
      [active.status, active.paused_at, active.session_id],
      ['in_progress', paused_at.toISOString(), session.id],
    );
    assert.equal((await attempt(running)).container_expires_at, null, 'terminals have no deadline meanwhile');
    is(await start(session.exam_id, student), 409, 'attempt_active');
    await server.post(`/api/classes/${session.class_id}/members`, teacher.token, { user_id: classmate.id });
    is(await start(session.exam_id, classmate), 409, 'session_paused');
    const resumed = (await server.post(`${at}/resume`, teacher.token)).body;
    assert.deepEqual([resumed.is_paused, resumed.state, minutesOf(new Date(resumed.closes_at))], [false, 'open', 35]);
    const now = await attempt(running);
    assert.deepEqual([minutesOf(now.expires_at), now.paused_at, now.container_expires_at], [30, null, now.expires_at]);
    await end(running);
  });

  describe('with breaks', () => {
    let session: Awaited<ReturnType<typeof own>>;
    let running: number;
    beforeEach(async () => {
      session = await own({ closes_at: minutes(100) });
      const at = `${path}/${session.id}/accommodations/${student.id}`;
      await server.put(at, teacher.token, { break_minutes: 10 });
      running = await runAttempt(server, student, session);
    });
    afterEach(() => end(running));

    const at = () => `/api/exams/attempts/${running}/break`;
    const begin = (user = student) => server.post(at(), user.token);
    const finish = (user = student) => server.delete(at(), user.token);
    const action = (name: string, json: object = {}) =>
      server.post(`${path}/${session.id}/${name}`, teacher.token, json);
    /** As if everything that has happened so far had happened earlier by so many minutes. */
    const pass = async (count: number) => {
      const { db } = server.application;
      const by = sql`make_interval(mins => ${count})`;
      await sql`update attempts set started_at = started_at - ${by}, expires_at = expires_at - ${by},
        paused_at = paused_at - ${by}, break_ends_at = break_ends_at - ${by} where id = ${running}`.execute(db);
      await sql`update exam_sessions set opens_at = opens_at - ${by}, closes_at = closes_at - ${by},
        paused_at = paused_at - ${by} where id = ${session.id}`.execute(db);
    };
    const view = async () => (await server.get('/api/exams/attempts/active', student.token)).body;
    const seen = async () => {
      const { expires_at, break_ends_at, break_seconds_left, paused_at } = await view();
      return [
        minutesOf(new Date(expires_at)),
        break_ends_at && minutesOf(new Date(break_ends_at)),
        Math.round(break_seconds_left / 60),
        paused_at !== null,
      ];
    };
    const log = async () => {
      const found = await server.get(
        `/api/admin/activity?entity_type=exam&entity_id=${session.exam_id}&user_id=${student.id}`,
        admin.token,
      );
      return found.body
        .filter(({ type }: { type: string }) => type.startsWith('exam_break'))
        .map(({ type, details }: { type: string; details: { reason?: string } }) => [type, details.reason]);
    };

    // Long: breaks of a machine that stands still, one that does not yet, and one that never does.
    it('add the time for which the machine stood still, and take a minute at least', async () => {
      const { db } = server.application;
      const machine = async (fields: object) =>
        await db.updateTable('containers').set(fields).where('attempt_id', '=', running).execute();
      const left = async () => (await view()).break_seconds_left;
      const deadline = async () => Date.parse((await view()).expires_at);
      await machine({ status: 'running', engine_ref: 'none' });
      const before = await deadline();
      for (const used of [60, 120, 180]) {
        await begin();
        await finish();
        assert.equal(await left(), 600 - used);
      }
      assert.equal(await deadline(), before, 'the machine had not stopped yet');
      await begin();
      await pass(2);
      const since = sql<Date>`now() - interval '90 seconds'`;
      await db.updateTable('attempts').set({ held_at: since }).where('id', '=', running).execute();
      await finish();
      // The requests of a busy machine take seconds of their own.
      const isAbout30Less = async () => {
        const gained = ((await deadline()) - before) / 1000;
        return gained > -31 && gained < 0;
      };
      assert.deepEqual([Math.round((await left()) / 60), await isAbout30Less()], [5, true], '90 of 120 s');
      await begin();
      await pass(2);
      await finish();
      assert.ok(await isAbout30Less(), 'the engine could not stop it');
      assert.equal(Math.round((await left()) / 60), 3);
      for (let count = 0; count < 3; count += 1) {
        await begin();
        await finish();
      }
      is(await begin(), 409, 'no_break_left');
      await machine({ status: 'failed', engine_ref: null });
    });

    it('stop the clock of a student, for as long as the accommodation allows', async () => {
      is(await finish(), 409, 'not_on_break');
      for (const user of [classmate, teacher]) {
        is(await begin(user), 404, 'not_found');
        is(await finish(user), 404, 'not_found');
      }
      assert.deepEqual(await seen(), [30, null, 10, false]);
      const { body } = await begin();
      assert.deepEqual([body.attempt_id, minutesOf(new Date(body.break_ends_at))], [running, 10]);
      assert.equal((await attempt(running)).container_expires_at, null, 'terminals have no deadline meanwhile');
      await pass(4);
      assert.equal((await begin()).body.break_ends_at, (await view()).break_ends_at, 'the same break');
      assert.deepEqual(await seen(), [26, 6, 6, true]);
      const [place] = (await server.get(`${path}/${session.id}/room`, teacher.token)).body.students;
      assert.equal(minutesOf(new Date(place.break_ends_at)), 6);
      assert.equal((await finish()).body.paused_at, null);
      assert.deepEqual(await seen(), [30, null, 6, false]);
      const now = await attempt(running);
      assert.deepEqual(now.container_expires_at, now.expires_at);
      await begin();
      await pass(6);
      is(await begin(), 409, 'no_break_left');
      assert.deepEqual(await seen(), [30, null, 0, false], 'a break that is over has ended before the refusal');
      assert.deepEqual(await log(), [
        ['exam_break_end', 'time'],
        ['exam_break_start', undefined],
        ['exam_break_end', 'student'],
        ['exam_break_start', undefined],
      ]);
    });

    it('end by themselves, and then neither give nor take time', async () => {
      await begin();
      await pass(25);
      await server.reconcile();
      assert.deepEqual(await seen(), [15, null, 0, false], '30 minutes, of which 15 have passed since the break');
      const { db } = server.application;
      const more = { break_minutes: 120 };
      await server.put(`${path}/${session.id}/accommodations/${student.id}`, teacher.token, more);
      const { body } = await begin();
      assert.equal(minutesOf(new Date(body.break_ends_at)), 75, 'a break does not move the close');
      await pass(76);
      await server.reconcile();
      const ended = await db.selectFrom('attempts').selectAll().where('id', '=', running).executeTakeFirstOrThrow();
      assert.deepEqual([ended.break_ends_at, ended.paused_at], [null, null]);
      assert.equal(minutesOf(ended.expires_at), -1, 'the session has closed');
    });

    it('continue after a pause of the session, whose time counts once', async () => {
      await begin();
      await pass(3);
      await action('pause');
      is(await begin(), 409, 'session_paused');
      await pass(20);
      await server.reconcile();
      assert.equal((await view()).break_ends_at !== null, true, 'a break does not end during a pause');
      await action('resume');
      assert.deepEqual(await seen(), [27, 7, 7, true]);
      await pass(2);
      await action('pause');
      await pass(5);
      const { body } = await finish();
      assert.deepEqual([body.break_ends_at, body.paused_at !== null], [null, true], 'the pause continues');
      await action('resume');
      assert.deepEqual(await seen(), [30, null, 5, false]);
    });

    it('are ended by instructors, and with the attempt', async () => {
      const endBreak = (user_id = student.id) => action('end-break', { user_id });
      is(await endBreak(), 409, 'not_on_break');
      is(await endBreak(classmate.id), 404, 'no_active_attempt');
      await begin();
      await pass(4);
      assert.deepEqual((await endBreak()).body, { detail: 'Break ended' });
      assert.deepEqual(await seen(), [30, null, 6, false]);
      assert.deepEqual((await log())[0], ['exam_break_end', 'instructor']);
      await begin();
      await action('extend', { minutes: 10, user_id: student.id });
      assert.deepEqual(await seen(), [40, 6, 6, true]);
      await server.delete(`${path}/${session.id}/accommodations/${student.id}`, teacher.token);
      await server.reconcile();
      assert.deepEqual((await attempt(running)).paused_at, null, 'the accommodation is withdrawn');
      is(await begin(), 409, 'no_break_left');
      await server.put(`/api/classes/${session.class_id}/accommodations/${student.id}`, teacher.token, {
        break_minutes: 20,
      });
      await begin();
      await server.application.db
        .updateTable('attempts')
        .set({ status: 'abandoned' })
        .where('id', '=', running)
        .execute();
      assert.deepEqual((await attempt(running)).paused_at, null);
      is(await begin(), 409, 'attempt_not_in_progress');
      const both = [-1, 121].map((break_minutes) =>
        server.put(`${path}/${session.id}/accommodations/${student.id}`, teacher.token, { break_minutes }),
      );
      assert.deepEqual(
        (await Promise.all(both)).map(({ status }) => status),
        [422, 422],
      );
    });
  });

  it('send messages to those who take the exam', async () => {
    const session = await own({}, [classmate]);
    const send = (json: object, user = teacher) => server.post(`${path}/${session.id}/message`, user.token, json);
    await send({ text: 'Before the start' });
    const started = new Date(Date.now() + 5).toISOString();
    const [one, two] = [
      await runAttempt(server, student, session, { started }),
      await runAttempt(server, classmate, session, { started }),
    ];
    for (const user of [student, stranger]) assert.equal((await send({ text: 'Mine' }, user)).status, 403);
    assert.equal((await send({ text: 'To nobody', user_id: stranger.id })).status, 404);
    assert.deepEqual([(await send({ text: '' })).status, (await send({ text: 'a'.repeat(1001) })).status], [422, 422]);
    assert.equal((await send({ text: 'Ten minutes left' })).status, 201);
    const { body } = await send({ text: 'To you alone', user_id: classmate.id });
    assert.equal(body.user_id, classmate.id);
    const texts = async (user: TestUser) =>
      (await server.get('/api/exams/attempts/active', user.token)).body.messages.map(
        ({ text }: { text: string }) => text,
      );
    assert.deepEqual(await texts(student), ['Ten minutes left']);
    assert.deepEqual(await texts(classmate), ['Ten minutes left', 'To you alone']);
    await end(one);
    await end(two);
    const results = (await server.get(`/api/exams/attempts/${one}/results`, student.token)).body;
    assert.deepEqual(results.messages, []);
  });

  it('are in a calendar of their members, with own times', async () => {
    const session = await own({ title: 'Final; room 12' });
    const opens_at = '2026-01-05T09:00:00.000Z';
    await server.put(`${path}/${session.id}/accommodations/${student.id}`, teacher.token, { opens_at });
    const file = await server.get(`${path}/calendar.ics`, student.token);
    assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(
      file.text,
      new RegExp(`UID:exam-session-${session.id}@127.0.0.1\\r\\nDTSTAMP:.*\\r\\nDTSTART:20260105T090000Z\\r\\n`),
    );
    assert.ok(file.text.includes('SUMMARY:Final\\; room 12\r\nDESCRIPTION:Trial\\, Exam class\r\n'), file.text);
    assert.ok(!(await server.get(`${path}/calendar.ics`, stranger.token)).text.includes('VEVENT'));
  });

  it('report the time zone of the school', async () => {
    const { body } = await server.get(`${path}/time-zone`, student.token);
    assert.deepEqual(body, { school_time_zone: 'Europe/Berlin' });
  });

  it('are each a calendar as well, also for those who are no members', async () => {
    const session = await own({ title: 'Final' });
    for (const { token } of [student, teacher, stranger, admin]) {
      const file = await server.get(`${path}/${session.id}/calendar.ics`, token);
      assert.equal(file.headers.get('content-disposition'), `attachment; filename="exam-session-${session.id}.ics"`);
      assert.deepEqual(file.text.match(/UID:.*@|SUMMARY:.*/g), [`UID:exam-session-${session.id}@`, 'SUMMARY:Final']);
    }
    is(await server.get(`${path}/${session.id}/calendar.ics`, classmate.token), 404, 'not_found');
  });

  it('are forecast with the containers that they need, besides those of others at the time', async () => {
    const far = (hour: number) => `2090-01-05T${hour}:00:00Z`;
    const forecast = (user: TestUser, query: object) =>
      server.get(`${path}/forecast?${new URLSearchParams({ class_id: `${classId}`, ...query })}`, user.token);
    await own({ opens_at: far(10), closes_at: far(12) }, [classmate, await server.user()]);
    const window = { opens_at: far(11), closes_at: far(13) };
    const { clashes, ...numbers } = (await forecast(teacher, window)).body;
    assert.deepEqual(numbers, { students: 2, others: 1, capacity: 200 }, 'who is in both classes counts once');
    assert.equal(clashes.length, 2);
    assert.equal((await forecast(admin, { ...window, opens_at: far(12) })).body.others, 0);
    const turned = await forecast(teacher, { opens_at: far(13), closes_at: far(11) });
    assert.deepEqual([turned.status, turned.body.detail[0].loc], [422, ['query', 'closes_at']]);
    is(await forecast(stranger, window), 403, 'forbidden');
    is(await forecast(student, window), 403, 'forbidden');
    is(await forecast(await server.user(), window), 404, 'not_found');
  });

  it('are forecast with the students who have another session at the time, by their own windows', async () => {
    const far = (hour: number) => `2091-01-05T${hour}:00:00.000Z`;
    const window = { class_id: `${classId}`, opens_at: far(11), closes_at: far(13) };
    const clashes = async (user: TestUser, query: object = {}) =>
      (await server.get(`${path}/forecast?${new URLSearchParams({ ...window, ...query })}`, user.token)).body.clashes;
    const other = await own({ title: 'Networks', opens_at: far(14), closes_at: far(16) }, [classmate]);
    assert.deepEqual(await clashes(teacher), []);
    const early = { opens_at: far(12), closes_at: far(15) };
    assert.equal(
      (await server.put(`${path}/${other.id}/accommodations/${student.id}`, teacher.token, early)).status,
      200,
    );
    const { id: user_id, username } = student;
    const clash = { user_id, username, full_name: null, session_title: 'Networks', ...early };
    assert.deepEqual(await clashes(teacher), [clash], 'the own window of the student');
    assert.deepEqual(await clashes(admin), [clash]);
    assert.deepEqual(await clashes(teacher, { closes_at: far(12) }), [], 'one begins when the other ends');
    await server.put(`${path}/${other.id}/accommodations/${student.id}`, teacher.token, {
      opens_at: far(15),
      closes_at: null,
    });
    const late = await clashes(teacher, { opens_at: far(14), closes_at: far(15) });
    assert.deepEqual(
      late.map((of: { user_id: number }) => of.user_id),
      [classmate.id],
      'the student begins later than the class',
    );
  });

  it('open now by the clock of the service, when they are planned or changed', async () => {
    const fields = { exam_id: await makeAssessment(server, admin, 'exam', ['echo PASS']), class_id: classId };
    const before = Date.now();
    const created = await server.post(path, teacher.token, { ...fields, opens_at: null, closes_at: minutes(45) });
    assert.deepEqual([created.status, created.body.state], [201, 'open'], created.text);
    const opened = Date.parse(created.body.opens_at);
    assert.ok(opened >= before && opened <= Date.now(), created.body.opens_at);
    assert.equal((await server.get(`${path}/${created.body.id}`, student.token)).body.state, 'open');
    const over = await server.post(path, teacher.token, { ...fields, opens_at: null, closes_at: minutes(-1) });
    assert.deepEqual([over.status, over.body.detail[0].loc], [422, ['body', 'closes_at']]);
    assert.deepEqual((await server.post(path, teacher.token, { ...fields, closes_at: minutes(45) })).status, 422);

    const later = await openSession(server, teacher, { ...fields, opens_at: minutes(60), closes_at: minutes(90) });
    const changed = await server.put(`${path}/${later.id}`, teacher.token, { opens_at: null });
    assert.deepEqual([changed.status, changed.body.state], [200, 'open'], changed.text);
    assert.ok(Date.parse(changed.body.opens_at) >= opened);
    const closed = { opens_at: minutes(-60), closes_at: minutes(-30) };
    const past = await openSession(server, teacher, { ...fields, ...closed });
    assert.equal((await server.put(`${path}/${past.id}`, teacher.token, { opens_at: null })).status, 422);
  });

  it('are extended and ended, for everybody or for one student', async () => {
    const session = await own({ closes_at: minutes(32) }, [classmate]);
    const at = `${path}/${session.id}`;
    const post = (action: string, json: object = {}) => server.post(`${at}/${action}`, teacher.token, json);
    const [one, two] = [await runAttempt(server, student, session), await runAttempt(server, classmate, session)];
    const left = async () => [minutesOf((await attempt(one)).expires_at), minutesOf((await attempt(two)).expires_at)];
    assert.equal(minutesOf(new Date((await post('extend', { minutes: 5 })).body.closes_at)), 37);
    assert.deepEqual(await left(), [35, 35]);
    await post('extend', { minutes: 10, user_id: student.id });
    assert.deepEqual(await left(), [45, 35]);
    assert.deepEqual((await attempt(one)).container_expires_at, (await attempt(one)).expires_at);
    // The same from the page of the attempt.
    const onAttempt = ({ token }: TestUser) =>
      server.post(`/api/instructor/attempts/${one}/extend`, token, { minutes: 1 });
    assert.equal((await onAttempt(teacher)).status, 200);
    assert.deepEqual(await left(), [46, 35]);
    is(await onAttempt(stranger), 403, 'forbidden');
    for (const action of ['extend', 'end']) {
      const answer = await post(action, { minutes: 10, user_id: teacher.id });
      is(answer, 404, 'no_active_attempt');
      assert.equal((await server.post(`${path}/2000000/${action}`, teacher.token, { minutes: 1 })).status, 404);
    }
    assert.equal((await post('extend', { minutes: 0 })).status, 422);
    assert.equal((await post('end', { user_id: student.id })).body.state, 'open');
    assert.deepEqual(await left(), [0, 35]);
    const ended = (await post('end')).body;
    assert.equal(ended.state, 'closed');
    assert.deepEqual(await left(), [0, 0]);
    is(await post('end'), 409, 'session_not_running');
    is(await post('extend', { minutes: 5 }), 409, 'session_not_running');
    const log = (await server.get(`/api/admin/activity?entity_type=exam_session&entity_id=${session.id}`, admin.token))
      .body;
    assert.deepEqual(
      log.map(({ type }: { type: string }) => type.replace('exam_session_', '')),
      ['end', 'end', 'extend', 'extend', 'extend', 'create'],
    );
  });
});
