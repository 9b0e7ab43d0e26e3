import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Role } from '../../src/database/tables.ts';
import type { ApiDocument } from '../documented-answers.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { pathOf, type Row, rows, sessionFields, type World } from './access-matrix.ts';

describeLong('access to every operation', { skip: engineSkip }, () => {
  let server: TestServer;
  let world: World;
  const readers = new Map<Role, Promise<TestUser>>();
  before(async () => {
    server = await TestServer.start();
    world = await makeWorld(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('has a row for each existing operation and no other', async () => {
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(rows.map(([operation]) => operation).sort(), operations.sort());
  });

  for (const row of rows) {
    const [operation, none, student, other, instructor, admin] = row;
    const isOwned = other !== null;
    it(operation, async () => {
      const is = async (who: string, caller: TestUser | undefined, expected: number) => {
        const { status, text } = await call(row, caller);
        assert.equal(status, expected, `${operation} ${who} answered ${status}: ${text.slice(0, 300)}`);
      };
      // Refusals first: the resources stay available for the permitted callers.
      await is('without a token', undefined, none);
      if (isOwned) await is("with somebody else's", await callerOf(operation, 'student'), other);
      await is('as an instructor', await callerOf(operation, 'instructor'), instructor);
      await is('as an administrator', await callerOf(operation, 'admin'), admin);
      const needsOwner = isOwned || operation === 'POST /api/laboratories/{id}/start';
      await is('as a student', needsOwner ? world.mine : await callerOf(operation, 'student'), student);
    });
  }

  it('refuses text as an id, and ids beyond the range', async () => {
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    for (const [path, methods] of Object.entries(paths)) {
      if (!path.startsWith('/api/') || !/\{\w*id\}/.test(path)) continue;
      for (const method of Object.keys(methods)) {
        for (const [id, expected] of [
          ['first', 422],
          ['1.5', 422],
          ['%00', 422],
          ['0', 404],
          ['2147483648', 404],
        ] as const) {
          const url = path.replace(/\{[^}]+\}/g, id);
          const { status, text } = await server.request(method.toUpperCase(), url, { token: world.admin.token });
          assert.equal(status, expected, `${method} ${url}: ${text}`);
        }
      }
    }
  });

  /** What only reads, and what administers others, leaves its caller as it was: one user of each role calls all of those. */
  async function callerOf(operation: string, role: Role): Promise<TestUser> {
    if (!operation.startsWith('GET ') && !/ \/api\/(admin|teaching)\//.test(operation)) return await server.user(role);
    const caller = readers.get(role) ?? server.user(role);
    readers.set(role, caller);
    return await caller;
  }

  async function call([operation, ...row]: Row, caller: TestUser | undefined) {
    const [method = ''] = operation.split(' ');
    const made = (await row[5]?.(world, caller)) ?? pathOf(operation, world);
    const { path, ...options } = typeof made === 'string' ? { path: made } : made;
    return await server.request(method, path, { ...options, token: caller?.token });
  }
});

/** One of everything, and a student with a sandbox and an attempt of each kind. */
async function makeWorld(server: TestServer): Promise<World> {
  const admin = await server.user('admin');
  const mine = await server.user();
  const made = async (path: string, user: TestUser, json?: unknown) => {
    const { status, body, text } = await server.post(path, user.token, json);
    assert.equal(status, 201, `${path}: ${text}`);
    return body;
  };
  const fresh = async (path: string, fields: Record<string, unknown>): Promise<number> =>
    (await made(path, admin, fields)).id;
  const image = 'platform-exam-linux-basics';
  const course = await fresh('/api/admin/lessons/courses', { name: 'Course' });
  const section = await fresh('/api/admin/lessons/sections', { name: 'Section', course_id: course });
  const theme = await fresh('/api/admin/lessons/themes', {
    title: 'Theme',
    section_id: section,
    markdown_file_path: 'absent.md',
  });
  const assessment = { container_image: image, passing_score: 1 };
  const inCourse = { ...assessment, course_id: course };
  const exam = await fresh('/api/admin/exams', { ...inCourse, title: 'Exam', time_limit_minutes: 30 });
  const laboratory = await fresh('/api/admin/laboratories', {
    ...assessment,
    title: 'Laboratory',
    section_id: section,
  });
  const task = { title: 'Task', points: 1, verification_script: 'echo PASS' };
  const examTask = await fresh(`/api/admin/exams/${exam}/tasks`, task);
  const laboratoryTask = await fresh(`/api/admin/laboratories/${laboratory}/tasks`, task);
  const schoolClass = await fresh('/api/classes', { name: 'Class', course_ids: [course] });
  await made(`/api/classes/${schoolClass}/members`, admin, { user_id: mine.id });
  await server.put(`/api/classes/${schoolClass}/grade-book`, admin.token, { is_visible: true });
  const sessionExam = await fresh('/api/admin/exams', { ...assessment, title: 'Session', time_limit_minutes: 30 });
  const session = await fresh('/api/exam-sessions', sessionFields({ sessionExam, class: schoolClass }));
  const { class_id: _class, ...times } = sessionFields({ sessionExam, class: schoolClass });
  const chosenSession = await fresh('/api/exam-sessions', { ...times, user_ids: [mine.id] });
  const template = await fresh('/api/admin/sandbox-templates', { name: 'Shell', image, memory_mb: 128, cpus: 1 });
  return {
    server,
    admin,
    mine,
    course,
    section,
    theme,
    exam,
    examTask,
    laboratory,
    laboratoryTask,
    ...{ class: schoolClass, session, sessionExam, chosenSession },
    template,
    note: (await made('/api/notes', mine, { theme_id: theme, excerpt: 'A paragraph' })).id,
    token: (await made('/api/auth/tokens', mine, { name: 'A program', scopes: ['read'] })).id,
    sandbox: (await made('/api/containers/create', mine, { template_id: template })).id,
    examAttempt: (await made(`/api/exams/${exam}/start`, mine)).attempt_id,
    laboratoryAttempt: (await made(`/api/laboratories/${laboratory}/start`, mine)).attempt_id,
    fresh,
    freshUser: async () => (await server.user('student' satisfies Role)).id,
  };
}
