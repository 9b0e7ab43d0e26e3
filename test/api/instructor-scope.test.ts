import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ClassRole } from '../../src/database/tables.ts';
import { describeLong } from '../rounds.ts';
import { codedItems, engineSkip, TestServer, type TestUser, told } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';

const path = '/api/classes';
const notFound = (thing: string) => ({ detail: `${thing} not found`, code: 'not_found' });

async function createClass(server: TestServer, by: TestUser): Promise<number> {
  const { status, body, text } = await server.post(path, by.token, { name: 'Class' });
  assert.equal(status, 201, text);
  return body.id;
}

/** As an administrator would: whoever it is. */
async function enrol({ application: { db } }: TestServer, class_id: number, { id }: TestUser, role: ClassRole) {
  await db.insertInto('class_members').values({ class_id, user_id: id, role }).execute();
}

describe('instructors of own classes', () => {
  let server: TestServer;
  let teacher: TestUser;
  let other: TestUser;
  let student: TestUser;
  let own: number;
  let foreign: number;
  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    [teacher, other, student] = [await server.user('instructor'), await server.user('instructor'), await server.user()];
    own = await createClass(server, teacher);
    foreign = await createClass(server, other);
    await enrol(server, foreign, student, 'student');
  });
  after(() => server[Symbol.asyncDispose]());

  const add = (id: number, fields: object, by = teacher) => server.post(`${path}/${id}/members`, by.token, fields);
  const importOf = (text: string) =>
    server.request('POST', `${path}/${own}/members/import`, {
      ...{ token: teacher.token, headers: { 'content-type': 'text/csv' }, body: text },
    });

  it('see their classes only', async () => {
    const { body, headers } = await server.get(path, teacher.token);
    assert.deepEqual([body.map(({ id }: { id: number }) => id), headers.get('x-total-count')], [[own], '1']);
    const absent = await server.get(`${path}/${foreign}`, teacher.token);
    assert.deepEqual([absent.status, told(absent)], [404, notFound('Class')]);
    const admin = await server.user('admin');
    assert.equal((await server.get(path, admin.token)).body.length, 2);
  });

  it('add colleagues, the students of their classes and those who enter a code, but nobody of others', async () => {
    for (const fields of [{ user_id: student.id }, { username: student.username }, { username: student.email }]) {
      const refused = await add(own, fields);
      assert.deepEqual([refused.status, told(refused)], [404, notFound('User')]);
    }
    const loose = await server.user();
    assert.equal((await add(own, { user_id: loose.id })).status, 404);
    const colleague = await server.user('instructor');
    assert.equal((await add(own, { user_id: colleague.id, role: 'assistant' })).status, 201);
    const code = (await server.post(`${path}/${own}/join-codes`, teacher.token, {})).body.code;
    assert.equal((await server.post(`${path}/join`, loose.token, { code })).status, 200);
    const second = await createClass(server, teacher);
    assert.equal((await add(second, { user_id: loose.id })).status, 201);
    assert.equal((await add(second, { user_id: loose.id })).code, 'already_member');
    // An assistant sees the students of a class, but does not bring them into another one.
    await enrol(server, foreign, teacher, 'assistant');
    assert.equal((await server.get(`${path}/${foreign}/members`, teacher.token)).status, 200);
    assert.equal((await add(own, { user_id: student.id })).status, 404);
    assert.equal((await add(foreign, { user_id: colleague.id })).status, 403);
    await server.delete(`${path}/${foreign}/members/${teacher.id}`, teacher.token);
  });

  it('import accounts of others with no line of a file', async () => {
    const before = (await server.get(`${path}/${own}/members`, teacher.token)).headers.get('x-total-count');
    const fresh = 'fresh-anna,fresh-anna@example.com\n';
    const msg =
      'Value error, the account exists and its user is in none of your classes; an administrator adds it, or its user joins with a code';
    for (const [line, column] of [
      [`${student.username},`, 'username'],
      [`,${student.email}`, 'email'],
      [`somebody-new,${student.email}`, 'email'],
      [`${student.username},another@example.com`, 'username'],
    ]) {
      const { status, body, text, headers } = await importOf(`username,email\n${fresh}${line}\n`);
      assert.equal(status, 422, text);
      assert.deepEqual(body.detail, [{ loc: ['body', 3, column], msg, type: 'value_error' }]);
      assert.deepEqual(codedItems({ headers }), [{ index: 0, code: 'account_unreachable' }]);
    }
    assert.equal((await server.get(`${path}/${own}/members`, teacher.token)).headers.get('x-total-count'), before);
    const made = await importOf(`username,email\n${fresh}`);
    assert.equal(made.body[0].outcome, 'created');
    assert.equal((await importOf('username\nfresh-anna\n')).body[0].outcome, 'already_member');
  });

  it('see neither addresses nor attempts of colleagues', async () => {
    const colleague = await server.user('instructor');
    const learner = await server.user();
    const id = await createClass(server, teacher);
    await enrol(server, id, learner, 'student');
    for (const fields of [{ user_id: colleague.id }, { username: colleague.username, role: 'student' }])
      assert.equal((await add(id, fields)).status, 404);
    const added = await add(id, { user_id: colleague.id, role: 'assistant' });
    assert.deepEqual([added.status, added.body.email], [201, null]);
    const emails = async ({ token }: TestUser, filter = '') => {
      const { body } = await server.get(`${path}/${id}/members${filter}`, token);
      return Object.fromEntries(body.map(({ username, email }: Record<string, string>) => [username, email]));
    };
    const all = { [learner.username]: learner.email, [teacher.username]: teacher.email };
    assert.deepEqual(await emails(teacher), { ...all, [colleague.username]: null });
    const admin = await server.user('admin');
    assert.deepEqual(await emails(admin), { ...all, [colleague.username]: colleague.email });
    // Nor are they guessed by a search.
    assert.deepEqual(await emails(teacher, `?q=${colleague.email}`), {});
    assert.deepEqual(await emails(teacher, `?q=${colleague.username}`), { [colleague.username]: null });
    assert.deepEqual(await emails(teacher, `?q=${learner.email}`), { [learner.username]: learner.email });
    const member = `${path}/${id}/members/${colleague.id}`;
    assert.equal((await server.put(member, teacher.token, { role: 'student' })).status, 403);
    const text = (role: string) => `username,role\n${colleague.username},${role}\n`;
    assert.deepEqual(codedItems(await importOf(text('student'))), [{ index: 0, code: 'account_unreachable' }]);
    assert.equal((await importOf(text('assistant'))).body[0].email, null);
    // Colleagues who join with a code are students of the class, but not in sight outside of it.
    assert.equal((await server.put(member, admin.token, { role: 'student' })).status, 200);
    const { db } = server.application;
    const values = { kind: 'exam' as const, user_id: colleague.id, title: 'Exam', container_name: 'of-colleague' };
    const rest = { status: 'abandoned' as const, expires_at: new Date(), max_score: 0, passing_score: 0 };
    const attempt = await db
      .insertInto('attempts')
      .values({ ...values, ...rest })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { headers } = await server.get(`/api/instructor/attempts?user_id=${colleague.id}`, teacher.token);
    const one = await server.get(`/api/instructor/attempts/${attempt.id}`, teacher.token);
    assert.deepEqual([headers.get('x-total-count'), one.status], ['0', 404]);
  });

  it('lose sight of who leaves', async () => {
    const assessment = {
      title: 'Exam',
      slug: 'exam',
      container_image: 'image',
      passing_score: 0,
      time_limit_minutes: 1,
    };
    const { db } = server.application;
    const exam = await db
      .insertInto('assessments')
      .values({ kind: 'exam', ...assessment })
      .returning('id')
      .executeTakeFirstOrThrow();
    const values = {
      ...{ kind: 'exam' as const, assessment_id: exam.id, user_id: student.id, title: 'Exam', container_name: 'seen' },
      ...{ status: 'abandoned' as const, expires_at: new Date(), max_score: 0, passing_score: 0 },
    };
    const attempt = await db.insertInto('attempts').values(values).returning('id').executeTakeFirstOrThrow();
    const seen = async ({ token }: TestUser) => {
      const { headers } = await server.get('/api/instructor/attempts', token);
      const one = await server.get(`/api/instructor/attempts/${attempt.id}`, token);
      return [Number(headers.get('x-total-count')), one.status];
    };
    assert.deepEqual(await seen(teacher), [0, 404]);
    assert.deepEqual(await seen(other), [1, 200]);
    // The class of last year is still seen.
    await server.put(`${path}/${foreign}`, other.token, { is_archived: true });
    assert.deepEqual(await seen(other), [1, 200]);
    await server.delete(`${path}/${foreign}/members/${student.id}`, student.token);
    assert.deepEqual(await seen(other), [0, 404]);
  });
});

