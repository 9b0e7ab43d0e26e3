import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { copiedParts } from '../../src/features/classes/copy-store.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

/** They are about the people of a class, or a trace of what happened in it. */
const keptParts = [
  'deadline_extensions',
  'class_accommodations',
  'class_join_codes',
  'class_members',
  'deletions',
  'lti_contexts',
  'provider_members',
  'notifications',
  'student_views',
];

describe('copies of classes', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  let source: number;
  let laboratory: number;
  let courseId: number;
  before(async () => {
    server = await TestServer.start({ SCHOOL_TIME_ZONE: 'Europe/Berlin' });
    [admin, teacher, student] = [await server.user('admin'), await server.user('instructor'), await server.user()];
    source = await schoolClass(server, teacher, [student]);
    courseId = await created('/api/admin/lessons/courses', { name: 'Shell' });
    const section_id = await created('/api/admin/lessons/sections', { name: 'First', course_id: courseId });
    laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id, title: 'Practice' });
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: courseId });
    await done(server.put(`/api/classes/${source}`, teacher.token, { course_ids: [courseId] }));
    // A Monday in winter, at 9:00 and 11:00 in Berlin.
    const times = { opens_at: '2027-01-11T08:00:00.000Z', closes_at: '2027-01-11T10:00:00.000Z' };
    const rules = {
      max_attempts: 2,
      networks: ['192.0.2.0/24'],
      results_visible: 'when_released',
      access_code: 'blue',
    };
    const session = await openSession(server, teacher, {
      ...{ exam_id, class_id: source, title: 'Final', ...times, ...rules },
    });
    await done(server.post(`/api/exam-sessions/${session.id}/release`, teacher.token, {}));
    await done(
      server.put(`${of(source)}/deadlines/${laboratory}`, teacher.token, { due_at: '2027-01-18T22:59:00.000Z' }),
    );
    await done(server.put(`${of(source)}/grade-book`, teacher.token, bookOf(exam_id)));
    await done(server.post(`${of(source)}/grade-columns`, teacher.token, { name: 'Essay', max_score: 10 }));
    const announcement = { class_id: source, title: 'Welcome', shows_from: '2027-01-04T08:00:00.000Z' };
    await done(server.post('/api/announcements', teacher.token, announcement));
  });
  after(() => server[Symbol.asyncDispose]());

  const of = (id: number) => `/api/classes/${id}`;
  const bookOf = (id: number) => ({
    missing: 'ignored',
    passing_percent: 60,
    subjects: [{ kind: 'exam', id, weight: 3 }],
  });
  const done = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer;
    assert.ok(status < 300, text);
    return body;
  };
  const created = async (path: string, json: object): Promise<number> =>
    (await done(server.post(path, admin.token, json))).id;
  const copy = (by: TestUser, json: object, id = source) => server.post(`${of(id)}/copy`, by.token, json);
  const read = (path: string) => done(server.get(path, teacher.token));

  it('have the same courses, sessions, deadlines, rules, columns and announcements, and none of the people', async () => {
    const made = await done(copy(teacher, { name: 'Next term', shift_days: 182 }));
    assert.deepEqual(
      [made.name, made.course_ids, made.member_count, made.my_role, made.is_archived],
      ['Next term', [courseId], 1, 'instructor', false],
    );
    const [before] = await read(`/api/exam-sessions?class_id=${source}`);
    const [session] = await read(`/api/exam-sessions?class_id=${made.id}`);
    assert.deepEqual(session, {
      ...{ ...before, id: session.id, class_id: made.id, class_name: 'Next term', created_at: session.created_at },
      // Half a year later the clock of Berlin is an hour further from UTC: the local time is the same.
      ...{ opens_at: '2027-07-12T07:00:00.000Z', closes_at: '2027-07-12T09:00:00.000Z', is_released: false },
    });
    assert.equal(session.has_access_code, true);
    const [deadline] = await read(`${of(made.id)}/deadlines`);
    assert.deepEqual([deadline.laboratory_id, deadline.due_at], [laboratory, '2027-07-19T21:59:00.000Z']);
    const grades = await read(`${of(made.id)}/grades`);
    const old = await read(`${of(source)}/grades`);
    assert.deepEqual([grades.rules, grades.subjects, grades.students], [old.rules, old.subjects, []]);
    assert.deepEqual(
      [grades.rules.missing, grades.columns.map(({ name }: { name: string }) => name)],
      ['ignored', ['Essay']],
    );
    const [announcement] = await read(`/api/announcements?class_id=${made.id}`);
    assert.deepEqual([announcement.title, announcement.shows_from], ['Welcome', '2027-07-05T07:00:00.000Z']);
  });

  it('are shown before: each date as it is and as it will be, with those on a weekend', async () => {
    const dates = await read(`${of(source)}/copy/dates?shift_days=187`);
    assert.deepEqual(
      dates.map(({ title, field, after, is_weekend }: Record<string, unknown>) => [title, field, after, is_weekend]),
      [
        ['Welcome', 'shows_from', '2027-07-10T07:00:00.000Z', true],
        ['Final', 'opens_at', '2027-07-17T07:00:00.000Z', true],
        ['Final', 'closes_at', '2027-07-17T09:00:00.000Z', true],
        ['Practice', 'due_at', '2027-07-24T21:59:00.000Z', true],
      ],
    );
    const same = await read(`${of(source)}/copy/dates`);
    for (const { before, after, is_weekend } of same) assert.deepEqual([after, is_weekend], [before, false]);
  });

  it('begin on a day that is given instead of a number of days', async () => {
    // The first date is Welcome, on 2027-01-04 in Berlin.
    const later = await read(`${of(source)}/copy/dates?starts_on=2027-07-05`);
    assert.deepEqual(later, await read(`${of(source)}/copy/dates?shift_days=182`));
    const made = await done(copy(teacher, { name: 'Summer', starts_on: '2027-07-05' }));
    const [session] = await read(`/api/exam-sessions?class_id=${made.id}`);
    assert.equal(session.opens_at, '2027-07-12T07:00:00.000Z');
    // The day is that of Berlin, where this one begins before it does in UTC.
    const class_id = await schoolClass(server, teacher, []);
    const night = { class_id, title: 'Night', shows_from: '2027-01-04T23:30:00.000Z' };
    await done(server.post('/api/announcements', teacher.token, night));
    const [{ after }] = await read(`${of(class_id)}/copy/dates?starts_on=2027-01-06`);
    assert.equal(after, '2027-01-05T23:30:00.000Z');
    const none = await schoolClass(server, teacher, []);
    await done(copy(teacher, { name: 'Undated', starts_on: '2027-01-06' }, none));
  });

  it('refuse a start that is no day, is too far away, or stands beside a number of days', async () => {
    for (const starts_on of ['2027-02-30', '2027-1-4', 'soon', '2027-01-04T08:00:00Z', '2037-01-13', '0001-01-01']) {
      const answer = await copy(teacher, { name: 'Far', starts_on });
      assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'starts_on']], starts_on);
      assert.equal((await server.get(`${of(source)}/copy/dates?starts_on=${starts_on}`, teacher.token)).status, 422);
    }
    assert.equal((await copy(teacher, { name: 'Both', shift_days: 0, starts_on: '2027-01-04' })).status, 422);
    assert.equal((await copy(student, { name: 'Mine', starts_on: '2027-01-04' })).status, 403);
  });

  it('close after they open where an hour of the clock exists twice', async () => {
    const class_id = await schoolClass(server, teacher, []);
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const times = { opens_at: '2027-10-31T00:30:00.000Z', closes_at: '2027-10-31T01:30:00.000Z' };
    await openSession(server, teacher, { exam_id, class_id, ...times });
    const made = await done(copy(teacher, { name: 'Later', shift_days: 7 }, class_id));
    const [session] = await read(`/api/exam-sessions?class_id=${made.id}`);
    assert.deepEqual([session.opens_at, session.closes_at], ['2027-11-07T01:30:00.000Z', '2027-11-07T01:31:00.000Z']);
  });

  it('are made by instructors of the class and administrators', async () => {
    const [other, stranger] = [await server.user('instructor'), await server.user()];
    for (const [user, status] of [
      [student, 403],
      [other, 403],
      [stranger, 404],
    ] as const) {
      assert.equal((await copy(user, { name: 'Mine' })).status, status);
      assert.equal((await server.get(`${of(source)}/copy/dates`, user.token)).status, status);
    }
    for (const json of [{}, { name: '' }, { name: 'Far', shift_days: 3661 }, { name: 'Half', shift_days: 0.5 }])
      assert.equal((await copy(teacher, json)).status, 422, JSON.stringify(json));
    const archived = await schoolClass(server, teacher, []);
    await done(server.put(of(archived), teacher.token, { is_archived: true }));
    assert.equal((await done(copy(admin, { name: 'Again' }, archived))).is_archived, false);
  });

  it('know every table of a class', async () => {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'class_id'`.execute(
      server.application.db,
    );
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...Object.keys(copiedParts), ...keptParts].sort());
  });
});
