import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import type { ApiDocument } from '../documented-answers.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { shownInViews } from './shown-in-views.ts';

const path = '/api/teaching/test-student';

/** What a test student does beside the reads of a view. An operation that is added is refused until it stands here and in `src/http/access/student-views.ts`. */
const done = [
  ...['GET /api/announcements', 'POST /api/announcements/{id}/read', 'GET /api/search'],
  'PUT /api/profile/recording-consent',
  ...['GET /api/notes', 'POST /api/notes', 'PUT /api/notes/{id}', 'DELETE /api/notes/{id}'],
  ...['POST /api/containers/create', 'GET /api/containers/{id}', 'DELETE /api/containers/{id}'],
  ...['start', 'stop', 'reset'].map((action) => `POST /api/containers/{id}/${action}`),
  ...['GET /api/containers/{id}/files', 'PUT /api/containers/{id}/files', 'GET /api/containers/{id}/terminals'],
  ...['exams', 'laboratories'].flatMap((kind) =>
    ['{id}/start', '{id}/submit', 'attempts/{id}/abandon'].map((action) => `POST /api/${kind}/${action}`),
  ),
  ...[
    'POST /api/laboratories/{id}/check',
    'POST /api/exams/attempts/{id}/break',
    'DELETE /api/exams/attempts/{id}/break',
  ],
  ...['POST', 'DELETE'].map((method) => `${method} /api/lessons/themes/{theme_id}/complete`),
  'GET /api/lessons/courses/{course_id}/teachers',
];

