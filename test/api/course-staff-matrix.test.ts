import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { coursePolicies, includesRole } from '../../src/values/course-policies.ts';
import type { ApiDocument, Operation } from '../documented-answers.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import { type CourseIds, CourseStaffWorld, pathIn } from './course-staff-world.ts';

const prefix = '/api/teaching/courses/{course_id}';
type Role = 'owner' | 'editor' | 'viewer';
type Who = Role | 'admin' | 'otherTeacher' | 'classInstructor' | 'student' | 'nobody';
type Behind = { method: string; path: string; access: string; fields: readonly string[] };

/** Parts that have another name in paths. */
const partNames: Record<string, string> = {
  ...{ '': 'course', 'lesson-files': 'written-lessons', export: 'archive', import: 'archive' },
};

/** The part of a course that an operation is about, and what it does with it. */
function policyOf({ method, path }: Behind): Role {
  const [part = ''] = path.slice(prefix.length + 1).split('/');
  const whole = partNames[part] ?? part;
  const act = method === 'GET' ? 'read' : method === 'DELETE' && !isPartOfAssessment(path) ? 'delete' : 'change';
  const policy = coursePolicies[whole as keyof typeof coursePolicies];
  assert.ok(policy, `src/values/course-policies.ts has no policy for ${path}`);
  return policy[act];
}
const isPartOfAssessment = (path: string): boolean => /\/(tasks|files)\//.test(path);

