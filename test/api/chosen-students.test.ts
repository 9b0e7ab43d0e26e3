import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { expectedStarts } from '../../src/features/capacity/expected-store.ts';
import { DueStore } from '../../src/features/notifications/due-store.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const path = '/api/exam-sessions';
const ids = (rows: { user_id: number }[]) => rows.map(({ user_id }) => user_id);

for (const [scope, suite] of [
  ['all', describeLong],
  ['classes', describe],
] as const)
  suite(`chosen students of an exam session, with INSTRUCTOR_SCOPE=${scope}`, () => {
    let server: TestServer;
    let admin: TestUser;
    let teacher: TestUser;
    let colleague: TestUser;
    let mine: TestUser;
    let other: TestUser;
    before(async () => {
      const limits = { maxExamSessionUsers: 3, maxExamSessionsPerClass: 6, maxBreakMinutes: 45 };
      server = await TestServer.start({ INSTRUCTOR_SCOPE: scope, ...limits });
      admin = await server.user('admin');
    });
    // The student is in the class of the instructor, the other one is not.
    beforeEach(async () => {
      [teacher, colleague] = [await server.user('instructor'), await server.user('instructor')];
      [mine, other] = [await server.user(), await server.user()];
      await schoolClass(server, admin, [other]);
      const { body } = await server.post('/api/classes', teacher.token, { name: 'Own' });
      await server.post(`/api/classes/${body.id}/members`, admin.token, { user_id: mine.id });
    });
    after(() => server[Symbol.asyncDispose]());

    const is = ({ status, code: answered }: Answer, expected: number, code: string) =>
      assert.deepEqual([status, answered], [expected, code]);
    /** A session of an exam of its own. */
    const plan = async (user_ids: number[], fields: object = {}, by = teacher) => {
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      return await openSession(server, by, { exam_id, user_ids, ...fields });
    };
    const times = () => ({ opens_at: minutes(-10), closes_at: minutes(60) });
    const hidden = scope === 'classes';

    it('have sessions of instructors and administrators, instead of a class', async () => {
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const fields = { exam_id, ...times() };
      const create = (by: TestUser, more: object) => server.post(path, by.token, { ...fields, ...more });
      assert.equal((await create(teacher, {})).body.detail[0].type, 'missing');
      assert.equal((await create(teacher, { class_id: 1, user_ids: [mine.id] })).status, 422);
      is(await create(mine, { user_ids: [mine.id] }), 403, 'instructor_required');
      const foreign = await create(teacher, { user_ids: [mine.id, other.id, teacher.id] });
      assert.deepEqual(
        foreign.body.detail.map(({ loc }: { loc: unknown[] }) => loc[2]),
        hidden ? [1, 2] : [2],
        'students in the scope of the instructor',
      );
      const session = await plan([mine.id, mine.id]);
      assert.deepEqual(
        [session.class_id, session.class_name, session.chosen_students, session.my_role],
        [null, null, 1, 'instructor'],
      );
      const at = `${path}/${session.id}`;
      assert.deepEqual((await server.get(at, mine.token)).body.chosen_students, null);
      assert.equal((await server.get(at, other.token)).status, 404);
      assert.equal((await server.get(at, colleague.token)).status, hidden ? 404 : 200);
      assert.equal((await server.put(at, colleague.token, { title: 'x' })).status, hidden ? 404 : 403);
      assert.equal((await server.get(`${at}/room`, mine.token)).status, 403);
      const listed = async (user: TestUser, query = '') => (await server.get(path + query, user.token)).body.length;
      assert.deepEqual(
        [await listed(mine), await listed(other), await listed(teacher, '?is_for_chosen=true')],
        [1, 0, hidden ? 1 : await listed(admin, '?is_for_chosen=true')],
      );
      assert.equal(await listed(mine, '?is_for_chosen=false'), 0);
      assert.match((await server.get(`${path}/calendar.ics`, mine.token)).text, /DESCRIPTION:Trial\r/);
    });

    it('start the exam, and nobody else does', async () => {
      const session = await plan([mine.id], { access_code: 'room 12' });
      const start = (by: TestUser, json: object = {}) =>
        server.post(`/api/exams/${session.exam_id}/start`, by.token, json);
      await server.put(`/api/admin/exams/${session.exam_id}`, admin.token, { is_session_only: true });
      is(await start(other), 404, 'not_found');
      is(await start(mine), 403, 'wrong_access_code');
      is(await start(teacher), 403, 'wrong_access_code');
      is(await start(other, { session_id: session.id }), 404, 'not_found');
    });

    // Long: the steps change one session, whose state each of them continues.
    it('are added and removed later, and an attempt that has begun stays', async () => {
      const [third, fourth] = [await server.user(), await server.user()];
      const session = await plan([mine.id], {}, admin);
      const at = `${path}/${session.id}/users`;
      const add = (...users: TestUser[]) => server.post(at, admin.token, { user_ids: users.map(({ id }) => id) });
      assert.equal((await add(mine, other, third)).body.chosen_students, 3);
      is(await add(fourth), 409, 'too_many_session_users');
      const attempt = await runAttempt(server, mine, session);
      const all = await server.get(`${at}?page_size=2`, admin.token);
      assert.deepEqual([all.body.length, all.headers.get('x-total-count')], [2, '3']);
      const [row] = (await server.get(`${at}?q=${mine.username}`, admin.token)).body;
      assert.deepEqual([row.user_id, row.attempts], [mine.id, 1]);
      assert.equal((await server.delete(`${at}/${mine.id}`, admin.token)).status, 200);
      assert.equal((await server.delete(`${at}/${mine.id}`, admin.token)).status, 404);
      assert.equal((await server.delete(`${at}/${admin.id}`, admin.token)).status, 404, 'its instructor');
      assert.equal((await server.get(`${path}/${session.id}`, mine.token)).status, 404);
      assert.equal((await server.get('/api/exams/attempts/active', mine.token)).body.id, attempt);
      const room = (await server.get(`${path}/${session.id}/room`, admin.token)).body;
      assert.deepEqual(ids(room.students).sort(), [mine.id, other.id, third.id].sort(), 'with an attempt');
      assert.equal(
        (await server.post(`${path}/${session.id}/extend`, admin.token, { minutes: 5, user_id: mine.id })).status,
        200,
      );
      const ofClass = await openSession(server, admin, {
        exam_id: session.exam_id,
        class_id: await schoolClass(server, admin, []),
      });
      for (const answer of [
        await server.get(`${path}/${ofClass.id}/users`, admin.token),
        await server.post(`${path}/${ofClass.id}/users`, admin.token, { user_ids: [mine.id] }),
        await server.delete(`${path}/${ofClass.id}/users/${mine.id}`, admin.token),
      ])
        is(answer, 409, 'conflict');
      await assert.rejects(
        server.application.db
          .insertInto('exam_session_users')
          .values({ session_id: ofClass.id, user_id: mine.id })
          .execute(),
        /exam_session_users_session_id_is_for_chosen_fkey/,
      );
      const log = await server.get(`/api/admin/activity?entity_type=exam_session&entity_id=${session.id}`, admin.token);
      assert.ok(['users_add', 'user_remove'].every((act) => log.text.includes(`exam_session_${act}`)));
    });

    it('are found by name and by a list of names, within the scope of the instructor', async () => {
      const found = async (by: TestUser, q: string) =>
        ids((await server.get(`${path}/candidates?q=${q}`, by.token)).body);
      assert.deepEqual(await found(teacher, mine.username), [mine.id]);
      assert.deepEqual(await found(teacher, other.username), hidden ? [] : [other.id]);
      assert.deepEqual(await found(admin, teacher.username), [], 'no instructors');
      const inactive = await server.user();
      await server.application.db
        .updateTable('users')
        .set({ is_active: false })
        .where('id', '=', inactive.id)
        .execute();
      const names = [` ${mine.email.toUpperCase()} `, mine.username, 'nobody', other.username, inactive.email];
      const { students, problems } = (await server.post(`${path}/candidates`, admin.token, { names })).body;
      assert.deepEqual(ids(students), [mine.id, other.id]);
      const all = [
        { index: 1, problem: 'repeated' },
        { index: 2, problem: 'unknown' },
        { index: 4, problem: 'inactive' },
      ];
      assert.deepEqual(problems, all);
      const own = (await server.post(`${path}/candidates`, teacher.token, { names })).body;
      assert.deepEqual(ids(own.students), hidden ? [mine.id] : [mine.id, other.id]);
    });

    it('have accommodations, messages and own breaks, also none at all', async () => {
      const session = await plan([mine.id]);
      const at = `${path}/${session.id}`;
      const give = (user: TestUser, json: object) => server.put(`${at}/accommodations/${user.id}`, teacher.token, json);
      assert.equal((await give(other, { time_factor: 2 })).status, 404);
      assert.equal((await give(mine, { time_factor: 2, break_minutes: 0 })).body.break_minutes, 0);
      const tooLong = await give(mine, { break_minutes: 46 });
      assert.deepEqual([tooLong.status, tooLong.body.detail[0].type], [422, 'less_than_equal']);
      assert.equal((await server.get(at, mine.token)).body.time_limit_minutes, 60);
      const send = (user_id: number) => server.post(`${at}/message`, teacher.token, { text: 'Hello', user_id });
      assert.deepEqual([(await send(mine.id)).status, (await send(other.id)).status], [201, 404]);
    });

    it('have no breaks where the session gives none, although the class does', async () => {
      const class_id = await schoolClass(server, admin, [mine]);
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const session = await openSession(server, admin, { exam_id, class_id });
      await runAttempt(server, mine, session);
      const general = { break_minutes: 10 };
      await server.put(`/api/classes/${class_id}/accommodations/${mine.id}`, admin.token, general);
      const left = async () => (await server.get('/api/exams/attempts/active', mine.token)).body.break_seconds_left;
      assert.equal(await left(), 600);
      await server.put(`${path}/${session.id}/accommodations/${mine.id}`, admin.token, { break_minutes: 0 });
      assert.equal(await left(), null);
    });

    it('are forecast, reminded and prepared for like those of a class', async () => {
      const { db } = server.application;
      const session = await plan([mine.id]);
      const window = { opens_at: minutes(0), closes_at: minutes(10) };
      const forecast = async (users: TestUser[]) =>
        (await server.post(`${path}/forecast`, teacher.token, { ...window, user_ids: users.map(({ id }) => id) })).body;
      assert.equal((await forecast([mine, other])).students, hidden ? 1 : 2);
      assert.equal((await forecast([other])).others > 0, true, 'the student of the other session');
      const backwards = { opens_at: minutes(10), closes_at: minutes(0), user_ids: [mine.id] };
      assert.equal((await server.post(`${path}/forecast`, teacher.token, backwards)).status, 422);
      const expected = async () => {
        const options = { expectedMinutes: 10, expectedHours: 1 };
        const { rows } = await sql<{ total: number }>`select coalesce(sum(expected), 0)::int as total
          from ${expectedStarts(options)} as starts`.execute(db);
        return rows[0]?.total ?? 0;
      };
      const before = await expected();
      await server.delete(`${path}/${session.id}/users/${mine.id}`, teacher.token);
      assert.equal(await expected(), before - 1);
      await server.post(`${path}/${session.id}/users`, teacher.token, { user_ids: [mine.id] });
      await new DueStore(db, { days: 30, minutesLeft: [], hoursBeforeDue: 1 }).write();
      const told = async () =>
        (await server.get('/api/notifications', mine.token)).body.map(
          ({ kind, class_name }: Record<string, unknown>) => [kind, class_name],
        );
      assert.deepEqual(await told(), [['exam_opens', null]]);
      await server.delete(`${path}/${session.id}/users/${mine.id}`, teacher.token);
      assert.deepEqual(await told(), []);
    });

    it('see the exam of a course for classes only', async () => {
      const course = await server.post('/api/admin/lessons/courses', admin.token, {
        name: `Closed`,
        is_class_only: true,
      });
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course.body.id });
      const seen = async (user: TestUser) => [
        (await server.get(`/api/exams/${exam_id}`, user.token)).status,
        (await server.get('/api/exams', user.token)).body.some(({ id }: { id: number }) => id === exam_id),
      ];
      assert.deepEqual(await seen(mine), [404, false]);
      const session = await openSession(server, teacher, { exam_id, user_ids: [mine.id] });
      assert.deepEqual(
        [await seen(mine), await seen(other)],
        [
          [200, true],
          [404, false],
        ],
      );
      assert.equal((await server.delete(`${path}/${session.id}`, teacher.token)).status, 200);
    });

    it('have a limited number of sessions of one instructor', async () => {
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const create = async () => await server.post(path, teacher.token, { exam_id, user_ids: [mine.id], ...times() });
      for (let count = 0; count < 6; count += 1) assert.equal((await create()).status, 201);
      is(await create(), 409, 'too_many_exam_sessions');
    });
  });