describeLong('a test student', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '100000', INSTRUCTOR_SCOPE: 'classes' });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** The token of a user's test student. */
  const preview = async (of = teacher): Promise<string> => {
    const { status, body, text } = await server.post(`${path}/view`, of.token);
    assert.equal(status, 200, text);
    return body.access_token;
  };
  const drop = async (of = teacher) =>
    assert.equal((await server.request('DELETE', path, { token: of.token })).status, 200);
  const isOver = async (token: string, why: string) =>
    assert.equal((await server.get('/api/dashboard/stats', token)).status, 401, why);
  const exists = async ({ id }: TestUser): Promise<boolean> => {
    const row = server.application.db.selectFrom('users').select('id').where('id', '=', -id);
    return (await row.executeTakeFirst()) !== undefined;
  };
  const ids = async (url: string, token: string): Promise<number[]> => {
    const { body, text } = await server.get(url, token);
    assert.ok(Array.isArray(body), text);
    return body.map(({ id }: { id: number }) => id);
  };

  it('is for instructors and administrators, each of whom has one', async () => {
    const student = await server.user();
    for (const [method, url] of [
      ['POST', `${path}/view`],
      ['DELETE', `${path}/view`],
      ['DELETE', path],
    ] as const)
      assert.equal((await server.request(method, url, { token: student.token })).code, 'instructor_required');
    const begun = await Promise.all([1, 2, 3].map(() => server.post(`${path}/view`, teacher.token)));
    assert.deepEqual(
      begun.map(({ status, body }) => [status, body.user.id, body.user.role, body.expires_in]),
      begun.map(() => [200, -teacher.id, 'student', 10_800]),
    );
    const valid = await Promise.all(begun.map(({ body }) => server.get('/api/dashboard/stats', body.access_token)));
    assert.deepEqual(valid.map(({ status }) => status).sort(), [200, 401, 401]);
    await preview(admin);
    await drop();
    assert.deepEqual([await exists(teacher), await exists(admin)], [false, true]);
    await drop();
  });

  it('does what students do, and nothing that reaches others or changes an account', async () => {
    const token = await preview();
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    const wrong: string[] = [];
    const student = await server.user();
    const classId = await schoolClass(server, teacher, []);
    await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id });
    const view = (await server.post(`/api/classes/${classId}/members/${student.id}/view`, teacher.token)).body;
    const own = await preview();
    await isOver(token, 'there was another view');
    await isOver(view.access_token, 'there is one of the test student');
    for (const [url, methods] of Object.entries(paths))
      for (const [method, { 'x-access': access }] of Object.entries(methods)) {
        if (access === 'public' || access === 'own') continue;
        const name = `${method.toUpperCase()} ${url}`;
        const given = url.replace('/classes/{id}', `/classes/${classId}`).replace(/\{[^}]+\}/g, '2000000000');
        const { status, code } = await server.request(method.toUpperCase(), given, { token: own });
        const isRefused = status === 403 && code === 'test_student';
        const isAllowed = shownInViews.includes(name) || done.includes(name);
        if (isRefused === isAllowed || status === 401 || status >= 500) wrong.push(`${name}: ${status} ${code}`);
      }
    assert.deepEqual(wrong, []);
  });

  it('finds the drafts of the courses that its teacher teaches', async () => {
    const [own, other] = [
      (await server.post('/api/teaching/courses', teacher.token, { name: 'Own', is_active: false })).body.id,
      (await server.post('/api/admin/lessons/courses', admin.token, { name: 'Other', is_active: false })).body.id,
    ];
    const inside = { course_id: own, is_active: false };
    const draft = await makeAssessment(server, admin, 'exam', ['echo PASS'], inside);
    const foreign = await makeAssessment(server, admin, 'exam', ['echo PASS'], { ...inside, course_id: other });
    for (const [who, sees] of [
      [teacher, [true, false]],
      [admin, [true, true]],
    ] as const) {
      const token = await preview(who);
      const courses = await ids('/api/lessons/courses', token);
      const exams = await ids('/api/exams', token);
      assert.deepEqual(
        [own, other].map((id) => courses.includes(id)),
        sees,
      );
      assert.deepEqual(
        [draft, foreign].map((id) => exams.includes(id)),
        sees,
      );
      for (const [index, id] of [draft, foreign].entries()) {
        const { status, body } = await server.get(`/api/exams/${id}`, token);
        assert.equal(status, sees[index] ? 200 : 404);
        // As students see it.
        if (status === 200) assert.equal('verification_script' in body.tasks[0], false);
      }
    }
    const student = await server.user();
    assert.equal((await server.get(`/api/exams/${draft}`, student.token)).status, 404);
  });

  it('is a student of the classes whose instructor its teacher is', async () => {
    const colleague = await server.user('instructor');
    const [own, other] = [await schoolClass(server, teacher, []), await schoolClass(server, colleague, [])];
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const sessions = [
      (await openSession(server, teacher, { class_id: own, exam_id: exam, title: 'Own' })).id,
      (await openSession(server, colleague, { class_id: other, exam_id: exam, title: 'Other' })).id,
    ];
    await server.put(`/api/classes/${own}/grade-book`, teacher.token, { is_visible: true });
    const token = await preview();
    const { body } = await server.get(`/api/classes/${own}`, token);
    assert.deepEqual([body.my_role, body.member_count], ['student', 1]);
    assert.equal((await server.get(`/api/classes/${other}`, token)).status, 404);
    assert.equal((await ids('/api/classes', token)).includes(other), false);
    const seen = await ids('/api/exam-sessions', token);
    assert.deepEqual(
      sessions.map((id) => seen.includes(id)),
      [true, false],
    );
    assert.equal((await server.get(`/api/classes/${own}/grades/mine`, token)).status, 200);
    // Its members stay as they were, and an assistant is nobody whose class it is.
    assert.equal((await server.get(`/api/classes/${own}/members`, teacher.token)).body.length, 1);
    await server.post(`/api/classes/${other}/members`, colleague.token, { user_id: teacher.id, role: 'assistant' });
    assert.equal((await server.get(`/api/classes/${other}`, token)).status, 404);
    const all = await preview(admin);
    for (const id of [own, other]) assert.equal((await server.get(`/api/classes/${id}`, all)).body.my_role, 'student');
  });

  it('is found by no name and no number', async () => {
    await preview();
    const name = `test student ${teacher.id}`;
    const classId = await schoolClass(server, teacher, []);
    for (const password of ['', 'password'])
      assert.equal(
        (await server.post('/api/auth/login', undefined, { username: name, password })).status === 200,
        false,
      );
    const registered = { username: name, email: 'test@example.com', password: 'a long password' };
    assert.equal((await server.post('/api/auth/register', undefined, registered)).status, 422);
    assert.deepEqual((await server.get('/api/admin/users?q=test%20student', admin.token)).body, []);
    assert.deepEqual(await ids(`/api/exam-sessions/candidates?q=${encodeURIComponent(name)}`, admin.token), []);
    for (const choice of [{ username: name }, { user_id: -teacher.id }]) {
      const { status } = await server.post(`/api/classes/${classId}/members`, admin.token, choice);
      assert.ok([404, 422].includes(status), `${JSON.stringify(choice)}: ${status}`);
    }
    for (const url of [`/api/admin/users/${-teacher.id}`, `/api/classes/${classId}/members/${-teacher.id}`])
      assert.equal((await server.request('DELETE', url, { token: admin.token })).status, 404);
  });

  it('ends with the login and the role of its teacher', async () => {
    const { token } = await signedIn(teacher);
    const seen = await preview({ ...teacher, token });
    await server.post('/api/auth/logout', token);
    await isOver(seen, 'the teacher has logged out');
    assert.ok(await exists(teacher), 'What it has done stays');
    teacher = { ...teacher, token: (await signedIn(teacher)).token };
    const ended = await preview();
    assert.equal((await server.request('DELETE', `${path}/view`, { token: teacher.token })).status, 200);
    await isOver(ended, 'the teacher has left it');
    const demoted = await server.user('instructor');
    const left = await preview(demoted);
    await server.put(`/api/admin/users/${demoted.id}/role`, admin.token, { role: 'student' });
    await isOver(left, 'the teacher is a student');
    assert.equal(await exists(demoted), false);
  });

  it('leaves nothing behind when it is deleted, or its teacher is', async () => {
    const [leaving, exam] = [
      await server.user('instructor'),
      await makeAssessment(server, admin, 'exam', ['echo PASS']),
    ];
    for (const remove of [
      () => drop(leaving),
      () => server.request('DELETE', `/api/admin/users/${leaving.id}`, { token: admin.token }),
    ]) {
      const test = { ...leaving, id: -leaving.id, token: await preview(leaving) };
      const theme = await newTheme();
      assert.equal((await server.post(`/api/lessons/themes/${theme}/complete`, test.token)).status, 200);
      const note = { theme_id: theme, excerpt: 'A paragraph' };
      assert.equal((await server.post('/api/notes', test.token, note)).status, 201);
      await finishAttempt(server, test, 'exam', exam, [true]);
      const container = { name: `of-test-${theme}`, user_id: test.id, kind: 'sandbox', image: 'none' } as const;
      const { db } = server.application;
      await db
        .insertInto('containers')
        .values({ ...container, status: 'failed' })
        .execute();
      assert.deepEqual(Object.keys(await rowsOf(test.id)).sort(), [
        ...['attempts', 'containers', 'lesson_notes', 'progress_versions', 'student_views', 'theme_progress'],
      ]);
      await remove();
      assert.deepEqual(await rowsOf(test.id), {});
      assert.equal(await exists(leaving), false);
      await isOver(test.token, 'it was deleted');
    }
  });

  it('opens terminals of its own machines only', async () => {
    const { db } = server.application;
    const student = await server.user();
    const token = await preview();
    const container = { kind: 'sandbox', image: 'none', status: 'failed' } as const;
    const codes: number[] = [];
    for (const [name, user_id] of [
      ['own machine', -teacher.id],
      ['other machine', student.id],
    ] as const) {
      const made = db
        .insertInto('containers')
        .values({ ...container, name, user_id })
        .returning('id');
      const { id } = await made.executeTakeFirstOrThrow();
      codes.push((await new TerminalClient(`${server.url}/ws/terminal/${id}?token=${token}`).closed).code);
      await db.deleteFrom('containers').where('id', '=', id).execute();
    }
    // It does not run; that of the student does not exist for it.
    assert.deepEqual(codes, [4409, 4404]);
  });

  it('starts an exam of its class within its times', async () => {
    const classId = await schoolClass(server, teacher, []);
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const times = { opens_at: minutes(10), closes_at: minutes(60) };
    await openSession(server, teacher, { class_id: classId, exam_id: exam, title: 'Later', ...times });
    assert.equal((await server.post(`/api/exams/${exam}/start`, await preview())).code, 'not_open_yet');
  });

  /** How many rows of each table refer to a user. */
  const rowsOf = async (id: number): Promise<Record<string, number>> => {
    const { db } = server.application;
    const { rows } = await sql<{ name: string; column: string }>`
      select conrelid::regclass::text as name, attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and confrelid = 'users'::regclass`.execute(db);
    const found: Record<string, number> = {};
    for (const { name, column } of rows) {
      const counted = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}
        where ${sql.ref(column)} = ${id}`.execute(db);
      if (counted.rows[0]?.count) found[name] = counted.rows[0].count;
    }
    return found;
  };
  const newTheme = async (): Promise<number> => {
    const made = async (url: string, fields: object): Promise<number> =>
      (await server.post(url, admin.token, fields)).body.id;
    const course_id = await made('/api/admin/lessons/courses', { name: 'Course' });
    const section_id = await made('/api/admin/lessons/sections', { name: 'Section', course_id });
    return await made('/api/admin/lessons/themes', { title: 'Theme', section_id, markdown_file_path: 'a.md' });
  };
  const signedIn = async ({ username, password }: TestUser): Promise<{ token: string }> => {
    const { body, text } = await server.post('/api/auth/login', undefined, { username, password });
    assert.ok(body.access_token, text);
    return { token: body.access_token };
  };
});
