import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

describe('notes and bookmarks', () => {
  let server: TestServer;
  let admin: TestUser;
  const create = async (path: string, fields: object): Promise<number> => {
    const { status, body, text } = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
    assert.equal(status, 201, text);
    return body.id;
  };
  let course_id: number;
  let themes: number[];
  before(async () => {
    server = await TestServer.start({ maxNotesPerUser: 3 });
    admin = await server.user('admin');
    course_id = await create('courses', { name: 'Linux' });
    const section_id = await create('sections', { name: 'First', course_id });
    const themeOf = async (title: string) =>
      await create('themes', { title, section_id, markdown_file_path: `${title}.md` });
    themes = [await themeOf('one'), await themeOf('two')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const write = (user: TestUser, fields: object) => server.post('/api/notes', user.token, fields);
  const notesOf = async (user: TestUser, query = '') => (await server.get(`/api/notes${query}`, user.token)).body;

  it('are listed for their owner only, newest first, also of one theme', async () => {
    const [mine, other] = [await server.user(), await server.user('instructor')];
    const [one, two] = themes;
    const { status, body } = await write(mine, { theme_id: one, heading: 'lesson-a', excerpt: 'A text', text: 'Why?' });
    assert.equal(status, 201);
    assert.deepEqual(
      { ...body, id: 0, created_at: '', updated_at: '' },
      {
        ...{ id: 0, theme_id: one, theme_title: 'one', heading: 'lesson-a', excerpt: 'A text', text: 'Why?' },
        ...{ created_at: '', updated_at: '' },
      },
    );
    await write(mine, { theme_id: two, excerpt: 'B' });
    assert.deepEqual(
      (await notesOf(mine)).map(({ excerpt, text }: { excerpt: string; text: string }) => [excerpt, text]),
      [
        ['B', ''],
        ['A text', 'Why?'],
      ],
    );
    assert.equal((await notesOf(mine, `?theme_id=${one}`)).length, 1);
    for (const stranger of [other, admin]) assert.deepEqual(await notesOf(stranger), []);
  });

  it('are changed and deleted by their owner only', async () => {
    const [mine, other] = [await server.user(), await server.user()];
    const { body } = await write(mine, { theme_id: themes[0], excerpt: 'A' });
    const path = `/api/notes/${body.id}`;
    for (const { token } of [other, admin]) {
      assert.equal((await server.put(path, token, { text: 'x' })).status, 404);
      assert.equal((await server.delete(path, token)).status, 404);
    }
    const changed = await server.put(path, mine.token, { text: 'x' });
    assert.deepEqual([changed.status, changed.body.text], [200, 'x']);
    assert.equal((await server.put(path, mine.token, { text: 'x'.repeat(4001) })).status, 422);
    assert.equal((await server.delete(path, mine.token)).status, 200);
    assert.equal((await server.delete(path, mine.token)).status, 404);
  });

  it('are limited for each user', async () => {
    const mine = await server.user();
    const all = await Promise.all([1, 2, 3, 4, 5].map((n) => write(mine, { theme_id: themes[0], excerpt: `${n}` })));
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 201, 201, 409, 409]);
    assert.equal(all.find(({ status }) => status === 409)?.code, 'too_many_notes');
    const [{ excerpt }] = await notesOf(mine);
    // A second note at a paragraph replaces the first.
    assert.equal((await write(mine, { theme_id: themes[0], excerpt, text: 'again' })).status, 201);
    const kept = await notesOf(mine);
    assert.deepEqual([kept.length, kept[0].text], [3, 'again']);
  });

  it('need a theme that the user sees, and keep their text when it is hidden', async () => {
    const mine = await server.user();
    assert.equal((await write(mine, { theme_id: 2_000_000, excerpt: 'A' })).status, 404);
    assert.equal((await write(mine, { theme_id: themes[0], excerpt: '' })).status, 422);
    await write(mine, { theme_id: themes[0], excerpt: 'A', text: 'mine' });
    await server.put(`/api/admin/lessons/courses/${course_id}`, admin.token, { is_active: false });
    assert.equal((await write(mine, { theme_id: themes[1], excerpt: 'A' })).status, 404);
    const [note] = await notesOf(mine);
    assert.deepEqual([note.theme_title, note.text], [null, 'mine']);
    await server.put(`/api/admin/lessons/courses/${course_id}`, admin.token, { is_active: true });
  });

  it('go with their user and their theme', async () => {
    const mine = await server.user();
    await write(mine, { theme_id: themes[1], excerpt: 'A' });
    assert.equal((await server.delete(`/api/admin/lessons/themes/${themes[1]}`, admin.token)).status, 200);
    assert.deepEqual(await notesOf(mine), []);
  });
});
