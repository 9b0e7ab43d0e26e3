import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const assessment = { container_image: 'platform-exam-linux-basics', passing_score: 1 };

/** A course for classes only with one theme, an exam and a laboratory, beside an open course with the same. */
async function makeWorld(server: TestServer) {
  const [admin, teacher, member, outsider] = [
    await server.user('admin'),
    await server.user('instructor'),
    await server.user(),
    await server.user(),
  ];
  const made = async (path: string, json: object, by = admin): Promise<number> => {
    const { status, body, text } = await server.post(path, by.token, json);
    assert.equal(status, 201, text);
    return body.id;
  };
  const course = async (name: string, fields: object = {}) => {
    const id = await made('/api/admin/lessons/courses', { name, ...fields });
    const section = await made('/api/admin/lessons/sections', { name, course_id: id });
    const file = { section_id: section, markdown_file_path: 'linux/01-first-steps.md' };
    return {
      ...{ course: id, section },
      theme: await made('/api/admin/lessons/themes', { title: name, ...file }),
      exam: await made('/api/admin/exams', { ...assessment, title: name, time_limit_minutes: 5, course_id: id }),
      laboratory: await made('/api/admin/laboratories', { ...assessment, title: name, section_id: section }),
    };
  };
  const hidden = await course('Hidden', { is_class_only: true });
  const open = await course('Open');
  const group = await made('/api/classes', { name: 'Its class', course_ids: [hidden.course] }, teacher);
  await made(`/api/classes/${group}/members`, { user_id: member.id }, teacher);
  return { admin, teacher, member, outsider, hidden, open, group };
}

