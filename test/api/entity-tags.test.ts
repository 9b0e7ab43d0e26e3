import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

/** The reads that a client repeats. The identifiers are those of the first rows. */
const paths = [
  '/api/lessons/courses',
  '/api/lessons/courses?page=1&page_size=1',
  '/api/lessons/courses/1',
  '/api/lessons/course-summaries?page_size=1',
  '/api/lessons/themes?markdown_file_path=a.md',
  '/api/lessons/themes/1',
  '/api/exams',
  '/api/exams?page=1&page_size=1',
  '/api/exams/1',
  '/api/laboratories/3',
  '/api/laboratories/section/1/laboratory',
  '/api/dashboard/stats',
  '/api/dashboard/activity',
  '/api/dashboard/activity?page_size=1',
  '/api/dashboard/analytics?days=7',
];

describe('entity tags', () => {
  let server: TestServer;
  let student: TestUser;
  let admin: TestUser;
  const read = (path: string, token: string, tag?: string) =>
    server.request('GET', path, { token, ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }) });
  const tagOf = async (path: string, token: string) => (await read(path, token)).headers.get('etag') ?? '';

  before(async () => {
    server = await TestServer.start();
    [student, admin] = [await server.user(), await server.user('admin')];
    const create = (path: string, fields: object) => server.post(`/api/admin/${path}`, admin.token, fields);
    for (const name of ['First', 'Second']) {
      const course = await create('lessons/courses', { name });
      const section = await create('lessons/sections', { name, course_id: course.body.id });
      for (const title of ['One', 'Two'])
        await create('lessons/themes', { title, section_id: section.body.id, markdown_file_path: 'a.md' });
    }
    const assessment = { title: 'Subject', description: '', container_image: 'image', passing_score: 1 };
    for (const time_limit_minutes of [5, 6]) await create('exams', { ...assessment, time_limit_minutes });
    const made = await create('laboratories', { ...assessment, section_id: 1 });
    assert.equal(made.status, 201, made.text);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are on the reads that clients repeat, which answer 304 to a client that has the answer', async () => {
    for (const path of paths) {
      const first = await read(path, student.token);
      assert.equal(first.status, 200, `${path}: ${first.text}`);
      const tag = first.headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]{27}"$/, path);
      assert.equal(first.headers.get('cache-control'), 'private, no-cache', path);
      for (const known of [tag, `"other", W/${tag}`]) {
        const again = await read(path, student.token, known);
        assert.deepEqual([again.status, again.text], [304, ''], path);
        assert.equal(again.headers.get('etag'), tag);
        assert.equal(again.headers.get('cache-control'), 'private, no-cache');
        assert.equal(again.headers.get('content-type'), null);
        for (const name of ['x-total-count', 'link'])
          assert.equal(again.headers.get(name), first.headers.get(name), `${path}: ${name}`);
      }
      assert.equal((await read(path, student.token, '"other"')).status, 200, path);
      const authorization = `Bearer ${student.token}`;
      const head = await fetch(server.url + path, { method: 'HEAD', headers: { authorization } });
      assert.deepEqual([head.status, head.headers.get('etag')], [200, tag], path);
    }
  });

  it('are in the API document', async () => {
    const { body } = await server.get('/api/openapi.json');
    for (const path of [
      '/api/lessons/courses',
      '/api/lessons/courses/{course_id}',
      '/api/lessons/course-summaries',
      '/api/lessons/themes/{theme_id}',
      '/api/exams',
      '/api/dashboard/stats',
    ]) {
      const { responses } = body.paths[path].get;
      assert.deepEqual(Object.keys(responses['304'].headers), ['ETag', 'Cache-Control'], path);
      assert.equal(responses['304'].content, undefined);
      assert.ok(responses['200'].headers.ETag.required, path);
    }
  });

  it('change with the progress of the reader, and differ between readers', async () => {
    const other = await server.user();
    for (const path of [
      '/api/lessons/courses',
      '/api/lessons/courses?page=1',
      '/api/lessons/courses/1',
      '/api/lessons/course-summaries',
      '/api/lessons/themes/1',
    ]) {
      const before = await tagOf(path, student.token);
      assert.equal(await tagOf(path, other.token), before, `${path}: nobody has progress`);
      await server.post('/api/lessons/themes/1/complete', student.token);
      const after = await read(path, student.token, before);
      assert.equal(after.status, 200, path);
      assert.notEqual(after.headers.get('etag'), before);
      assert.equal((await read(path, other.token, before)).status, 304, path);
      assert.equal((await read(path, other.token, after.headers.get('etag') ?? '')).status, 200, path);
      await server.delete('/api/lessons/themes/1/complete', student.token);
      assert.equal((await read(path, student.token, before)).status, 304, path);
    }
  });

  it('change with the catalogue', async () => {
    const tags = new Map<string, string>();
    const catalogue = paths.filter((path) => !path.includes('dashboard'));
    for (const path of catalogue) tags.set(path, await tagOf(path, student.token));
    await server.put('/api/admin/lessons/courses/1?name=Renamed', admin.token);
    await server.put('/api/admin/lessons/themes/1?title=Renamed', admin.token);
    await server.put('/api/admin/exams/1?title=Renamed', admin.token);
    await server.put('/api/admin/laboratories/3?title=Renamed', admin.token);
    for (const path of catalogue) assert.equal((await read(path, student.token, tags.get(path))).status, 200, path);
  });

  it('show nothing to a caller who may not read the answer', async () => {
    const leaver = await server.user();
    const tags = await Promise.all(paths.map((path) => tagOf(path, leaver.token)));
    await server.post('/api/auth/logout', leaver.token);
    for (const [index, path] of paths.entries()) {
      const refused = await read(path, leaver.token, tags[index]);
      assert.deepEqual([refused.status, refused.headers.get('etag')], [401, null], path);
    }
    const tag = await tagOf('/api/lessons/themes/3', student.token);
    await server.put('/api/admin/lessons/courses/2?is_active=false', admin.token);
    const hidden = await read('/api/lessons/themes/3', student.token, tag);
    assert.deepEqual([hidden.status, hidden.headers.get('etag')], [404, null]);
    assert.equal((await read('/api/lessons/themes/3', admin.token)).status, 200);
  });

  it('differ between the exams of students and those of staff', async () => {
    for (const path of ['/api/exams', '/api/exams/1']) {
      await server.post('/api/admin/exams/1/tasks', admin.token, {
        ...{ title: 'Task', points: 1, verification_script: 'echo PASS' },
      });
      assert.notEqual(await tagOf(path, student.token), await tagOf(path, admin.token), path);
      const shown = await read(path, student.token, await tagOf(path, admin.token));
      assert.equal(shown.status, 200);
      assert.ok(!shown.text.includes('echo PASS'));
    }
  });
});
