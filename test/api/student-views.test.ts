import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { StudentViewStore } from '../../src/features/classes/student-view-store.ts';
import type { ApiDocument } from '../documented-answers.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { shownInViews as shown } from './shown-in-views.ts';

const secretKey = 'k'.repeat(40);
const sign = (claims: object): string => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', secretKey).update(content).digest('base64url')}`;
};
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describeLong("a view of a student's pages", { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  let classId: number;
  let otherClass: number;
  before(async () => {
    server = await TestServer.start({ SECRET_KEY: secretKey, REQUESTS_PER_MINUTE: '100000' });
    [admin, teacher, student] = [await server.user('admin'), await server.user('instructor'), await server.user()];
    await server.put('/api/profile/me', teacher.token, { full_name: 'Grace Hopper' });
    classId = await schoolClass(server, teacher, [student]);
    otherClass = await schoolClass(server, await server.user('instructor'), []);
    await server.post(`/api/classes/${otherClass}/members`, admin.token, { user_id: student.id });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const pathOf = (id: number, of = classId) => `/api/classes/${of}/members/${id}/view`;
  const begin = (viewer: TestUser, of: TestUser = student, in_ = classId) =>
    server.post(pathOf(of.id, in_), viewer.token);
  /** A token of the teacher's view of a student. */
  const look = async (viewer = teacher, of = student): Promise<string> => {
    const { status, body, text } = await begin(viewer, of);
    assert.equal(status, 200, text);
    return body.access_token;
  };
  const isOver = async (token: string, why: string) =>
    assert.equal((await server.get('/api/dashboard/stats', token)).status, 401, why);

  it('shows what the pages of the student show, for 15 minutes', async () => {
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const { body } = await begin(teacher);
    assert.deepEqual([body.expires_in, body.user.id, body.user.last_login_at], [900, student.id, null]);
    const token = body.access_token;
    for (const path of ['/api/dashboard/stats', `/api/exams/attempts/${attempt}/results`, `/api/exams/${exam}`])
      assert.deepEqual((await server.get(path, token)).body, (await server.get(path, student.token)).body, path);
    const attempts = await server.get('/api/exams/attempts', token);
    assert.deepEqual(
      attempts.body.map(({ id }: { id: number }) => id),
      [attempt],
    );
  });

  it('refuses every operation but those, whatever its ids', async () => {
    const token = await look();
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    const wrong: string[] = [];
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { 'x-access': access }] of Object.entries(methods)) {
        if (access === 'public' || access === 'own') continue;
        const name = `${method.toUpperCase()} ${path}`;
        const url = path.replace('/classes/{id}', `/classes/${classId}`).replace(/\{[^}]+\}/g, String(student.id));
        const { status, code } = await server.request(method.toUpperCase(), url, { token });
        const isRefused = status === 403 && code === 'student_view';
        if (isRefused === shown.includes(name) || status === 401 || status >= 500)
          wrong.push(`${name}: ${status} ${code}`);
      }
    assert.deepEqual(wrong, []);
    // A read by another method is none.
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${server.url}/api/exams`, { method: 'HEAD', headers })).status, 403);
  });

  it('shows no other class, and no session or deadline of one', async () => {
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const mine = await openSession(server, teacher, { exam_id, class_id: classId });
    await openSession(server, admin, { exam_id, class_id: otherClass });
    await openSession(server, admin, { exam_id, user_ids: [student.id] });
    for (const its of [classId, otherClass]) {
      const course = (await server.post('/api/admin/lessons/courses', admin.token, { name: `Of ${its}` })).body.id;
      const section = { name: 'Section', course_id: course };
      const section_id = (await server.post('/api/admin/lessons/sections', admin.token, section)).body.id;
      const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id });
      await server.put(`/api/classes/${its}`, admin.token, { course_ids: [course] });
      const due = { due_at: minutes(60) };
      const set = await server.put(`/api/classes/${its}/deadlines/${laboratory}`, admin.token, due);
      assert.equal(set.status, 200, set.text);
    }
    const token = await look();
    const ids = async (path: string, name: string, of = token) =>
      (await server.get(path, of)).body.map((row: Record<string, number>) => row[name]);
    assert.deepEqual(await ids('/api/classes', 'id'), [classId]);
    assert.deepEqual(await ids('/api/exam-sessions', 'id'), [mine.id]);
    assert.deepEqual(await ids('/api/deadlines', 'class_id'), [classId]);
    for (const path of ['classes', 'exam-sessions', 'deadlines'])
      assert.ok((await ids(`/api/${path}`, 'id', student.token)).length > 1, path);
    for (const path of ['', '/deadlines', '/grades/mine'])
      assert.equal((await server.get(`/api/classes/${otherClass}${path}`, token)).code, 'student_view');
  });

  it('is for instructors of the class, and of its students only', async () => {
    const [colleague, outsider, tutor, classmate] = [
      ...[await server.user('instructor'), await server.user('instructor'), await server.user(), await server.user()],
    ] as [TestUser, TestUser, TestUser, TestUser];
    for (const [user, role] of [
      [colleague, 'assistant'],
      [tutor, 'instructor'],
      [classmate, 'student'],
    ] as const)
      await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: user.id, role });
    const is = async (viewer: TestUser, of: TestUser, status: number, in_ = classId) =>
      assert.equal((await begin(viewer, of, in_)).status, status, `${viewer.username} at ${of.username}`);
    for (const viewer of [colleague, tutor, classmate]) await is(viewer, student, 403);
    // Without the class there is nothing to refuse; an instructor may see all classes, but looks at students of the own ones.
    assert.ok([403, 404].includes((await begin(outsider)).status));
    await is(teacher, colleague, 403);
    await is(teacher, teacher, 403);
    await is(teacher, tutor, 403);
    await is(teacher, outsider, 404);
    await is(teacher, student, 403, otherClass);
    await is(admin, student, 200);
    await is(admin, admin, 404);
    const token = await look(teacher, classmate);
    // An instructor who is a member as a student is none.
    await server.put(`/api/admin/users/${classmate.id}/role`, admin.token, { role: 'instructor' });
    await isOver(token, 'the student has become an instructor');
    await is(teacher, classmate, 403);
  });

  it('ends with its time, with the next one, and when it is ended', async () => {
    const first = await look();
    const second = await look();
    await isOver(first, 'there is another view');
    const { view } = claimsOf(second);
    const { db } = server.application;
    await sql`update student_views set expires_at = clock_timestamp() where id = ${view}`.execute(db);
    await isOver(second, 'it has expired');
    await server.application.auth.logout({ ...(await row(student)), login: 'none' });
    const third = await look();
    assert.equal((await server.request('DELETE', pathOf(student.id), { token: third })).code, 'student_view');
    assert.equal((await server.request('DELETE', pathOf(student.id), { token: teacher.token })).status, 200);
    await isOver(third, 'the teacher has ended it');
    student = { ...student, token: (await login(student)).token };
  });

  it('ends with the rights and with the login of the teacher', async () => {
    const viewer = await server.user('instructor');
    const member = `/api/classes/${classId}/members/${viewer.id}`;
    const join = () =>
      server.post(`/api/classes/${classId}/members`, admin.token, { user_id: viewer.id, role: 'instructor' });
    await join();
    const ends: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['left the class', () => server.request('DELETE', member, { token: admin.token }), join],
      [
        'is an assistant',
        () => server.put(member, admin.token, { role: 'assistant' }),
        () => server.put(member, admin.token, { role: 'instructor' }),
      ],
      [
        'was deactivated',
        () => server.put(`/api/admin/users/${viewer.id}`, admin.token, { is_active: false }),
        () => server.put(`/api/admin/users/${viewer.id}`, admin.token, { is_active: true }),
      ],
      ['is a student', () => server.put(`/api/admin/users/${viewer.id}/role`, admin.token, { role: 'student' }), join],
    ];
    for (const [why, end, restore] of ends) {
      const { token } = await login(viewer);
      const seen = await look({ ...viewer, token });
      assert.equal((await server.get('/api/dashboard/stats', seen)).status, 200, why);
      await end();
      await isOver(seen, `the teacher ${why}`);
      await restore();
    }
    const again = await login(teacher);
    const seen = await look({ ...teacher, token: again.token });
    await server.post('/api/auth/logout', again.token);
    await isOver(seen, 'the teacher has logged out');
    teacher = { ...teacher, token: (await login(teacher)).token };
  });

  it('cannot be made from another token, or into one', async () => {
    const token = await look();
    const { view, exp } = claimsOf(token);
    assert.deepEqual(Object.keys(claimsOf(token)).sort(), ['exp', 'view']);
    const iat = Math.floor(Date.now() / 1000);
    const attacks: Record<string, object> = {
      'with a subject': { view, exp, sub: String(student.id) },
      'as a login of the student': { view, exp, sub: String(student.id), sid: `view:${view}`, iat },
      'as the viewer': { view, exp, sub: String(teacher.id) },
      'of an unknown view': { view: '01234567-89ab-4cde-8f01-23456789abcd', exp },
      'of no id': { view: `${view}'`, exp },
      'of a number': { view: 1, exp },
      'without an end': { view },
      'after its end': { view, exp: iat - 1 },
    };
    for (const [name, claims] of Object.entries(attacks)) await isOver(sign(claims), name);
    const [head, , signature] = token.split('.');
    const body = Buffer.from(JSON.stringify({ view, exp: exp + 3600 })).toString('base64url');
    await isOver(`${head}.${body}.${signature}`, 'prolonged without the key');
    // With the key, it still ends with its row.
    const { db } = server.application;
    await sql`update student_views set expires_at = clock_timestamp() where id = ${view}`.execute(db);
    await isOver(sign({ view, exp: exp + 3600 }), 'prolonged with the key');
    await isOver(await refreshed(token), 'refreshed');
  });

  it('opens no terminal, of the student or of another', async () => {
    const { db } = server.application;
    const container = { name: 'looked-at', user_id: student.id, kind: 'sandbox', image: 'none' } as const;
    const { id } = await db
      .insertInto('containers')
      .values({ ...container, status: 'failed' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = await look();
    for (const one of [id, id + 1]) {
      const client = new TerminalClient(`${server.url}/ws/terminal/${one}?token=${token}`);
      assert.equal((await client.closed).code, 4403);
    }
    await db.deleteFrom('containers').where('id', '=', id).execute();
  });

  it('counts as requests of the viewer', async () => {
    await using busy = await TestServer.start({ REQUESTS_PER_MINUTE: '40' });
    const [viewer, seen] = [await busy.user('instructor'), await busy.user()];
    const of = await schoolClass(busy, viewer, [seen]);
    const { access_token } = (await busy.post(`/api/classes/${of}/members/${seen.id}/view`, viewer.token)).body;
    const headers = { authorization: `Bearer ${access_token}` };
    let status = 200;
    // However slowly they are answered, some minute has too many.
    while (status === 200) ({ status } = await fetch(`${busy.url}/api/exams`, { headers }));
    assert.equal(status, 429);
    assert.equal((await busy.get('/api/exams', seen.token)).status, 200);
  });

  it('is in the log with its length, and in the activity of the student', async () => {
    const of = await server.user();
    await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: of.id });
    await look(teacher, of);
    await server.request('DELETE', pathOf(of.id), { token: teacher.token });
    await look(teacher, of);
    const { db } = server.application;
    await sql`update student_views set started_at = started_at - interval '20 minutes', expires_at = expires_at - interval '20 minutes'`.execute(
      db,
    );
    await new StudentViewStore(db).clean();
    const entries = (await server.get(`/api/admin/activity?user_id=${of.id}&actor_id=${teacher.id}`, admin.token)).body;
    const views = entries.filter(({ type }: { type: string }) => type.startsWith('student_view'));
    assert.deepEqual(
      views.map(({ type, title, details }: Record<string, unknown>) => [type, title, details]),
      [
        ['student_view_end', `User ${of.id}`, { seconds: 900 }],
        ['student_view', 'Grace Hopper', { class: 'Exam class', minutes: 15 }],
        ['student_view_end', `User ${of.id}`, views[2].details],
        ['student_view', 'Grace Hopper', { class: 'Exam class', minutes: 15 }],
      ],
    );
    assert.ok(views[2].details.seconds < 900);
    const own = (await server.get('/api/dashboard/activity', of.token)).body;
    assert.deepEqual(own.map(({ type, title }: Record<string, unknown>) => [type, title]).slice(0, 2), [
      ['student_view', 'Grace Hopper'],
      ['student_view', 'Grace Hopper'],
    ]);
  });

  const row = ({ id }: TestUser) =>
    server.application.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const login = async (user: TestUser) => {
    const { body, text } = await server.post('/api/auth/login', undefined, {
      ...{ username: user.username, password: user.password },
    });
    assert.ok(body.access_token, text);
    return { token: body.access_token as string };
  };
  const refreshed = async (token: string): Promise<string> =>
    (await server.post('/api/auth/refresh', token)).body.access_token ?? token;
});
