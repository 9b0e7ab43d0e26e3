import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { finishAttempt } from '../finished-attempt.ts';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const path = '/api/classes';
const forbidden = {
  detail: 'Only instructors of the class and administrators may do this',
  code: 'forbidden',
};
const noClass = { detail: 'Class not found', code: 'not_found' };

describe('classes', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    teacher = await server.user('instructor');
    student = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (fields: object = {}, by = teacher) => {
    const { status, body, text } = await server.post(path, by.token, { name: '10b', ...fields });
    assert.equal(status, 201, text);
    return body;
  };
  const add = (id: number, user: TestUser, role?: string, by = teacher) =>
    server.post(`${path}/${id}/members`, by.token, { user_id: user.id, ...(role && { role }) });
  const is = (answer: Answer, status: number, body: unknown) =>
    assert.deepEqual([answer.status, told(answer)], [status, body]);
  const items = (answer: Answer) => {
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail.map((item: { loc: unknown[]; type: string }) => [item.loc.join('.'), item.type]);
  };
  const names = (answer: Answer) => answer.body.map(({ username }: { username: string }) => username);
  const acts = async (id: number) =>
    await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'actor_id', 'user_id', 'details'])
      .where('entity_type', '=', 'class')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute();
  const course = async (name: string) =>
    (await server.post('/api/admin/lessons/courses', admin.token, { name })).body.id as number;

  it('are archived together or not at all, and each one that is refused is named', async () => {
    const own = [(await create({ name: 'B' })).id, (await create({ name: 'A' })).id];
    const foreign = (await create({}, admin)).id;
    const archive = (by: TestUser, class_ids: number[], more = {}) =>
      server.post(`${path}/archive`, by.token, { class_ids, ...more });
    const states = async () =>
      await Promise.all(own.map(async (id) => (await server.get(`${path}/${id}`, admin.token)).body.is_archived));
    const refused = await archive(teacher, [own[0], foreign, own[1], 2_000_000_000]);
    assert.deepEqual(
      [refused.status, refused.body.detail.map(({ loc, msg }: Record<string, unknown>) => [loc, msg])],
      [
        422,
        [
          [
            ['body', 'class_ids', 1],
            `Value error, only instructors of the class ${foreign} and administrators may change it`,
          ],
          [['body', 'class_ids', 3], 'Value error, there is no class 2000000000'],
        ],
      ],
    );
    const assistant = await server.user('instructor');
    await add(own[1], assistant, 'assistant');
    for (const by of [await server.user('instructor'), assistant]) assert.equal((await archive(by, own)).status, 422);
    is(await archive(student, own), 403, { detail: 'Instructor access required', code: 'instructor_required' });
    for (const ids of [[], Array.from({ length: 101 }, (_, index) => index + 1)])
      assert.deepEqual([(await archive(teacher, ids)).status, await states()], [422, [false, false]]);
    const done = await archive(teacher, own);
    assert.deepEqual(
      [done.status, done.body.map(({ id, is_archived }: Record<string, unknown>) => [id, is_archived])],
      [200, own.map((id) => [id, true])],
    );
    await archive(teacher, own);
    assert.deepEqual(
      (await acts(own[0])).map(({ type }) => type),
      ['class_create', 'class_update'],
    );
    await archive(admin, own, { is_archived: false });
    assert.deepEqual(await states(), [false, false]);
  });

  it('that are archived at the same time in different orders do not wait for each other forever', async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id];
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids].map((class_ids, index) =>
        server.post(`${path}/archive`, teacher.token, { class_ids, is_archived: index !== 1 }),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
  });

  it('are created by instructors, who become their instructors', async () => {
    const courses = [await course('Shell'), await course('Networks')].sort();
    const made = await create({
      name: 'Operating systems',
      description: 'Mondays',
      course_ids: [...courses, courses[0]],
    });
    const { id, created_at: _created, ...rest } = made;
    assert.deepEqual(rest, {
      name: 'Operating systems',
      description: 'Mondays',
      is_archived: false,
      has_assistant_graders: false,
      course_ids: courses,
      member_count: 1,
      is_grade_book_visible: false,
      my_role: 'instructor',
    });
    is(await server.get(`${path}/${id}`, teacher.token), 200, made);
    const [member] = (await server.get(`${path}/${id}/members`, teacher.token)).body;
    assert.deepEqual(Object.keys(member).sort(), ['email', 'full_name', 'joined_at', 'role', 'user_id', 'username']);
    assert.deepEqual([member.user_id, member.role], [teacher.id, 'instructor']);
    assert.deepEqual(
      (await acts(id)).map(({ type, actor_id }) => [type, actor_id]),
      [['class_create', teacher.id]],
    );
    const refused = await server.post(path, student.token, { name: 'Mine' });
    is(refused, 403, { detail: 'Instructor access required', code: 'instructor_required' });
    assert.deepEqual(items(await server.post(path, teacher.token, { name: '' })), [['body.name', 'string_too_short']]);
    is(await server.post(path, teacher.token, { name: 'x', course_ids: [2_000_000_000] }), 404, {
      detail: 'Course not found',
      code: 'not_found',
    });
  });

  it('are seen by their members, instructors and administrators', async () => {
    const { id } = await create({ name: 'Zoology' });
    const other = await create({ name: 'Arithmetic' });
    const own = await server.user();
    is(await server.get(`${path}/${id}`, own.token), 404, noClass);
    assert.deepEqual((await server.get(path, own.token)).body, []);
    assert.equal((await add(id, own)).status, 201);
    const [seen, ...rest] = (await server.get(path, own.token)).body;
    assert.deepEqual([seen.id, seen.my_role, seen.member_count, rest], [id, 'student', 2, []]);
    is(await server.get(`${path}/${other.id}`, own.token), 404, noClass);
    for (const user of [await server.user('instructor'), admin]) {
      const page = await server.get(`${path}?page_size=1`, user.token);
      assert.equal(page.body.length, 1);
      assert.ok(Number(page.headers.get('x-total-count')) >= 2);
      const found = (await server.get(`${path}?q=ZOO&is_archived=false`, user.token)).body;
      assert.deepEqual(
        found.map((row: { id: number; my_role: null }) => [row.id, row.my_role]),
        [[id, null]],
      );
      assert.equal((await server.get(`${path}/${other.id}`, user.token)).status, 200);
    }
  });

  it('are changed and deleted by their instructors and administrators only', async () => {
    const { id } = await create();
    const assistant = await server.user();
    await add(id, student);
    await add(id, assistant, 'assistant');
    const outsider = await server.user();
    for (const [user, status, body] of [
      [student, 403, forbidden],
      [assistant, 403, forbidden],
      [await server.user('instructor'), 403, forbidden],
      [outsider, 404, noClass],
    ] as const) {
      for (const answer of [
        await server.put(`${path}/${id}`, user.token, { name: 'Changed' }),
        await server.delete(`${path}/${id}`, user.token),
        await add(id, outsider, 'student', user),
        await server.put(`${path}/${id}/members/${student.id}`, user.token, { role: 'assistant' }),
        await server.delete(`${path}/${id}/members/${teacher.id}`, user.token),
      ])
        is(answer, status, body);
    }
    const changed = await server.put(`${path}/${id}`, teacher.token, {
      name: 'Changed',
      course_ids: [await course('New')],
    });
    assert.deepEqual([changed.status, changed.body.name, changed.body.course_ids.length], [200, 'Changed', 1]);
    assert.equal((await server.put(`${path}/${id}`, admin.token, { description: 'By an administrator' })).status, 200);
    assert.equal((await server.put(`${path}/${id}`, teacher.token, {})).body.name, 'Changed', 'nothing to change');
    is(await server.put(`${path}/${id}`, teacher.token, { course_ids: [2_000_000_000] }), 404, {
      detail: 'Course not found',
      code: 'not_found',
    });
    is(await server.delete(`${path}/${id}`, teacher.token), 200, { detail: 'Class deleted' });
    is(await server.get(`${path}/${id}`, admin.token), 404, noClass);
    const types = (await acts(id)).map(({ type }) => type);
    assert.deepEqual(types, [
      ...['class_create', 'class_member_add', 'class_member_add'],
      ...['class_update', 'class_update', 'class_delete'],
    ]);
  });

  // Long: each way to name a user, and each refusal.
  it('have members with roles, whom supervisors list', async () => {
    const { id } = await create();
    const [first, second] = [await server.user(), await server.user()];
    const added = await add(id, first);
    assert.deepEqual([added.status, added.body.user_id, added.body.role], [201, first.id, 'student']);
    for (const username of [second.username.toUpperCase(), second.email]) {
      const answer = await server.post(`${path}/${id}/members`, teacher.token, { username, role: 'assistant' });
      if (username === second.email)
        is(answer, 409, { detail: 'The user is a member of the class already', code: 'already_member' });
      else assert.deepEqual([answer.status, answer.body.role], [201, 'assistant']);
    }
    const members = `${path}/${id}/members`;
    assert.deepEqual(
      names(await server.get(members, second.token)),
      [teacher, first, second].map((user) => user.username).sort(),
    );
    assert.deepEqual(names(await server.get(`${members}?role=student`, teacher.token)), [first.username]);
    assert.deepEqual(names(await server.get(`${members}?q=${second.username}&page_size=1`, admin.token)), [
      second.username,
    ]);
    is(await server.get(members, first.token), 403, {
      detail: 'Only instructors and assistants of the class may do this',
      code: 'forbidden',
    });
    is(await server.get(members, student.token), 404, noClass);
    const raised = await server.put(`${members}/${first.id}`, teacher.token, { role: 'instructor' });
    assert.deepEqual([raised.status, raised.body.role], [200, 'instructor']);
    is(await server.put(`${path}/${id}`, first.token, { name: 'By a student who teaches' }), 403, forbidden);
    assert.equal((await server.get('/api/instructor/attempts', first.token)).status, 403, 'only in the class');
    for (const [answer, where] of [
      [await server.post(members, teacher.token, {}), [['body.user_id', 'missing']]],
      [await server.post(members, teacher.token, { user_id: 1, username: 'x' }), [['body.user_id', 'value_error']]],
      [await server.post(members, teacher.token, { user_id: 1, role: 'king' }), [['body.role', 'enum']]],
    ] as const)
      assert.deepEqual(items(answer), where);
    const gone = { detail: 'Member not found', code: 'not_found' };
    is(await server.put(`${members}/${student.id}`, teacher.token, { role: 'student' }), 404, gone);
    is(await server.delete(`${members}/${student.id}`, teacher.token), 404, gone);
    const unknown = await server.post(members, teacher.token, { username: 'nobody-at-all' });
    is(unknown, 404, { detail: 'User not found', code: 'not_found' });
  });

  it('lose members without their work, and let everybody leave', async () => {
    const { id } = await create();
    const [removed, leaver] = [await server.user(), await server.user()];
    await add(id, removed);
    await add(id, leaver);
    const fields = {
      title: 'Exam',
      container_image: 'platform-exam-linux-basics',
      passing_score: 1,
      time_limit_minutes: 5,
    };
    const exam = (await server.post('/api/admin/exams', admin.token, fields)).body.id;
    const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
    await server.post(`/api/admin/exams/${exam}/tasks`, admin.token, task);
    await finishAttempt(server, removed, 'exam', exam, [true]);
    is(await server.delete(`${path}/${id}/members/${removed.id}`, teacher.token), 200, { detail: 'Member removed' });
    is(await server.get(`${path}/${id}`, removed.token), 404, noClass);
    assert.equal((await server.get('/api/exams/attempts', removed.token)).body.length, 1);
    is(await server.delete(`${path}/${id}/members/${leaver.id}`, leaver.token), 200, { detail: 'Member removed' });
    is(await server.delete(`${path}/${id}/members/${leaver.id}`, leaver.token), 404, noClass);
    const types = (await acts(id)).map(({ type, actor_id, user_id }) => [type, actor_id, user_id]).slice(-2);
    assert.deepEqual(types, [
      ['class_member_remove', teacher.id, removed.id],
      ['class_leave', leaver.id, leaver.id],
    ]);
    await add(id, leaver);
    await server.delete(`${path}/${id}`, teacher.token);
    assert.equal((await server.get('/api/exams/attempts', removed.token)).body.length, 1, 'the class is gone');
  });

  it('keep their last instructor, also of two who remove each other', async () => {
    const { id } = await create();
    const last = { detail: 'This is the last instructor of the class', code: 'last_class_instructor' };
    is(await server.delete(`${path}/${id}/members/${teacher.id}`, teacher.token), 409, last);
    is(await server.put(`${path}/${id}/members/${teacher.id}`, admin.token, { role: 'student' }), 409, last);
    for (let round = 0; round < 5; round += 1) {
      const second = await server.user('instructor');
      assert.equal((await add(id, second, 'instructor', admin)).status, 201);
      const [current] = (await server.get(`${path}/${id}/members?role=instructor`, admin.token)).body.filter(
        ({ user_id }: { user_id: number }) => user_id !== second.id,
      );
      const answers = await Promise.all([
        server.delete(`${path}/${id}/members/${current.user_id}`, admin.token),
        server.put(`${path}/${id}/members/${second.id}`, admin.token, { role: 'assistant' }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
      assert.equal((await server.get(`${path}/${id}/members?role=instructor`, admin.token)).body.length, 1);
    }
  });

  it('get a member once from concurrent additions', async () => {
    const { id } = await create();
    const user = await server.user();
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(id, user)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).body.member_count, 2);
  });

  it('lose deleted users and courses', async () => {
    const courseId = await course('Short-lived');
    const { id } = await create({ course_ids: [courseId] });
    const user = await server.user('instructor');
    await add(id, user, 'instructor');
    assert.equal((await server.delete(`/api/admin/lessons/courses/${courseId}`, admin.token)).status, 200);
    assert.equal((await server.delete(`/api/admin/users/${user.id}`, admin.token)).status, 200);
    const { course_ids, member_count } = (await server.get(`${path}/${id}`, teacher.token)).body;
    assert.deepEqual([course_ids, member_count], [[], 1]);
    is(await add(id, user), 404, { detail: 'User not found', code: 'not_found' });
    const races = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const victim = await server.user();
        const both = [add(id, victim), server.delete(`/api/admin/users/${victim.id}`, admin.token)] as const;
        return (await Promise.all(both)).map(({ status }) => status);
      }),
    );
    for (const [added, deleted] of races) {
      assert.ok(added === 201 || added === 404, `added: ${added}`);
      assert.equal(deleted, 200);
    }
    assert.equal((await server.get(`${path}/${id}`, teacher.token)).body.member_count, 1);
  });

  it('get no further members while they are archived', async () => {
    const { id } = await create();
    await add(id, student);
    const archived = await server.put(`${path}/${id}`, teacher.token, { is_archived: true });
    assert.deepEqual([archived.status, archived.body.is_archived], [200, true]);
    const refusal = { detail: 'The class is archived', code: 'class_archived' };
    is(await add(id, await server.user()), 409, refusal);
    is(await server.post(`${path}/${id}/join-codes`, teacher.token), 409, refusal);
    const ids = async (query: string) =>
      (await server.get(`${path}?${query}`, student.token)).body.map((row: { id: number }) => row.id);
    assert.ok((await ids('is_archived=true')).includes(id));
    assert.ok(!(await ids('is_archived=false')).includes(id));
    assert.equal((await server.delete(`${path}/${id}/members/${student.id}`, student.token)).status, 200);
    assert.equal((await server.put(`${path}/${id}`, teacher.token, { is_archived: false })).status, 200);
    assert.equal((await add(id, student)).status, 201);
  });

  it('are limited in number', async () => {
    await using small = await TestServer.start({ maxCatalogueItems: 2 });
    const { token } = await small.user('instructor');
    const answers = [];
    for (const name of ['one', 'two', 'three']) answers.push(await small.post(path, token, { name }));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 409],
    );
    const detail = 'There are 2 classes already, including inactive ones';
    assert.deepEqual(told(answers[2] as Answer), { detail, code: 'catalogue_full' });
    const { rows } = await sql`select from classes`.execute(small.application.db);
    assert.equal(rows.length, 2);
  });
});
