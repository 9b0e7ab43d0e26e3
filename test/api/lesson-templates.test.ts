import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

const base = '/api/admin/lessons';

/** The sandbox template that a course, a section or a theme names. */
describe('the sandbox template of a lesson', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({}, {}, 2);
    [admin, student] = [await server.user('admin'), await server.user()];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const create = async (path: string, fields: object): Promise<number> => {
    const answer = await server.post(path, admin.token, fields);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  };
  const template = (name: string) =>
    create('/api/admin/sandbox-templates', { name, image: 'image', memory_mb: 64, cpus: 0.5 });
  const change = async (kind: string, id: number, fields: object) => {
    const answer = await server.put(`${base}/${kind}/${id}`, admin.token, fields);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  /** What each process answers. */
  const nearest = async (theme: number): Promise<(number | null)[]> =>
    await Promise.all(
      server.urls.map(async (url) => {
        const headers = { authorization: `Bearer ${student.token}` };
        const answer = await fetch(`${url}/api/lessons/themes/${theme}`, { headers });
        return ((await answer.json()) as { nearest_template_id: number | null }).nearest_template_id;
      }),
    );
  async function lesson() {
    const course = await create(`${base}/courses`, { name: 'Course' });
    const section = await create(`${base}/sections`, { name: 'Section', course_id: course });
    const theme = await create(`${base}/themes`, { title: 'T', section_id: section, markdown_file_path: 'a.md' });
    return { course, section, theme };
  }

  it('is that of the lesson, or else of its section, or else of its course, in every process', async () => {
    const { course, section, theme } = await lesson();
    const [ofCourse, ofSection, ofTheme] = [await template('A'), await template('B'), await template('C')];
    assert.deepEqual(await nearest(theme), [null, null]);
    assert.equal((await change('courses', course, { template_id: ofCourse })).template_id, ofCourse);
    assert.deepEqual(await nearest(theme), [ofCourse, ofCourse]);
    await change('sections', section, { template_id: ofSection });
    assert.deepEqual(await nearest(theme), [ofSection, ofSection]);
    // Fields can be in the query as well.
    assert.equal((await server.put(`${base}/themes/${theme}?template_id=${ofTheme}`, admin.token)).status, 200);
    assert.deepEqual(await nearest(theme), [ofTheme, ofTheme]);
    const seen = (await server.get(`/api/lessons/courses/${course}`, student.token)).body;
    const [part] = seen.sections;
    assert.deepEqual(
      [seen.template_id, part.template_id, part.themes[0].template_id],
      [ofCourse, ofSection, ofTheme],
      'the tree has what each level itself names',
    );
    await change('themes', theme, { template_id: null });
    assert.deepEqual(await nearest(theme), [ofSection, ofSection]);
    await change('sections', section, { name: 'Renamed' });
    assert.deepEqual(await nearest(theme), [ofSection, ofSection], 'an omitted field is unchanged');
  });

  it('can be deleted: the lessons are kept, and every process knows', async () => {
    const { course, section, theme } = await lesson();
    const gone = await template('Gone');
    await change('courses', course, { template_id: gone });
    await change('sections', section, { template_id: gone });
    await change('themes', theme, { template_id: gone });
    assert.deepEqual(await nearest(theme), [gone, gone]);
    const deleted = await server.delete(`/api/admin/sandbox-templates/${gone}`, admin.token);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(await nearest(theme), [null, null]);
    const row = await server.get(`${base}/themes/${theme}`, admin.token);
    assert.deepEqual([row.status, row.body.template_id], [200, null]);
  });

  it('must exist', async () => {
    const { course, section, theme } = await lesson();
    const unknown = { template_id: 999_999 };
    const refused = [
      await server.put(`${base}/courses/${course}`, admin.token, unknown),
      await server.put(`${base}/sections/${section}`, admin.token, unknown),
      await server.put(`${base}/themes/${theme}`, admin.token, unknown),
      await server.post(`${base}/courses`, admin.token, { name: 'New', ...unknown }),
    ];
    for (const { status, code, body } of refused)
      assert.deepEqual([status, code, body], [404, 'not_found', { detail: 'Sandbox template not found' }]);
    const wrong = await server.put(`${base}/themes/${theme}`, admin.token, { template_id: 'x' });
    assert.equal(wrong.status, 422);
  });
});
