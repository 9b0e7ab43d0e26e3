import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteUnusedStates } from '../../src/database/catalogue/revisions.ts';
import { blankPng } from '../blank-png.ts';
import { LocalRepository, run } from '../git-repository.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const path = '/api/admin/written-lessons';
const binary = 'application/octet-stream';

describe('lessons that are written in the pages', () => {
  let repository: LocalRepository;
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  let section: number;

  before(async () => {
    repository = await LocalRepository.create();
    const picture = '![Plan](img/plan.png)\n';
    await repository.commit({ 'git/a.md': `# Of Git\n\n${picture}`, 'git/img/plan.png': blankPng(2), 'b.md': '# B\n' });
    const settings = {
      LESSONS_REPO_URL: repository.path,
      maxWrittenLessonFiles: 40,
      maxWrittenLessonBytes: 100_000,
    };
    server = await TestServer.start(settings, {}, 2);
    [admin, student] = [await server.user('admin'), await server.user('student')];
    const course = await post('/api/admin/lessons/courses', { name: 'Course' });
    section = (await post('/api/admin/lessons/sections', { name: 'Section', course_id: course.id })).id;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });

  const post = async (address: string, fields: object, status = 201) => {
    const answer = await server.post(address, admin.token, fields);
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };
  const write = (file: string, text = '# Text\n', message = '') => post(path, { path: file, text, message });
  const codeOf = async (answer: Promise<Answer>) => {
    const { status, code } = await answer;
    return `${status} ${code}`;
  };
  const put = (id: number, fields: object) => server.put(`${path}/${id}`, admin.token, fields);
  const lesson = async (file: string, is_written = true): Promise<number> =>
    (
      await post('/api/admin/lessons/themes', {
        title: file,
        section_id: section,
        markdown_file_path: file,
        is_written,
      })
    ).id;
  /** What a student reads at one of the processes. */
  const read = async (theme: number, index = 0, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${student.token}`, ...headers };
    const response = await fetch(`${server.urls[index]}/api/lessons/themes/${theme}/content`, { headers: all });
    const text = await response.text();
    return {
      status: response.status,
      tag: response.headers.get('etag') ?? '',
      text: response.ok ? JSON.parse(text) : text,
    };
  };
  const upload = (name: string, body: Buffer) =>
    server.request('POST', `${path}/pictures?name=${encodeURIComponent(name)}`, {
      token: admin.token,
      body: Uint8Array.from(body),
      headers: { 'content-type': binary },
    });

  it('are read by students, in every process as soon as a change is answered', async () => {
    const file = await write('course/first.md', '# First\n');
    assert.deepEqual([file.path, file.revision, file.is_text, file.lessons], ['course/first.md', 1, true, []]);
    const theme = await lesson('course/first.md');
    const tags = new Set<string>();
    for (const edition of ['one', 'two', 'three', 'four']) {
      const { body } = await put(file.id, { text: `# ${edition}\n` });
      assert.equal(body.text, `# ${edition}\n`);
      for (const index of [1, 0]) {
        const { text, tag } = await read(theme, index);
        assert.equal(text, `# ${edition}\n`);
        tags.add(tag);
        assert.equal((await read(theme, index, { 'if-none-match': tag })).status, 304);
      }
    }
    assert.equal(tags.size, 4);
  });

  it('keep every revision with its author, and restore one', async () => {
    const { id } = await write('history.md', 'one\n', 'The beginning');
    await put(id, { text: 'two\n', revision: 1, message: 'Better' });
    // The same text again is no revision.
    assert.equal((await put(id, { text: 'two\n' })).body.revision, 2);
    const { body } = await server.get(`${path}/${id}/revisions`, admin.token);
    const shown = body.map((one: { revision: number; message: string; author_id: number }) => [
      one.revision,
      one.message,
      one.author_id,
    ]);
    assert.deepEqual(shown, [
      [2, 'Better', admin.id],
      [1, 'The beginning', admin.id],
    ]);
    assert.equal((await server.get(`${path}/${id}/revisions/1`, admin.token)).body.text, 'one\n');
    const restored = await post(`${path}/${id}/revisions/1/restore`, {}, 200);
    assert.deepEqual([restored.revision, restored.text], [3, 'one\n']);
    assert.equal(await codeOf(server.get(`${path}/${id}/revisions/9`, admin.token)), '404 not_found');
    assert.equal(await codeOf(server.post(`${path}/${id}/revisions/9/restore`, admin.token)), '404 not_found');
  });

  it('refuse a change of an older revision, and write nothing of it', async () => {
    const { id } = await write('conflict.md', 'base\n');
    const answers = await Promise.all(['mine\n', 'yours\n'].map((text) => put(id, { text, revision: 1 })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.code, 'changed_meanwhile');
    const { body } = await server.get(`${path}/${id}`, admin.token);
    assert.equal(body.revision, 2);
    assert.equal(body.text, answers.find(({ status }) => status === 200)?.body.text);
  });

  it('move with their lessons, and are deleted once no lesson has them, until they are restored', async () => {
    const { id } = await write('old/place.md', 'moved\n');
    const theme = await lesson('old/place.md');
    const { body } = await put(id, { path: 'new/place.md' });
    assert.deepEqual([body.path, body.lessons[0].theme_id, body.lessons[0].course], ['new/place.md', theme, 'Course']);
    for (const index of [1, 0]) assert.equal((await read(theme, index)).text, 'moved\n');
    assert.equal(await codeOf(server.delete(`${path}/${id}`, admin.token)), '409 lesson_file_in_use');
    await server.delete(`/api/admin/lessons/themes/${theme}`, admin.token);
    for (const _again of [1, 2]) assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).body.text, null);
    assert.equal(await codeOf(put(id, { text: 'x' })), '404 not_found');
    const { body: deleted } = await server.get(`${path}?is_deleted=true&q=NEW/`, admin.token);
    assert.deepEqual(
      deleted.map((one: { id: number }) => one.id),
      [id],
    );
    assert.equal(await codeOf(server.post(`${path}/${id}/revisions/3/restore`, admin.token)), '409 conflict');
    // The chore that deletes unused contents keeps those of all revisions.
    await sql`update setup_contents set created_at = now() - interval '1 day'`.execute(server.application.db);
    await deleteUnusedStates(server.application.db);
    assert.equal((await post(`${path}/${id}/revisions/2/restore`, {}, 200)).text, 'moved\n');
  });

  it('are found by a part of their path or of the title of a lesson that has them', async () => {
    const { id } = await write('found/one.md', 'x\n');
    const theme = await lesson('found/one.md');
    const renamed = await server.put(`/api/admin/lessons/themes/${theme}`, admin.token, { title: 'Umask and friends' });
    assert.equal(renamed.status, 200, renamed.text);
    for (const asked of ['FOUND/', 'umask AND']) {
      const { body } = await server.get(`${path}?q=${encodeURIComponent(asked)}`, admin.token);
      assert.deepEqual([asked, ...body.map((one: { id: number }) => one.id)], [asked, id]);
    }
    assert.equal((await server.get(`${path}?q=umask-`, admin.token)).body.length, 0);
  });

  it('refuse paths that Git could not check out or that are taken, and what is too much', async () => {
    await write('taken.md');
    for (const wrong of ['/a.md', '../a.md', 'a//b.md', '.git/a.md', 'a.exe', 'a.png', 'a?.md', 'b /c.md'])
      assert.equal(await codeOf(server.post(path, admin.token, { path: wrong, text: '' })), '422 validation', wrong);
    for (const wrong of ['taken.md', 'taken.md/below.md'])
      assert.equal(await codeOf(server.post(path, admin.token, { path: wrong, text: '' })), '409 path_conflict', wrong);
    const large = { path: 'large.md', text: 'x'.repeat(100_001) };
    assert.equal(await codeOf(server.post(path, admin.token, large)), '409 files_full');
    assert.equal((await server.get(`${path}?q=large`, admin.token)).body.length, 0);
    assert.equal(await codeOf(upload('a.png', Buffer.from('no picture'))), '415 not_a_picture');
    assert.equal(await codeOf(server.get(`${path}/4000`, admin.token)), '404 not_found');
  });

  it('have pictures, which are stored once and shown by the lessons that refer to them', async () => {
    const { status, body } = await upload('My Plan.PNG', blankPng(3));
    assert.equal(status, 201);
    assert.match(body.path, /^pictures\/my-plan-[0-9a-f]{8}\.png$/);
    assert.equal((await upload('My Plan.PNG', blankPng(3))).body.id, body.id);
    await write('deep/folder/pictured.md', `![Plan](/${body.path})\n`);
    const theme = await lesson('deep/folder/pictured.md');
    const file = `/api/lessons/themes/${theme}/files/${encodeURIComponent(`/${body.path}`)}`;
    for (const address of [file, `${path}/content?path=${body.path}`]) {
      const answer = await server.get(address, admin.token);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
    }
    assert.equal(await codeOf(server.get(`${path}/content?path=none.png`, admin.token)), '404 lesson_file_not_found');
    assert.equal(await codeOf(put(body.id, { path: 'pictures/a.md' })), '422 validation');
  });

  it('begin with the text and the pictures of the repository', async () => {
    const theme = await lesson('git/a.md', false);
    assert.match((await read(theme)).text, /Of Git/);
    const file = await post(`/api/admin/lessons/themes/${theme}/write`, {}, 200);
    assert.deepEqual([file.path, file.lessons.length], ['git/a.md', 1]);
    assert.match(file.text, /Of Git/);
    await put(file.id, { text: `${file.text}\nWritten here.\n` });
    for (const index of [1, 0]) assert.match((await read(theme, index)).text, /Written here/);
    assert.equal((await server.get(`/api/lessons/themes/${theme}/files/img/plan.png`, student.token)).status, 200);
    // A second request has the same file. A lesson without a text has a new one.
    assert.equal((await post(`/api/admin/lessons/themes/${theme}/write`, {}, 200)).id, file.id);
    const empty = await post(`/api/admin/lessons/themes/${await lesson('none.md', false)}/write`, {}, 200);
    assert.deepEqual([empty.path, empty.text], ['none.md', '# none.md\n']);
    assert.equal(await codeOf(server.post('/api/admin/lessons/themes/4000/write', admin.token)), '404 not_found');
  });

  it('and the files of a repository are listed with the lessons that have them', async () => {
    const theme = await lesson('b.md', false);
    const { body } = await server.get(`/api/admin/lessons/files?section_id=${section}`, admin.token);
    assert.deepEqual(
      body.map((file: { path: string }) => file.path),
      ['b.md', 'git/a.md'],
    );
    assert.deepEqual(body[0].lessons, [{ theme_id: theme, title: 'b.md', course: 'Course' }]);
    const written = (await server.get('/api/admin/lessons/files?is_written=true', admin.token)).body;
    assert.ok(written.some((file: { path: string }) => file.path === 'course/first.md'));
    assert.equal(await codeOf(server.get('/api/admin/lessons/files?course_id=4000', admin.token)), '404 not_found');
  });

  // Long: what is cloned is compared file by file.
  it('are exported as a repository with their history and the names of their authors', async () => {
    const { id } = await write('exported "ü".md'.replaceAll('"', "'"), 'first\n', 'An export');
    await put(id, { path: 'renamed/ü.md', text: 'second\n' });
    const { body: gone } = await server.post(path, admin.token, { path: 'gone.md', text: '' });
    await server.delete(`${path}/${gone.id}`, admin.token);
    const headers = { authorization: `Bearer ${admin.token}` };
    const response = await fetch(`${server.urls[0]}${path}/bundle`, { headers });
    assert.equal(response.status, 200);
    const folder = await mkdtemp(join(tmpdir(), 'platform-test-bundle-'));
    try {
      await writeFile(join(folder, 'lessons.bundle'), Buffer.from(await response.arrayBuffer()));
      const clone = join(folder, 'clone');
      await run('git', ['clone', '--quiet', join(folder, 'lessons.bundle'), clone]);
      const git = (...args: string[]) => run('git', ['-c', 'core.quotePath=false', '-C', clone, ...args]);
      const { body: files } = await server.get(`${path}?page_size=100`, admin.token);
      const paths = (await git('ls-files')).trim().split('\n').sort();
      assert.deepEqual(paths, files.map((file: { path: string }) => file.path).sort());
      assert.equal(await git('show', 'HEAD:renamed/ü.md'), 'second\n');
      assert.match(await git('log', '--format=%an|%ae|%s'), /\|\|An export$/m);
      assert.match(await git('log', '--format=%s'), /^Delete gone\.md$/m);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are in the log of activity', async () => {
    const { body } = await server.get('/api/admin/activity?page_size=100', admin.token);
    const types = new Set(body.map(({ type }: { type: string }) => type));
    for (const verb of ['create', 'update', 'delete', 'restore'])
      assert.ok(types.has(`admin_written_lesson_${verb}`), verb);
  });
});
