import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Role } from '../../src/database/tables.ts';
import { EventReader } from '../event-reader.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { lockWaits } from '../lock-waits.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/exam-sessions';
/** The greatest numbers of supervisors of a session, and of sessions. */
const [maxSupervisors, maxSessions] = [4, 3];

for (const [scope, suite] of [
  ['all', describeLong],
  ['classes', describe],
] as const)
  suite(`supervisors of an exam session for chosen students, with INSTRUCTOR_SCOPE=${scope}`, () => {
    let server: TestServer;
    let admin: TestUser;
    let teacher: TestUser;
    let colleague: TestUser;
    let mine: TestUser;
    let other: TestUser;
    let exam: number;
    before(async () => {
      const limits = {
        maxExamSessionSupervisors: maxSupervisors,
        maxExamSessionsPerClass: maxSessions,
        examRoomSeconds: 1,
      };
      server = await TestServer.start({ INSTRUCTOR_SCOPE: scope, ...limits });
      admin = await server.user('admin');
      exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    });
    // The student is in the class of the instructor, the other one is in none of the instructors' classes.
    beforeEach(async () => {
      admin = await server.user('admin');
      [teacher, colleague] = [await server.user('instructor'), await server.user('instructor')];
      [mine, other] = [await server.user(), await server.user()];
      await teach(teacher, mine);
    });
    after(() => server?.[Symbol.asyncDispose]());

    const hidden = scope === 'classes';
    const teach = async (by: TestUser, student: TestUser) => {
      const { body } = await server.post('/api/classes', by.token, { name: 'Own' });
      const { status } = await server.post(`/api/classes/${body.id}/members`, admin.token, { user_id: student.id });
      assert.equal(status, 201);
    };
    const is = ({ status, code: answered }: Answer, expected: number, code: string) =>
      assert.deepEqual([status, answered], [expected, code]);
    const plan = (by = teacher, students = [mine]) =>
      openSession(server, by, { exam_id: exam, user_ids: students.map(({ id }) => id) });
    const at = ({ id }: { id: number }, user?: TestUser) =>
      `${path}/${id}/supervisors${user === undefined ? '' : `/${user.id}`}`;
    const add = (session: { id: number }, by: TestUser, user: TestUser) =>
      server.post(at(session), by.token, { user_id: user.id });
    const added = async (session: { id: number }, by: TestUser, ...users: TestUser[]) => {
      for (const user of users) assert.equal((await add(session, by, user)).status, 201);
    };
    const remove = (session: { id: number }, by: TestUser, user: TestUser) =>
      server.delete(at(session, user), by.token);
    const names = async (session: { id: number }, by = admin) =>
      (await server.get(at(session), by.token)).body.map(({ username }: TestUser) => username);
    const notices = async (session: { id: number }, { token }: TestUser) =>
      (await server.get('/api/notifications', token)).body.filter(
        ({ kind, session_id }: { kind: string; session_id: number }) =>
          kind === 'supervision' && session_id === session.id,
      );
    const sorted = (...users: TestUser[]) => users.map(({ username }) => username).sort();
    const setRole = async (user: TestUser, role: Role) =>
      assert.equal((await server.put(`/api/admin/users/${user.id}/role`, admin.token, { role })).status, 200);
    const deactivate = async (user: TestUser) =>
      assert.equal((await server.put(`/api/admin/users/${user.id}`, admin.token, { is_active: false })).status, 200);
    const waiting = async (count: number): Promise<void> =>
      await until(
        async () => (await lockWaits(server.application.db)) === count,
        `${count} requests that wait for a lock`,
      );

    // Long: the same is read by the creator and by the colleague.
    it('are added by each other and by administrators, and see all that the creator sees', async () => {
      const session = await plan(admin, [mine, other]);
      const foreign = await server.get(`${path}/${session.id}/room`, colleague.token);
      assert.equal(foreign.status, hidden ? 404 : 200);
      is(await add(session, colleague, colleague), hidden ? 404 : 403, hidden ? 'not_found' : 'forbidden');
      const byName = await server.post(at(session), admin.token, { username: teacher.username.toUpperCase() });
      const { added_at, ...rest } = byName.body;
      const { id: user_id, username, email } = teacher;
      assert.deepEqual([byName.status, rest], [201, { user_id, username, full_name: null, email }]);
      assert.ok(Date.parse(added_at) > Date.parse(session.created_at));
      const byAddress = await server.post(at(session), teacher.token, { username: colleague.email });
      assert.equal(byAddress.status, 201, byAddress.text);
      assert.deepEqual(await names(session, colleague), sorted(admin, teacher, colleague));

      for (const [user, count] of [
        [teacher, 1],
        [colleague, 1],
        [admin, 0],
      ] as const)
        assert.equal((await notices(session, user)).length, count, `${user.username}: ${count}`);

      const attempt = await runAttempt(server, other, session);
      const { db } = server.application;
      await db.updateTable('attempts').set({ grading_error: 'No answer' }).where('id', '=', attempt).execute();
      await server.put(`${path}/${session.id}/accommodations/${mine.id}`, teacher.token, { time_factor: 2 });
      const root = `${path}/${session.id}`;
      for (const rest of ['', '/room', '/users', '/accommodations', '/supervisors']) {
        const [theirs, own] = [
          await server.get(root + rest, admin.token),
          await server.get(root + rest, colleague.token),
        ];
        assert.deepEqual([own.status, own.body], [200, theirs.body], rest);
      }
      const listed = (await server.get(`${path}?is_for_chosen=true`, colleague.token)).body;
      assert.equal(listed.find(({ id }: { id: number }) => id === session.id)?.my_role, 'instructor');
      assert.match((await server.get(`${path}/calendar.ics`, colleague.token)).text, /DESCRIPTION:Trial\r/);
      const overview = (await server.get('/api/instructor/overview', colleague.token)).body;
      assert.deepEqual(
        [overview.open_sessions.map(({ id }: { id: number }) => id), overview.failed_gradings[0]?.attempt_id],
        [[session.id], attempt],
      );
      assert.equal((await server.get('/api/first-steps', colleague.token)).status, 200);
      await using events = await EventReader.open(server, `${root}/room/events`, colleague.token);
      assert.equal((await events.next())?.data.students.length, 2);
      assert.equal((await remove(session, teacher, colleague)).status, 200);
      while (hidden && (await events.next()));
      assert.equal((await notices(session, colleague)).length, 0);
      const log = await server.get(`/api/admin/activity?entity_type=exam_session&entity_id=${session.id}`, admin.token);
      const acts = log.body.map(({ type, user_id: of }: { type: string; user_id: number }) => `${type} ${of}`);
      for (const act of [`add ${teacher.id}`, `add ${colleague.id}`, `remove ${colleague.id}`])
        assert.ok(acts.includes(`exam_session_supervisor_${act}`), `${act} is not in ${acts}`);
    });

    it('do what the creator does, and see no more students elsewhere', async () => {
      const session = await plan(admin, [other]);
      await added(session, admin, colleague);
      const root = `${path}/${session.id}`;
      const act = (rest: string, json?: object) => server.post(root + rest, colleague.token, json);
      assert.equal((await server.put(root, colleague.token, { title: 'Resit' })).body.title, 'Resit');
      assert.equal((await act('/message', { text: 'Hello', user_id: other.id })).status, 201);
      for (const rest of ['/pause', '/resume']) assert.equal((await act(rest)).status, 200);
      assert.equal((await act('/extend', { minutes: 5 })).status, 200);
      const chosen = await act('/users', { user_ids: [mine.id] });
      assert.equal(chosen.status, hidden ? 422 : 200, 'a student of the class of somebody else');

      const attempt = await finishAttempt(server, other, 'exam', exam, [true]);
      const { db } = server.application;
      await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
      const room = (await server.get(`${root}/room`, colleague.token)).body;
      const shown = room.students.find(({ user_id }: { user_id: number }) => user_id === other.id);
      assert.deepEqual([shown.status, shown.passed], ['finished', true]);
      for (const more of [`/api/instructor/attempts/${attempt}`, `/api/exams/attempts/${attempt}/results`])
        assert.equal((await server.get(more, colleague.token)).status, 200, more);
      const found = await server.get(`/api/instructor/attempts?user_id=${other.id}`, colleague.token);
      assert.equal(found.body.length, 1);
      // Outside of the session the student is out of sight.
      await db.updateTable('attempts').set({ session_id: null }).where('id', '=', attempt).execute();
      const outside = await server.get(`/api/instructor/attempts?user_id=${other.id}`, colleague.token);
      assert.equal(outside.body.length, hidden ? 0 : 1);
      assert.equal((await act('/end', {})).status, 200);
      assert.equal((await server.delete(root, colleague.token)).status, 200);
    });

    // Long: each refusal of one session.
    it('are active instructors and administrators who do not take part yet, up to a maximum number', async () => {
      const session = await plan();
      const name = (json: object, by = teacher) => server.post(at(session), by.token, json);
      assert.equal((await name({})).body.detail[0].type, 'missing');
      assert.equal((await name({ user_id: colleague.id, username: colleague.username })).status, 422);
      is(await name({ user_id: mine.id }), 404, 'not_found');
      is(await name({ username: other.username }, admin), 404, 'not_found');
      is(await name({ username: 'nobody' }), 404, 'not_found');
      const inactive = await server.user('instructor');
      await deactivate(inactive);
      is(await name({ username: inactive.email }), 404, 'not_found');
      is(await name({ user_id: teacher.id }), 409, 'already_member');
      await added(session, teacher, colleague);
      is(await name({ username: colleague.username }), 409, 'already_member');
      const promoted = await server.user();
      assert.equal(
        (await server.post(`${path}/${session.id}/users`, admin.token, { user_ids: [promoted.id] })).status,
        200,
      );
      await setRole(promoted, 'instructor');
      is(await name({ user_id: promoted.id }), 409, 'already_member');

      for (const [user, status] of [
        [mine, 403],
        [other, 404],
        [await server.user('instructor'), hidden ? 404 : 403],
      ] as const) {
        assert.equal((await name({ user_id: admin.id }, user)).status, status);
        assert.equal((await remove(session, user, colleague)).status, status);
        assert.equal(
          (await server.get(at(session), user.token)).status,
          status === 403 && user !== mine ? 200 : status,
        );
      }
      const none = { id: 2_000_000_000 };
      is(await server.get(at(none), teacher.token), 404, 'not_found');
      is(await add(none, teacher, colleague), 404, 'not_found');
      is(await remove(none, teacher, colleague), 404, 'not_found');
      await added(session, admin, admin, await server.user('instructor'));
      is(await name({ user_id: (await server.user('admin')).id }), 409, 'too_many_session_supervisors');
      assert.equal((await names(session)).length, maxSupervisors);
    });

    it('are those of the class in a session of a class', async () => {
      const class_id = await schoolClass(server, teacher, []);
      const session = await openSession(server, teacher, { exam_id: exam, class_id });
      is(await server.get(at(session), teacher.token), 409, 'conflict');
      is(await add(session, teacher, colleague), 409, 'conflict');
      is(await remove(session, teacher, teacher), 409, 'conflict');
    });

    it('remove each other and leave, but never the last one', async () => {
      const session = await plan();
      is(await remove(session, teacher, teacher), 409, 'last_session_supervisor');
      is(await remove(session, admin, teacher), 409, 'last_session_supervisor');
      await added(session, teacher, colleague);
      is(await remove(session, teacher, mine), 404, 'not_found');
      assert.equal((await remove(session, colleague, teacher)).status, 200);
      is(await remove(session, colleague, teacher), 404, 'not_found');
      assert.equal((await server.get(`${path}/${session.id}/room`, teacher.token)).status, hidden ? 404 : 200);
      assert.equal(
        (await server.put(`${path}/${session.id}`, teacher.token, { title: 'x' })).status,
        hidden ? 404 : 403,
      );
      await added(session, colleague, teacher);
      assert.equal((await remove(session, teacher, teacher)).status, 200);
      assert.deepEqual(await names(session), [colleague.username]);
      await added(session, admin, teacher);
      await deactivate(colleague);
      is(await remove(session, teacher, teacher), 409, 'last_session_supervisor');
      assert.equal((await remove(session, teacher, colleague)).status, 200);
    });

    it('leave one of two who remove each other at once', async () => {
      const session = await plan();
      await added(session, teacher, colleague);
      const { db } = server.application;
      const requests = await db.transaction().execute(async (trx) => {
        await sql`select from exam_sessions where id = ${session.id} for update`.execute(trx);
        const sent = [remove(session, teacher, colleague), remove(session, colleague, teacher)];
        await waiting(2);
        return { sent };
      });
      const statuses = (await Promise.all(requests.sent)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, hidden ? 404 : 403]);
      assert.equal((await names(session)).length, 1);
    });

    it('are not found when they are deleted meanwhile', async () => {
      const session = await plan();
      const { db } = server.application;
      const requests = await db.transaction().execute(async (trx) => {
        await sql`delete from users where id = ${colleague.id}`.execute(trx);
        const sent = add(session, teacher, colleague);
        await waiting(1);
        return { sent };
      });
      is(await requests.sent, 404, 'not_found');
    });

    it('supervise nothing when they are students, who can be chosen then', async () => {
      const closed = { name: 'Closed', is_class_only: true };
      const { body: course } = await server.post('/api/admin/lessons/courses', admin.token, closed);
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course.id });
      const session = await openSession(server, teacher, { exam_id, user_ids: [mine.id] });
      await added(session, teacher, colleague);
      await setRole(colleague, 'student');
      assert.deepEqual(await names(session), [teacher.username]);
      assert.equal((await server.get(`${path}/${session.id}`, colleague.token)).status, 404);
      assert.equal((await server.get(`${path}/${session.id}/room`, colleague.token)).status, 404);
      assert.equal((await server.get(`/api/exams/${exam_id}`, colleague.token)).status, 404);
      is(await remove(session, teacher, teacher), 409, 'last_session_supervisor');
      const choose = await server.post(`${path}/${session.id}/users`, admin.token, { user_ids: [colleague.id] });
      assert.equal(choose.body.chosen_students, 2);
      assert.equal((await server.get(`${path}/${session.id}`, colleague.token)).body.my_role, 'student');
      is(await remove(session, admin, colleague), 404, 'not_found');
    });

    it('can create as many sessions of their own as without those of others', async () => {
      const create = (by: TestUser) => {
        const times = { opens_at: minutes(-10), closes_at: minutes(60) };
        return server.post(path, by.token, { exam_id: exam, user_ids: [mine.id], ...times });
      };
      await teach(colleague, mine);
      const theirs = [await plan(), await plan(), await plan()];
      is(await create(teacher), 409, 'too_many_exam_sessions');
      for (const session of theirs) await added(session, teacher, colleague);
      is(await add(await plan(admin), admin, colleague), 409, 'too_many_exam_sessions');
      for (let count = 0; count < maxSessions; count += 1) assert.equal((await create(colleague)).status, 201);
      is(await create(colleague), 409, 'too_many_exam_sessions');

      // A creator who has left supervises the session as one of others, after an addition.
      assert.equal((await remove(theirs[0], teacher, teacher)).status, 200);
      await added(theirs[0], colleague, teacher);
      assert.equal((await create(teacher)).status, 201);
      is(await create(teacher), 409, 'too_many_exam_sessions');
    });

    it('are added to no more sessions than the maximum number by two who add at once', async () => {
      const free = await plan();
      for (const session of [await plan(), free]) await added(session, teacher, colleague);
      const [one, two] = [await plan(admin), await plan(admin)];
      const { db } = server.application;
      const requests = await db.transaction().execute(async (trx) => {
        await sql`select from users where id = ${colleague.id} for update`.execute(trx);
        const sent = [add(one, admin, colleague), add(two, admin, colleague)];
        await waiting(2);
        return { sent };
      });
      const statuses = (await Promise.all(requests.sent)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [201, 409]);
    });

    it('are kept by a deletion that is undone, unless one of them has too many sessions then', async () => {
      const session = await plan();
      await added(session, teacher, colleague);
      const undo = () =>
        server.post('/api/deletions/undo', teacher.token, { kind: 'exam_session', entity_id: session.id });
      const before = (await server.get(at(session), teacher.token)).body;
      const discard = () => server.delete(`${path}/${session.id}`, teacher.token);
      assert.equal((await discard()).status, 200);
      assert.equal((await undo()).status, 200);
      assert.deepEqual((await server.get(at(session), colleague.token)).body, before);
      // Sessions that the colleague has created do not count, and those of others do.
      await teach(colleague, mine);
      for (let count = 0; count < maxSessions; count += 1) await plan(colleague);
      assert.equal((await discard()).status, 200);
      assert.equal((await undo()).status, 200);
      assert.equal((await discard()).status, 200);
      const others = [await plan(admin), await plan(admin), await plan(admin)];
      for (const one of others) await added(one, admin, colleague);
      is(await undo(), 409, 'too_many_exam_sessions');
      assert.equal((await remove(others[0], admin, colleague)).status, 200);
      assert.equal((await undo()).status, 200);
      assert.deepEqual((await server.get(at(session), colleague.token)).body, before);
    });
  });