/** Every operation behind the door of a course, for everybody: generated from the API document and the policies. */
describeLong('the door of a course', () => {
  let world: CourseStaffWorld;
  let ids: CourseIds;
  let others: CourseIds;
  let operations: Behind[];
  const users = new Map<Who, TestUser>();

  before(async () => {
    const server = await TestServer.start({ REQUESTS_PER_MINUTE: '1000000' });
    world = await CourseStaffWorld.make(server);
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    operations = Object.entries(paths)
      .filter(([path]) => path.startsWith(prefix))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          ...{ method: method.toUpperCase(), path, access: operation['x-access'] ?? '' },
          fields: fieldsOf(operation),
        })),
      );
    for (const who of ['owner', 'editor', 'viewer', 'otherTeacher', 'classInstructor'] as const)
      users.set(who, await server.user('instructor'));
    users.set('admin', world.admin).set('student', await server.user('student'));
    ids = await world.course(userOf('owner'));
    others = await world.course(userOf('otherTeacher'));
    await world.addStaff(ids, userOf('editor'), 'editor');
    await world.addStaff(ids, userOf('viewer'), 'viewer');
    const ofClass = { name: 'Class', course_ids: [ids.course] };
    const { id } = await world.made('POST', '/api/classes', userOf('classInstructor'), ofClass);
    await world.made('POST', `/api/classes/${id}/members`, world.admin, { user_id: userOf('student').id });
  });
  after(() => world?.server[Symbol.asyncDispose]());

  const userOf = (who: Who): TestUser => users.get(who) as TestUser;
  const send = async (method: string, path: string, user: TestUser | undefined, json?: object): Promise<Answer> =>
    await world.server.request(method, path, { token: user?.token, json: method === 'GET' ? undefined : json });

  it('admits to each operation whom its policy names', () => {
    assert.ok(operations.length > 60, `${operations.length} operations`);
    for (const operation of operations)
      assert.equal(operation.access, policyOf(operation), `${operation.method} ${operation.path}`);
  });

  it('refuses everybody else, and does not tell strangers that the course exists', async () => {
    for (const { method, path, access } of operations) {
      const at = pathIn(path, ids);
      const what = `${method} ${path}`;
      assert.equal((await send(method, at, undefined)).status, 401, what);
      for (const who of ['otherTeacher', 'classInstructor', 'student'] as const) {
        const refused = await send(method, at, userOf(who), {});
        const absent = await send(method, pathIn(path, ids, { course_id: 2_000_000_000 }), userOf(who), {});
        assert.deepEqual([refused.status, refused.body], [404, { detail: 'Course not found' }], `${what} as ${who}`);
        assert.deepEqual([absent.status, absent.body], [refused.status, refused.body], `${what} as ${who}`);
      }
      for (const who of ['viewer', 'editor'] as const) {
        if (includesRole(who, access as Role)) continue;
        const { status, code } = await send(method, at, userOf(who), {});
        assert.deepEqual([status, code], [403, access === 'owner' ? 'owner_only' : 'viewer'], `${what} as ${who}`);
      }
    }
  });

  it('answers those who may, and an administrator, alike', async () => {
    // What only reads: the others are tried below, and by the tests of their features.
    for (const { method, path } of operations.filter((operation) => operation.method === 'GET')) {
      let at = pathIn(path, ids) + (path.endsWith('/content') ? '?path=none.png' : '');
      if (/(exams|laboratories).*\/\{revision\}$/.test(path)) {
        const { body } = await send('GET', at.replace(/\/1$/, ''), userOf('admin'));
        at = at.replace(/1$/, body[0].revision);
      }
      const whole = async (who: Who) => {
        const { status, body } = await send(method, at, userOf(who));
        return { status, body: path === prefix ? { ...body, my_role: null } : body };
      };
      const expected = await whole('admin');
      const isAbsent = path.endsWith('/content') || path.endsWith('/trial');
      assert.equal(expected.status, isAbsent ? 404 : 200, `${at}: ${JSON.stringify(expected.body)}`);
      for (const who of ['viewer', 'editor', 'owner'] as const) assert.deepEqual(await whole(who), expected, at);
    }
  });

  it('does not let through what another course has, in any path', async () => {
    let tried = 0;
    for (const { method, path } of operations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const name of names.filter((one) => !['course_id', 'user_id', 'revision'].includes(one))) {
        const foreign = pathIn(path, others).split('/')[path.split('/').indexOf(`{${name}}`)];
        for (const who of ['owner', 'admin'] as const) {
          // Fields that would be valid, so that nothing but the id is refused.
          const at = pathIn(path, ids, { [name]: Number(foreign) });
          const { status, text } = await send(method, at + queryFor(path), userOf(who), bodyFor(path, ids));
          assert.equal(status, 404, `${method} ${at} as ${who}: ${text}`);
          const absent = pathIn(path, ids, { [name]: 2_000_000_000 });
          const other = await send(method, absent + queryFor(path), userOf(who), bodyFor(path, ids));
          assert.equal(other.text, text, `${method} ${at} as ${who}`);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 100, `${tried} requests`);
  });

  it('does not let through what another course has, in any field', async () => {
    const foreign: Record<string, number> = { course_id: others.course, section_id: others.section };
    let tried = 0;
    for (const { method, path, fields } of operations)
      for (const name of fields.filter((field) => field in foreign)) {
        for (const where of ['query', 'body'] as const) {
          if (where === 'body' && method === 'GET') continue;
          const at = pathIn(path, ids);
          const given = { ...bodyFor(path, ids), [name]: foreign[name] };
          const query = where === 'query' ? `?${name}=${foreign[name]}` : '';
          const json = where === 'body' ? given : undefined;
          const { status, text } = await send(method, at + query, userOf('owner'), json);
          assert.equal(status, 404, `${method} ${at} with ${name} in the ${where}: ${text}`);
          tried += 1;
        }
      }
    assert.ok(tried > 10, `${tried} requests`);
  });

  it('reads ids in other forms of numbers as nobody else does', async () => {
    for (const form of ['%20{id}', '{id}%20', '+{id}', '0{id}', '{id}.0', '{id}e0']) {
      const course = form.replace('{id}', String(ids.course));
      const foreign = form.replace('{id}', String(others.exam));
      for (const path of [
        `/api/teaching/courses/${course}/exams`,
        `/api/teaching/courses/${ids.course}/exams/${foreign}`,
      ]) {
        const { status } = await send('GET', path, userOf(path.includes(foreign) ? 'owner' : 'otherTeacher'));
        assert.ok(status === 404 || status === 422, `${path}: ${status}`);
      }
    }
  });

  it('leaves another course as it was', async () => {
    const { server } = world;
    for (const path of ['sections', 'themes', 'exams', 'laboratories', 'written-lessons', 'repositories', 'images']) {
      const { body } = await server.get(`/api/teaching/courses/${others.course}/${path}`, userOf('otherTeacher').token);
      const own = path === 'images' ? body.filter(({ id }: { id: number | null }) => id !== null) : body;
      assert.equal(own.length, 1, path);
    }
  });
});

/** The names of an operation's fields: those of a body are in its query as well. */
const fieldsOf = ({ parameters = [] }: Operation): string[] =>
  parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);

const queryFor = (path: string): string => (path.endsWith('/content') ? '?path=none.png' : '');

/** A body that each operation reads as valid. Unknown fields are ignored. */
const bodyFor = (path: string, { section, examTask, laboratoryTask }: CourseIds): object => ({
  ...(path.includes('/written-lessons') ? { path: 'other.md', text: 'Text' } : {}),
  ...(path.endsWith('/themes') ? { title: 'New', section_id: section, markdown_file_path: 'b.md' } : {}),
  ...(path.endsWith('/images') ? { name: 'New', reference: '127.0.0.1:9/school/new:1' } : {}),
  ...(path.endsWith('/answer') ? { text: 'So it is' } : {}),
  ...(path.endsWith('/rubric') ? { text: 'Tidy', points: 1 } : {}),
  ...(path.endsWith('/sections') ? { name: 'New' } : {}),
  ...(path.endsWith('/tasks/order') ? { task_ids: [path.includes('/exams') ? examTask : laboratoryTask] } : {}),
});
