import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { DueStore } from '../../src/features/notifications/due-store.ts';
import { EventReader } from '../event-reader.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { lockWaits } from '../lock-waits.ts';
import { makeAssessment } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

type Notification = {
  key: string;
  kind: string;
  title: string;
  minutes: number | null;
  is_read: boolean;
  attempt_id: number | null;
};

describe('announcements, deadlines and notifications', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    const limits = { notificationSeconds: 1, maxAnnouncements: 4, maxNotificationStreamsPerUser: 2 };
    server = await TestServer.start(limits, {}, 2);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const list = async (user: TestUser): Promise<Notification[]> =>
    (await server.get('/api/notifications', user.token)).body;
  const kindsOf = async (user: TestUser) =>
    (await list(user)).filter(({ is_read }) => !is_read).map(({ kind }) => kind);
  const find = async (user: TestUser, kind: string): Promise<Notification | undefined> =>
    (await list(user)).find((one) => one.kind === kind);
  const announce = (by: TestUser, fields: object) =>
    server.post('/api/announcements', by.token, { title: 'Room 12', ...fields });
  const titles = async (user: TestUser, query = ''): Promise<string[]> => {
    const { status, body, text } = await server.get(`/api/announcements${query}`, user.token);
    assert.equal(status, 200, text);
    return body.map(({ title }: { title: string }) => title);
  };
  const setAttempt = (id: number, fields: object) =>
    server.application.db.updateTable('attempts').set(fields).where('id', '=', id).execute();

  describe('announcements', () => {
    it('are made for a class by its instructors, and read by its members', async () => {
      const [member, stranger] = [await server.user(), await server.user()];
      const class_id = await schoolClass(server, teacher, [member]);
      const made = await announce(teacher, { class_id, text: 'Bring *nothing*.' });
      assert.equal(made.status, 201, made.text);
      const { id, ...rest } = made.body;
      assert.deepEqual(
        [rest.class_id, rest.class_name, rest.author, rest.is_shown, rest.is_read, rest.may_change, rest.edited_at],
        [class_id, 'Exam class', teacher.username, true, true, true, null],
      );
      assert.deepEqual(await titles(member), ['Room 12']);
      assert.deepEqual(await titles(stranger), []);
      assert.equal((await server.get(`/api/announcements?class_id=${class_id}`, stranger.token)).status, 404);
      assert.equal((await announce(member, { class_id })).status, 403);
      assert.equal((await announce(stranger, { class_id })).status, 404);
      assert.equal((await announce(teacher, {})).status, 403, 'to everybody only by administrators');

      const at = `/api/announcements/${id}`;
      assert.equal((await server.put(at, member.token, { title: 'Mine' })).status, 403);
      assert.equal((await server.put(at, stranger.token, { title: 'Mine' })).status, 404);
      const changed = await server.put(at, teacher.token, { title: 'Room 14' });
      assert.deepEqual([changed.body.title, changed.body.edited_at !== null], ['Room 14', true]);
      assert.equal((await server.put(at, teacher.token, { title: 'Room 14' })).body.edited_at, changed.body.edited_at);

      assert.deepEqual(await titles(member, '?is_read=false'), ['Room 14']);
      assert.equal((await server.post(`${at}/read`, stranger.token)).status, 404);
      for (const _time of [1, 2]) assert.equal((await server.post(`${at}/read`, member.token)).status, 200);
      assert.deepEqual([await titles(member, '?is_read=false'), await kindsOf(member)], [[], []]);
      assert.deepEqual(await titles(member, '?is_read=true'), ['Room 14']);

      assert.equal((await server.delete(at, member.token)).status, 403);
      assert.equal((await server.delete(at, teacher.token)).status, 200);
      assert.equal((await server.delete(at, teacher.token)).status, 404);
      const log = JSON.stringify((await server.get('/api/admin/activity', admin.token)).body);
      for (const type of ['create', 'update', 'delete']) assert.match(log, new RegExp(`announcement_${type}`));
    });

    it('are shown from and until a time, to others than their makers', async () => {
      const member = await server.user();
      const class_id = await schoolClass(server, teacher, [member]);
      const late = await announce(teacher, { class_id, title: 'Later', shows_from: minutes(60) });
      const past = await announce(teacher, {
        ...{ class_id, title: 'Past', shows_from: minutes(-60), shows_until: minutes(-30) },
      });
      assert.deepEqual([late.status, past.status], [201, 201]);
      assert.deepEqual([await titles(member), await kindsOf(member)], [[], []]);
      assert.deepEqual(await titles(teacher, `?class_id=${class_id}`), ['Later', 'Past']);
      assert.equal((await server.post(`/api/announcements/${late.body.id}/read`, member.token)).status, 404);
      const wrong = await announce(teacher, { class_id, shows_from: minutes(2), shows_until: minutes(1) });
      assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ['body', 'shows_until']]);

      await using events = await EventReader.open(server, '/api/notifications/events', member.token);
      assert.deepEqual((await events.next())?.data, []);
      const { db } = server.application;
      // Its time comes, without a request.
      await db
        .updateTable('announcements')
        .set({ shows_from: new Date(Date.now() - 1000) })
        .where('id', '=', late.body.id)
        .execute();
      const shown = await events.until((data: Notification[]) => data.length > 0);
      assert.deepEqual([shown[0].kind, shown[0].title, shown[0].is_read], ['announcement', 'Later', false]);
      await until(
        async () =>
          (await db.selectFrom('announcements').select('id').where('is_due', '=', false).execute()).length === 0,
        'the announcement to be due',
      );
    });

    it('are limited in number, and an archived class gets none', async () => {
      const class_id = await schoolClass(server, teacher, []);
      for (let made = 0; made < 4; made += 1) assert.equal((await announce(teacher, { class_id })).status, 201);
      const refused = await announce(teacher, { class_id });
      assert.deepEqual([refused.status, refused.code], [409, 'too_many_announcements']);
      await server.put(`/api/classes/${class_id}`, teacher.token, { is_archived: true });
      const archived = await announce(teacher, { class_id });
      assert.deepEqual([archived.status, archived.code], [409, 'class_archived']);
    });

    it('reach everybody who is connected to any process', async () => {
      const [one, other] = [await server.user(), await server.user()];
      await using first = await EventReader.open(server, '/api/notifications/events', one.token, server.urls[0]);
      await using second = await EventReader.open(server, '/api/notifications/events', other.token, server.urls[1]);
      await Promise.all([first.next(), second.next()]);
      const made = await announce(admin, { title: 'Holiday' });
      assert.equal(made.status, 201, made.text);
      const isThere = (data: Notification[]) => data.some(({ title }) => title === 'Holiday');
      await Promise.all([first.until(isThere), second.until(isThere)]);
      assert.equal((await server.delete(`/api/announcements/${made.body.id}`, admin.token)).status, 200);
      const isGone = (data: Notification[]) => !isThere(data);
      await Promise.all([first.until(isGone), second.until(isGone)]);
    });
  });

  describe('deadlines of laboratories', () => {
    let laboratory: number;
    let foreign: number;
    let course: number;
    before(async () => {
      const fresh = async (path: string, fields: object) => (await server.post(path, admin.token, fields)).body.id;
      course = await fresh('/api/admin/lessons/courses', { name: 'Course' });
      const section_id = await fresh('/api/admin/lessons/sections', { name: 'Section', course_id: course });
      laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id, title: 'Disks' });
      foreign = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { title: 'Foreign' });
    });
    const ofClass = async (members: readonly TestUser[]) => {
      const id = await schoolClass(server, teacher, members);
      await server.put(`/api/classes/${id}`, teacher.token, { course_ids: [course] });
      return { id, path: `/api/classes/${id}/deadlines` };
    };

    it('are set by instructors of the class, and seen by its students and in their calendar', async () => {
      const [member, stranger] = [await server.user(), await server.user()];
      const { id, path } = await ofClass([member]);
      const due_at = minutes(60 * 24 * 10);
      const set = await server.put(`${path}/${laboratory}`, teacher.token, { due_at });
      const shown = { class_id: id, class_name: 'Exam class', laboratory_id: laboratory, title: 'Disks' };
      const onTime = { is_extended: false, late_percent_per_day: null, late_floor_percent: 0 };
      assert.deepEqual([set.status, set.body], [200, { ...shown, ...onTime, due_at, passed_at: null }]);
      assert.equal((await server.put(`${path}/${foreign}`, teacher.token, { due_at })).status, 404);
      assert.equal((await server.put(`${path}/${laboratory}`, member.token, { due_at })).status, 403);
      assert.equal((await server.put(`${path}/${laboratory}`, stranger.token, { due_at })).status, 404);
      assert.equal((await server.get(path, stranger.token)).status, 404);
      for (const read of [path, '/api/deadlines', `/api/deadlines?laboratory_id=${laboratory}`])
        assert.deepEqual((await server.get(read, member.token)).body, [set.body], read);
      assert.deepEqual((await server.get('/api/deadlines', stranger.token)).body, []);
      assert.deepEqual((await server.get('/api/deadlines', teacher.token)).body, [], 'only of students');
      const calendar = await server.get('/api/exam-sessions/calendar.ics', member.token);
      assert.match(calendar.text, new RegExp(`UID:deadline-${id}-${laboratory}@.*\\r\\n.*\\r\\nDTSTART`));
      assert.deepEqual(await kindsOf(member), [], 'it is not near');

      await finishAttempt(server, member, 'laboratory', laboratory, [true]);
      const [own] = (await server.get('/api/deadlines', member.token)).body;
      assert.ok(own.passed_at < due_at);
      const progress = (await server.get(`/api/classes/${id}/progress`, teacher.token)).body;
      assert.equal(progress.subjects[0].due_at, due_at);
      assert.equal(progress.students[0].results[0].passed_at, own.passed_at);
      assert.equal((await server.delete(`${path}/${laboratory}`, member.token)).status, 403);
      assert.equal((await server.delete(`${path}/${laboratory}`, teacher.token)).status, 200);
      assert.equal((await server.delete(`${path}/${laboratory}`, teacher.token)).status, 404);
      const log = JSON.stringify((await server.get('/api/admin/activity', admin.token)).body);
      for (const type of ['set', 'delete']) assert.match(log, new RegExp(`laboratory_deadline_${type}`));
      await server.put(`/api/classes/${id}`, teacher.token, { is_archived: true });
      const archived = await server.put(`${path}/${laboratory}`, teacher.token, { due_at });
      assert.deepEqual([archived.status, archived.code], [409, 'class_archived']);
    });

    it('notify the students who have not passed, and again after a change', async () => {
      const [idle, done] = [await server.user(), await server.user()];
      const { id, path } = await ofClass([idle, done]);
      await finishAttempt(server, done, 'laboratory', laboratory, [true]);
      const set = (due_at: string) => server.put(`${path}/${laboratory}`, teacher.token, { due_at });
      await set(minutes(120));
      await until(async () => (await kindsOf(idle)).includes('deadline'), 'the notification');
      const [found] = await list(idle);
      assert.deepEqual([found?.key, found?.title], [`deadline:${id}:${laboratory}`, 'Disks']);
      assert.equal((await kindsOf(done)).includes('deadline'), false);
      await server.post('/api/notifications/read', idle.token, {});
      assert.deepEqual(await kindsOf(idle), []);
      await set(minutes(180));
      await until(async () => (await kindsOf(idle)).includes('deadline'), 'another notification');
      // Users who have left the class are no longer notified of it.
      await server.delete(`/api/classes/${id}/members/${idle.id}`, teacher.token);
      assert.deepEqual(await list(idle), []);
    });
  });

  describe('notifications', () => {
    // Long: one exam session, from its opening to its results.
    it('tell what happens in an exam session, and no results that are withheld', async () => {
      const student = await server.user();
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Final' });
      const class_id = await schoolClass(server, teacher, [student]);
      await using events = await EventReader.open(server, '/api/notifications/events', student.token);
      const session = await openSession(server, teacher, { exam_id, class_id, results_visible: 'when_released' });
      const has = (kind: string) => (data: Notification[]) => data.some((one) => one.kind === kind && !one.is_read);
      const opened = await events.until(has('exam_opens'));
      assert.deepEqual(
        [opened[0].title, opened[0].exam_id, opened[0].class_name, opened[0].until],
        ['Final', exam_id, 'Exam class', session.closes_at],
      );

      const attempt = await runAttempt(server, student, session, { started: minutes(-25), expires: minutes(8) });
      const left = await events.until(has('time_left'));
      assert.deepEqual([left[0].kind, left[0].minutes, left[0].attempt_id], ['time_left', 10, attempt]);
      await setAttempt(attempt, { expires_at: new Date(minutes(1.5)) });
      await until(async () => (await find(student, 'time_left'))?.minutes === 2, 'the second reminder');

      const at = `/api/exam-sessions/${session.id}`;
      await setAttempt(attempt, { expires_at: new Date(minutes(5)) });
      await server.post(`${at}/extend`, teacher.token, { minutes: 15 });
      await until(async () => (await find(student, 'more_time')) !== undefined, 'more time');
      assert.equal(await find(student, 'time_left'), undefined);
      await server.post('/api/notifications/read', student.token, {});
      await server.post(`${at}/pause`, teacher.token);
      await server.application.db
        .updateTable('attempts')
        .set({ paused_at: sql`now() - interval '5 minutes'` })
        .where('id', '=', attempt)
        .execute();
      assert.equal((await server.post(`${at}/resume`, teacher.token)).status, 200);
      assert.equal((await kindsOf(student)).includes('more_time'), false, 'a pause gives no time');

      await setAttempt(attempt, { status: 'grading' });
      await setAttempt(attempt, { status: 'finished', score: 1, passed: true, submitted_at: new Date() });
      assert.deepEqual(await list(student).then((all) => all.map(({ kind }) => kind)), ['exam_opens']);
      assert.equal((await server.post(`${at}/release`, teacher.token)).status, 200);
      const [found] = await list(student);
      assert.deepEqual([found?.kind, found?.key, found?.is_read], ['results', `results:${attempt}`, false]);
      await server.put(at, teacher.token, { results_visible: 'never' });
      assert.equal(await find(student, 'results'), undefined, 'withheld again');
    });

    it('report results at the end of an attempt, or after the close of its session', async () => {
      const student = await server.user();
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const class_id = await schoolClass(server, teacher, [student]);
      const session = await openSession(server, teacher, { exam_id, class_id, results_visible: 'after_close' });
      const attempt = await runAttempt(server, student, session);
      await setAttempt(attempt, { status: 'finished', score: 1, passed: true, submitted_at: new Date() });
      assert.equal(await find(student, 'results'), undefined);
      const closed = { opens_at: minutes(-30), closes_at: minutes(-1) };
      assert.equal((await server.put(`/api/exam-sessions/${session.id}`, teacher.token, closed)).status, 200);
      await until(async () => (await find(student, 'results')) !== undefined, 'the results');

      const other = await server.user();
      const alone = await runAttempt(server, other, { id: null as never, exam_id });
      await setAttempt(alone, { status: 'expired', score: 1, passed: true, submitted_at: new Date() });
      assert.deepEqual(await kindsOf(other), ['results']);
    });

    it('can be marked as read and switched off by kind, by their user only', async () => {
      const user = await server.user();
      const class_id = await schoolClass(server, teacher, [user]);
      const { body } = await announce(teacher, { class_id });
      const key = `announcement:${body.id}`;
      await server.post('/api/notifications/read', user.token, { keys: ['announcement:0', 'unknown'] });
      assert.deepEqual(await kindsOf(user), ['announcement']);
      await using events = await EventReader.open(server, '/api/notifications/events', user.token, server.urls[1]);
      await events.until((data: Notification[]) => data.length === 1);
      await server.post('/api/notifications/read', user.token, { keys: [key] });
      await events.until(([first]: Notification[]) => first?.is_read === true);
      assert.deepEqual(await titles(user, '?is_read=true'), ['Room 12']);

      const path = '/api/notifications/settings';
      const more = { results: true, deadline: true, supervision: true };
      const all = { exam_opens: true, time_left: true, more_time: true, ...more };
      assert.deepEqual((await server.get(path, user.token)).body, { ...all, announcement: true });
      const off = await server.put(path, user.token, { announcement: false, results: false });
      assert.deepEqual(off.body, { ...all, results: false, announcement: false });
      await events.until((data: Notification[]) => data.length === 0);
      assert.deepEqual(await list(user), []);
      const on = await server.put(path, user.token, { announcement: true });
      assert.deepEqual(on.body, { ...all, results: false, announcement: true });
      assert.equal((await server.put(path, user.token, { announcement: 'no' })).status, 422);
      assert.equal((await server.post('/api/notifications/read', user.token, { keys: [''] })).status, 422);
    });

    it('are streamed to a limited number of pages of a user, as long as the token is valid', async () => {
      const user = await server.user();
      const open = () => EventReader.open(server, '/api/notifications/events', user.token, server.urls[0]);
      await using one = await open();
      await using two = await open();
      await Promise.all([one.next(), two.next()]);
      const headers = { authorization: `Bearer ${user.token}` };
      const refused = await fetch(`${server.urls[0]}/api/notifications/events`, { headers });
      assert.deepEqual([refused.status, refused.headers.get('error-code')], [429, 'too_many_requests']);
      await server.delete(`/api/admin/users/${user.id}`, admin.token);
      while (await one.next());
      while (await two.next());
    });

    it('do not return while an attempt gets more time', async () => {
      const student = await server.user();
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const ends = { started: minutes(-25), expires: minutes(8) };
      const attempt = await runAttempt(server, student, { id: null as never, exam_id }, ends);
      const { db } = server.application;
      const due = new DueStore(db, { days: 30, minutesLeft: [10], hoursBeforeDue: 24 });
      await due.write();
      assert.equal((await find(student, 'time_left'))?.attempt_id, attempt);
      const writing = await db.transaction().execute(async (trx) => {
        const changed = trx.updateTable('attempts').set({ expires_at: new Date(minutes(20)) });
        await changed.where('id', '=', attempt).execute();
        let isWritten = false;
        const write = due.write().then(() => {
          isWritten = true;
        });
        await until(async () => isWritten || (await lockWaits(db)) > 0, 'the end of the run, or its wait');
        return { write };
      });
      await writing.write;
      assert.equal(await find(student, 'time_left'), undefined);
    });

    itLong('are deleted after their time', async () => {
      const user = await server.user();
      const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
      const { db } = server.application;
      for (const [index, days] of [31, 29].entries()) {
        const attempt = await runAttempt(server, user, { id: null as never, exam_id });
        await setAttempt(attempt, { status: 'finished', score: index, passed: true, submitted_at: new Date() });
        await db
          .updateTable('notifications')
          .set({ created_at: new Date(Date.now() - days * 86_400_000) })
          .where('attempt_id', '=', attempt)
          .execute();
      }
      const due = new DueStore(db, { days: 30, minutesLeft: [10], hoursBeforeDue: 24 });
      assert.equal(await due.clean(), 1);
      assert.equal((await list(user)).length, 1);
    });
  });
});