describeLong('a course for classes only', () => {
  let server: TestServer;
  let world: Awaited<ReturnType<typeof makeWorld>>;
  before(async () => {
    server = await TestServer.start({ ANONYMOUS_CATALOGUE: 'true' });
    world = await makeWorld(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  /** Everything that a user can read of the catalogue. */
  async function seen(user: TestUser | undefined) {
    const get = async (path: string) => (await server.get(path, user?.token)).body;
    const { hidden } = world;
    const single = async (path: string) => (await server.get(path, user?.token)).status;
    const exams = ids(await get('/api/exams'));
    const page = await server.get('/api/exams?page_size=1', user?.token);
    assert.equal(Number(page.headers.get('x-total-count')), exams.length);
    const alone = [
      await single(`/api/exams/${hidden.exam}`),
      await single(`/api/laboratories/${hidden.laboratory}`),
      ...(user ? [await single(`/api/laboratories/section/${hidden.section}/laboratory`)] : []),
      ...(user ? [await single(`/api/lessons/courses/${hidden.course}`)] : []),
      ...(user ? [await single(`/api/lessons/themes/${hidden.theme}`)] : []),
    ];
    if (!user) return { exams, alone: [...new Set(alone)] };
    const file = '/api/lessons/themes?markdown_file_path=linux/01-first-steps.md';
    return {
      exams,
      alone: [...new Set(alone)],
      courses: ids(await get('/api/lessons/courses')),
      summaries: ids(await get('/api/lessons/course-summaries')),
      themes: ids(await get(file)),
      total: (await get('/api/dashboard/stats')).total_themes,
      analytics: (await get('/api/dashboard/analytics')).courses.map((row: { course_id: number }) => row.course_id),
    };
  }
  const everything = () => {
    const { hidden, open } = world;
    const courses = [hidden.course, open.course];
    return {
      ...{ exams: [hidden.exam, open.exam], alone: [200], courses, summaries: courses, analytics: courses },
      ...{ themes: [hidden.theme, open.theme], total: 2 },
    };
  };
  const openOnly = () => {
    const { open } = world;
    const courses = [open.course];
    return {
      ...{ exams: [open.exam], alone: [404], courses, summaries: courses, analytics: courses },
      ...{ themes: [open.theme], total: 1 },
    };
  };

  it('is visible to members of its classes and staff, everywhere', async () => {
    const { admin, teacher, member, outsider } = world;
    for (const user of [admin, teacher, await server.user('instructor'), member])
      assert.deepEqual(await seen(user), everything(), user.username);
    assert.deepEqual(await seen(outsider), openOnly());
    const { exams, alone } = openOnly();
    assert.deepEqual(await seen(undefined), { exams, alone });
  });

  it('cannot be completed, read or started by others', async () => {
    const { hidden, outsider } = world;
    const theme = `/api/lessons/themes/${hidden.theme}`;
    for (const [method, path] of [
      ['GET', `${theme}/content`],
      ['GET', `${theme}/files/picture.png`],
      ['POST', `${theme}/complete`],
      ['DELETE', `${theme}/complete`],
      ['POST', `/api/exams/${hidden.exam}/start`],
      ['POST', `/api/laboratories/${hidden.laboratory}/start`],
    ] as const) {
      const { status, code } = await server.request(method, path, { token: outsider.token });
      assert.equal(status, 404, path);
      assert.equal(code, 'not_found');
    }
  });

  it('follows memberships, courses of classes, archives and the field itself at once', async () => {
    const { admin, teacher, member, outsider, hidden, group } = world;
    const path = `/api/classes/${group}`;
    const change = async (json: object) => assert.equal((await server.put(path, teacher.token, json)).status, 200);
    await server.post(`${path}/members`, teacher.token, { user_id: outsider.id });
    assert.deepEqual(await seen(outsider), everything());
    await server.delete(`${path}/members/${outsider.id}`, teacher.token);
    assert.deepEqual(await seen(outsider), openOnly());
    await change({ is_archived: true });
    assert.deepEqual(await seen(member), openOnly());
    await change({ is_archived: false, course_ids: [] });
    assert.deepEqual(await seen(member), openOnly());
    await change({ course_ids: [hidden.course] });
    assert.deepEqual(await seen(member), everything());
    const own = `/api/admin/lessons/courses/${hidden.course}`;
    await server.put(own, admin.token, { is_class_only: false });
    assert.deepEqual(await seen(outsider), everything());
    await server.put(own, admin.token, { is_class_only: true });
    assert.deepEqual(await seen(outsider), openOnly());
  });

  it('has other entity tags for those who see less', async () => {
    const { member, outsider } = world;
    for (const path of ['/api/exams', '/api/lessons/courses']) {
      const tag = (await server.get(path, member.token)).headers.get('etag') ?? '';
      assert.notEqual(tag, '');
      const headers = { 'if-none-match': tag };
      assert.equal((await server.request('GET', path, { token: member.token, headers })).status, 304, path);
      assert.equal((await server.request('GET', path, { token: outsider.token, headers })).status, 200, path);
    }
  });
});

describeLong('a course for classes only, in two processes', () => {
  it('is hidden and shown in one as soon as the other has answered', async () => {
    await using server = await TestServer.start({}, {}, 2);
    const { admin, teacher, outsider, hidden, open, group } = await makeWorld(server);
    const on = async (index: number, path: string): Promise<{ id: number }[]> => {
      const headers = { authorization: `Bearer ${outsider.token}` };
      return (await (await fetch(`${server.urls[index]}${path}`, { headers })).json()) as { id: number }[];
    };
    const send = async (index: number, method: string, path: string, { token }: TestUser, json?: object) => {
      const headers = { authorization: `Bearer ${token}`, ...(json ? { 'content-type': 'application/json' } : {}) };
      const body = json ? { body: JSON.stringify(json) } : {};
      const { status } = await fetch(`${server.urls[index]}${path}`, { method, headers, ...body });
      assert.ok(status < 300, `${path}: ${status}`);
    };
    const both = async (index: number, isVisible: boolean, what: string): Promise<void> => {
      for (const [path, all, some] of [
        ['/api/lessons/courses', [hidden.course, open.course], [open.course]],
        ['/api/exams', [hidden.exam, open.exam], [open.exam]],
      ] as const) {
        const shown = (await on(index, path)).map(({ id }) => id);
        assert.deepEqual(shown, isVisible ? all : some, `${path}: ${what}`);
      }
    };
    const members = `/api/classes/${group}/members`;
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [round % 2, (round + 1) % 2];
      await both(two, false, `before round ${round}`);
      await send(one, 'POST', members, teacher, { user_id: outsider.id });
      await both(two, true, `added in round ${round}`);
      await send(one, 'DELETE', `${members}/${outsider.id}`, teacher);
      await both(two, false, `removed in round ${round}`);
      const course = `/api/admin/lessons/courses/${hidden.course}`;
      await send(one, 'PUT', course, admin, { is_class_only: false });
      await both(two, true, `opened in round ${round}`);
      await send(one, 'PUT', course, admin, { is_class_only: true });
      await both(two, false, `closed in round ${round}`);
    }
  });
});
