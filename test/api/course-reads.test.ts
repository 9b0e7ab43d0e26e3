import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

type Summary = { id: number; name: string; section_count: number; progress: object; next_theme: object | null };

/** The reads of a client that shows one course at a time. */
describe('courses', () => {
  let server: TestServer;
  let student: TestUser;
  let admin: TestUser;
  const courses: number[] = [];
  /** Two for each section, which are two for each course. */
  const themes: number[] = [];
  const get = (path: string, { token } = student) => server.get(`/api/lessons/${path}`, token);
  const namesOf = (body: Summary[]) => body.map(({ name }) => name);

  before(async () => {
    server = await TestServer.start();
    [student, admin] = [await server.user(), await server.user('admin')];
    const create = async (path: string, fields: object): Promise<number> => {
      const made = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    for (const name of ['Linux', 'Networks', 'Draft']) {
      const course_id = await create('courses', { name, is_active: name !== 'Draft' });
      courses.push(course_id);
      for (const section of ['Open', 'Hidden']) {
        const section_id = await create('sections', { name: section, course_id, is_active: section === 'Open' });
        for (const title of ['One', 'Two']) {
          const markdown_file_path = `${name}/${title}.md`;
          themes.push(await create('themes', { title, section_id, markdown_file_path }));
        }
      }
    }
    courses.push(await create('courses', { name: 'Empty' }));
  });
  after(() => server?.[Symbol.asyncDispose]());

  const complete = (index: number, is = true) =>
    server.request(is ? 'POST' : 'DELETE', `/api/lessons/themes/${themes[index]}/complete`, { token: student.token });

  describe('one course', () => {
    it('is the same as in the tree, for each role', async () => {
      await complete(1);
      await complete(5);
      for (const user of [student, admin, await server.user('instructor')]) {
        const { body: tree } = await get('courses', user);
        for (const course of tree) {
          const one = await get(`courses/${course.id}`, user);
          assert.equal(one.status, 200);
          assert.match(one.headers.get('content-type') ?? '', /^application\/json/);
          assert.deepEqual(one.body, course);
        }
      }
      const { body } = await get(`courses/${courses[0]}`);
      assert.deepEqual(body.progress, { completed_themes: 1, total_themes: 2, percent: 50 });
      await complete(1, false);
      await complete(5, false);
    });

    it('is missing where it does not exist or is not visible', async () => {
      for (const id of [`${courses[2]}`, '2147483647', '99999999999', '0']) {
        const { status, code } = await get(`courses/${id}`);
        assert.deepEqual([status, code], [404, 'not_found'], id);
      }
      assert.equal((await get('courses/one')).status, 422);
      assert.equal((await get(`courses/${courses[2]}`, admin)).body.name, 'Draft');
    });

    it('has the same tag after a completion in another course', async () => {
      const tag = async () => (await get(`courses/${courses[0]}`)).headers.get('etag');
      const before = await tag();
      await complete(4);
      assert.equal(await tag(), before);
      await complete(0);
      assert.notEqual(await tag(), before);
      await complete(4, false);
      await complete(0, false);
      assert.equal(await tag(), before);
    });
  });

  describe('summaries', () => {
    it('have counts, the progress of the caller and the next theme', async () => {
      await complete(0);
      const { status, body, headers } = await get('course-summaries');
      assert.equal(status, 200);
      assert.deepEqual(namesOf(body), ['Linux', 'Networks', 'Empty']);
      assert.equal(headers.get('x-total-count'), '3');
      const [linux, networks, empty] = body;
      const { body: tree } = await get('courses');
      const { sections: _, ...fields } = tree[0];
      assert.deepEqual(linux, { ...fields, section_count: 1, next_theme: { id: themes[1], title: 'Two' } });
      assert.deepEqual(linux.progress, { completed_themes: 1, total_themes: 2, percent: 50 });
      assert.deepEqual(networks.next_theme, { id: themes[4], title: 'One' });
      assert.deepEqual([empty.section_count, empty.next_theme, empty.progress.total_themes], [0, null, 0]);
      const staff = (await get('course-summaries', admin)).body;
      assert.deepEqual(namesOf(staff), ['Linux', 'Networks', 'Draft', 'Empty']);
      assert.deepEqual([staff[0].section_count, staff[0].progress.total_themes], [2, 4]);
      await complete(0, false);
    });

    it('can be selected by state', async () => {
      const names = async (state: string) => namesOf((await get(`course-summaries?state=${state}`)).body);
      const states = async () => [await names('new'), await names('begun'), await names('finished')];
      assert.deepEqual(await states(), [['Linux', 'Networks'], [], []]);
      await complete(0);
      assert.deepEqual(await states(), [['Networks'], ['Linux'], []]);
      // A theme of a hidden section is not among those of the course.
      await server.post(`/api/lessons/themes/${themes[2]}/complete`, admin.token);
      await complete(1);
      assert.deepEqual(await states(), [['Networks'], [], ['Linux']]);
      const [linux] = (await get('course-summaries?state=finished')).body;
      assert.deepEqual(linux.next_theme, { id: themes[0], title: 'One' });
      assert.equal(linux.progress.percent, 100);
      await complete(0, false);
      await complete(1, false);
      assert.equal((await get('course-summaries?state=old')).status, 422);
    });

    it('are a list in pages', async () => {
      const first = await get('course-summaries?page_size=2');
      const second = await get('course-summaries?page_size=2&page=2');
      assert.deepEqual([...namesOf(first.body), ...namesOf(second.body)], ['Linux', 'Networks', 'Empty']);
      assert.match(
        first.headers.get('link') ?? '',
        /<\/api\/lessons\/course-summaries\?page_size=2&page=2>; rel="next"/,
      );
      const filtered = await get('course-summaries?state=new&page_size=1');
      assert.equal(filtered.headers.get('x-total-count'), '2');
      assert.match(filtered.headers.get('link') ?? '', /state=new&page_size=1&page=2>; rel="next"/);
      for (const query of ['page=0', 'page_size=101', 'page=one'])
        assert.equal((await get(`course-summaries?${query}`)).status, 422, query);
    });
  });

  describe('themes', () => {
    it('are found by their file, as far as the caller sees them', async () => {
      const idsOf = async (file: string, user = student) => {
        const { status, body } = await get(`themes?markdown_file_path=${encodeURIComponent(file)}`, user);
        assert.equal(status, 200);
        return body.map(({ id }: { id: number }) => id);
      };
      assert.deepEqual(await idsOf('Linux/One.md'), [themes[0]]);
      assert.deepEqual(await idsOf('Linux/One.md', admin), [themes[0], themes[2]]);
      assert.deepEqual(await idsOf('Draft/One.md'), []);
      assert.deepEqual(await idsOf('nothing/ü.md'), []);
    });

    it('are not listed without a file', async () => {
      for (const query of ['', '?markdown_file_path=', `?markdown_file_path=${'a'.repeat(1001)}`]) {
        const { status, body } = await get(`themes${query}`);
        assert.equal(status, 422, query);
        assert.deepEqual(body.detail[0].loc, ['query', 'markdown_file_path']);
      }
    });

    it('refer to their course', async () => {
      assert.equal((await get(`themes/${themes[4]}`)).body.course_id, courses[1]);
    });
  });
});