for (const scope of ['all', 'classes'] as const) {
  const suite = scope === 'classes' ? describe : describeLong;
  suite(`watching a terminal, with INSTRUCTOR_SCOPE=${scope}`, { skip: engineSkip }, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ INSTRUCTOR_SCOPE: scope, terminalPingSeconds: 1 });
      const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
      await server.application.db.insertInto('sandbox_templates').values(template).execute();
    });
    after(() => server?.[Symbol.asyncDispose]());

    // Long: one container for everybody who tries, first those who are refused.
    it('is for assistants and instructors of the class, as long as the student is in it', async () => {
      const student = await server.user();
      const created = await server.post('/api/containers/create', student.token, {});
      assert.equal(created.status, 201, created.text);
      const connect = ({ token }: TestUser) =>
        new TerminalClient(`${server.url}/ws/terminal/${created.body.id}?token=${token}`, { protocol: 'terminal.v1' });
      const [teacher, assistant] = [await server.user('instructor'), await server.user('instructor')];
      const own = await createClass(server, teacher);
      await enrol(server, own, student, 'student');
      await enrol(server, own, assistant, 'assistant');
      const [otherTeacher, otherStudent, helper] = [
        await server.user('instructor'),
        await server.user(),
        await server.user(),
      ];
      const foreign = await createClass(server, otherTeacher);
      await enrol(server, foreign, otherStudent, 'student');
      await enrol(server, own, helper, 'assistant');
      const owner = await connect(student).ready();
      owner.type('echo can""ary\n');
      await owner.shows('\rcanary\r\n');

      for (const who of [otherStudent, helper, ...(scope === 'classes' ? [otherTeacher] : [])]) {
        const client = connect(who);
        assert.equal((await client.closed).code, 4404);
        assert.equal(client.output.length, 0);
      }
      const admin = await server.user('admin');
      const watchers = [teacher, assistant, ...(scope === 'all' ? [otherTeacher] : [])].map(connect);
      const administrator = connect(admin);
      for (const watcher of [...watchers, administrator]) {
        assert.equal((await watcher.message('ready')).is_read_only, true);
        await watcher.shows('canary');
      }
      if (scope === 'all') return;
      await server.delete(`${path}/${own}/members/${student.id}`, teacher.token);
      for (const watcher of watchers) assert.equal((await watcher.closed).code, 4403);
      owner.type('echo aft""er\n');
      await administrator.shows('after');
    });
  });
}
