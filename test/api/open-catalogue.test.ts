import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('the open catalogue', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ CATALOGUE_IS_OPEN: 'true' });
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  async function create(path: string, fields: object): Promise<number> {
    const { status, body, text } = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
    assert.equal(status, 201, text);
    return body.id;
  }

  it('has the published courses without texts, and their counts', async () => {
    const course_id = await create('courses', {
      name: 'Linux',
      description: 'From files to services',
      icon: 'terminal',
    });
    const section_id = await create('sections', { name: 'Files', course_id });
    const hidden = await create('sections', { name: 'Draft section', course_id });
    const theme = { markdown_file_path: 'secret-path.md', duration_minutes: 15 };
    await create('themes', { ...theme, title: 'Paths', section_id });
    await create('themes', { ...theme, title: 'Draft lesson', section_id: hidden });
    await server.put(`/api/admin/lessons/sections/${hidden}`, admin.token, { is_active: false });
    await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { title: 'Tidy up', section_id });
    await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Basics', course_id });
    await create('courses', { name: 'Of a class', is_class_only: true });
    const draft = await create('courses', { name: 'Draft course' });
    await server.put(`/api/admin/lessons/courses/${draft}`, admin.token, { is_active: false });

    const { status, body, text, headers } = await server.get('/api/catalogue');
    assert.equal(status, 200);
    assert.deepEqual(body, [
      {
        ...{ id: course_id, name: 'Linux', description: 'From files to services', icon: 'terminal' },
        ...{ theme_count: 1, laboratory_count: 1, exam_count: 1, duration_minutes: 15 },
        sections: [
          { id: section_id, name: 'Files', has_laboratory: true, themes: [{ title: 'Paths', duration_minutes: 15 }] },
        ],
      },
    ]);
    assert.doesNotMatch(text, /Draft|Of a class|secret-path|Tidy up|Basics/);
    assert.equal(headers.get('x-total-count'), '1');
    // A caller with a token, who sees more elsewhere, gets the same.
    assert.equal((await server.get('/api/catalogue', admin.token)).text, text);
  });

  it('is sent in pages, and only once while nothing changes', async () => {
    await create('courses', { name: 'Second' });
    const first = await server.get('/api/catalogue?page=2&page_size=25');
    assert.deepEqual(first.body, []);
    const one = await server.get('/api/catalogue?page=1&page_size=1');
    assert.equal(one.body.length, 1);
    const whole = await server.get('/api/catalogue?page=1&page_size=25');
    const headers = { 'if-none-match': whole.headers.get('etag') ?? '' };
    assert.equal((await server.request('GET', '/api/catalogue?page=1&page_size=25', { headers })).status, 304);
    await create('courses', { name: 'Third' });
    const changed = await server.request('GET', '/api/catalogue?page=1&page_size=25', { headers });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.at(-1).name, 'Third');
    assert.equal((await server.get('/api/catalogue?page_size=0')).status, 422);
  });

  it('marks the document, which is compressed and has a tag', async () => {
    const accept = { accept: 'text/html' };
    const { text, headers } = await server.request('GET', '/', { headers: accept });
    assert.match(text, /<html data-has-front-page lang=/);
    const tag = headers.get('etag') ?? '';
    assert.equal((await server.request('GET', '/', { headers: { ...accept, 'if-none-match': tag } })).status, 304);
  });
});

it('is not found while the catalogue is closed, which is the default', async () => {
  await using server = await TestServer.start();
  const { status, code } = await server.get('/api/catalogue');
  assert.deepEqual([status, code], [404, 'not_found']);
  const { text } = await server.request('GET', '/', { headers: { accept: 'text/html' } });
  assert.doesNotMatch(text, /data-has-front-page/);
});

it('counts requests of visitors by their network', async () => {
  await using server = await TestServer.start({ CATALOGUE_IS_OPEN: 'true', REQUESTS_PER_MINUTE: '3' });
  const statuses = [];
  for (let request = 0; request < 5; request += 1) statuses.push((await server.get('/api/catalogue')).status);
  assert.ok(statuses.includes(429) && statuses[0] === 200, `${statuses}`);
});
