import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { convertFolder } from '../../tools/conversion/markdown/convert-folder.ts';
import { serveRepository } from '../git-http.ts';
import { LocalRepository, run } from '../git-repository.ts';
import { itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const base = '/api/admin/lessons';
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';

type Section = { id: number | null; name: string; themes: { id: number | null; title: string }[] };
const outline = (sections: Section[]) =>
  sections.map(({ name, themes }) => `${name}: ${themes.map(({ title }) => title)}`);

describe('courses from repositories', () => {
  let own: LocalRepository;
  let other: LocalRepository;
  let url: string;
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  const web = createServer((request, response) => serveRepository(other.path, request, response));
  before(async () => {
    own = await LocalRepository.create();
    await own.commit({
      'README.md': '# Own lessons\n',
      '1-first/a.md': '# A\n',
      '1-first/b.md': '# B\n',
      '1-first/b.de.md': '# Be\n',
    });
    other = await LocalRepository.create();
    await other.commit({
      'SUMMARY.md': '- [Shell](shell.md)\n  - [Pipes](pipes.md)\n- [Gone](gone.md)\n',
      'shell.md': '# Shell\n\n![Plan](plan.svg), then [pipes](pipes.html)\n',
      'pipes.md': '# Pipes\n',
      'plan.svg': picture,
      'link.md': { link: '/etc/hostname' },
      linked: { link: '/etc' },
      '.pages': 'nav: [pipes.md]\n',
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/${other.path.split('/').at(-1)}`;
    server = await TestServer.start({ LESSONS_REPO_URL: own.path });
    [admin, student] = [await server.user('admin'), await server.user('student')];
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    web.close();
    await Promise.all([own[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  });

  const preview = (fields: object = {}) => server.post(`${base}/import-preview`, admin.token, fields);
  const importOf = async (fields: object = {}) => {
    const answer = await server.post(`${base}/import`, admin.token, fields);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const courses = async (token: string) => (await server.get('/api/lessons/courses', token)).body;
  const course = async (name: string) =>
    (await courses(admin.token)).find((one: { name: string }) => one.name === name);

  it('shows what an import would do, and writes nothing', async () => {
    const before = await courses(admin.token);
    const { status, body, text } = await preview({ url });
    assert.equal(status, 200, text);
    assert.equal(body.format, 'summary');
    assert.equal(body.file, 'SUMMARY.md');
    assert.match(body.commit, /^[0-9a-f]{40}$/);
    assert.deepEqual(outline(body.courses[0].sections), ['Shell: Shell,Pipes']);
    assert.deepEqual(body.problems, [
      {
        ...{ file: 'link.md', line: 1, message: 'is a symbolic link, which is not followed: it is left out' },
        ...{ code: 'symbolic_link', params: {} },
      },
      {
        ...{ file: 'SUMMARY.md', line: 3, message: 'gone.md does not exist: it is left out' },
        ...{ code: 'lesson_missing', params: { name: 'gone.md' } },
      },
    ]);
    assert.deepEqual(
      body.changes.map(({ action, kind }: { action: string; kind: string }) => `${action} ${kind}`),
      ['new course', 'new section', 'new theme', 'new theme'],
    );
    assert.deepEqual(await courses(admin.token), before);
    const { dataDir } = server;
    const left = (await readdir(join(dataDir, 'lessons'))).filter((name) => name.startsWith('visit-'));
    assert.deepEqual(left, []);
  });

  it('takes the language of lessons with translations that is chosen', async () => {
    const { body } = await preview({ url: null });
    assert.deepEqual(body.languages, ['de']);
    const titles = async (fields: object) => {
      const { body: shown } = await preview(fields);
      return shown.courses[0].sections.flatMap(({ themes }: Section) => themes.map(({ title }) => title));
    };
    assert.deepEqual(await titles({}), ['Own lessons', 'A', 'B']);
    assert.deepEqual(await titles({ language: 'de' }), ['Own lessons', 'A', 'Be']);
    assert.equal((await preview({ language: 'German' })).status, 422);
  });

  it('reports the same of a repository as the command does of its checkout', async () => {
    const room = await mkdtemp(join(tmpdir(), 'checkout-'));
    await run('git', ['clone', '--quiet', other.path, join(room, 'lessons')]);
    const { problems, warnings } = await convertFolder(join(room, 'lessons'), join(room, 'target'), { maxBytes: 1e6 });
    await rm(room, { recursive: true });
    const { body } = await preview({ url });
    assert.deepEqual([body.problems, body.warnings], [problems, warnings]);
    assert.deepEqual(
      warnings.map(({ file, message }) => `${file} ${message}`),
      [
        'linked is a symbolic link, which is not followed: it is left out',
        '.pages has an order of lessons that is not read: it is that of the folders',
      ],
    );
  });

  // Long: the life of an imported course.
  it('creates a hidden course whose lessons are read from its repository, and brings it up to date', async () => {
    const { courses: created } = await importOf({ url });
    const name = created[0].name as string;
    const shown = await course(name);
    assert.equal(shown.is_active, false);
    assert.ok(!(await courses(student.token)).some((one: { name: string }) => one.name === name));
    await server.put(`${base}/courses/${shown.id}`, admin.token, { is_active: true });
    const [shell, pipes] = shown.sections[0].themes;
    const content = await server.get(`/api/lessons/themes/${shell.id}/content`, student.token);
    assert.match(content.body, /^# Shell/);
    const file = await server.get(`/api/lessons/themes/${shell.id}/files/plan.svg`, student.token);
    assert.equal(file.text, picture);
    const linked = await server.get('/api/lessons/themes?markdown_file_path=pipes.html', student.token);
    assert.deepEqual(
      linked.body.map(({ id }: { id: number }) => id),
      [pipes.id],
    );
    assert.deepEqual(
      (await server.get('/api/admin/lessons/missing-files', admin.token)).body.filter(
        (one: { course_id: number }) => one.course_id === shown.id,
      ),
      [],
    );
    await server.post(`/api/lessons/themes/${pipes.id}/complete`, student.token);
    await server.put(`${base}/themes/${shell.id}`, admin.token, { title: 'My title' });

    await other.commit({
      'SUMMARY.md': '- [The shell](shell.md)\n- [Chapter](new.md)\n  - [Pipes again](pipes.md)\n',
      'shell.md': '# Shell, second edition\n',
      'pipes.md': '# Pipes\n',
      'new.md': '# New\n',
    });
    const updated = await importOf({ url, deletes_gone: true });
    assert.deepEqual(
      updated.changes.map(({ action, name: path, fields }: { action: string; name: string; fields: string[] }) =>
        [action, path.split('/').slice(1).join('/'), ...fields].join(' '),
      ),
      [
        'changed shell name',
        'new chapter',
        'kept shell/shell title',
        'new chapter/new',
        'changed chapter/pipes title section',
      ],
    );
    const now = (await courses(student.token)).find(({ id }: { id: number }) => id === shown.id);
    assert.deepEqual(outline(now.sections), ['The shell: My title', 'Chapter: Chapter,Pipes again']);
    assert.equal(now.sections[1].themes[1].id, pipes.id);
    assert.equal(now.sections[1].themes[1].is_completed, true);
    const text = await server.get(`/api/lessons/themes/${shell.id}/content`, student.token);
    assert.match(text.body, /second edition/);
    const acts = await server.application.db
      .selectFrom('activity_log')
      .selectAll()
      .where('type', '=', 'admin_course_import')
      .execute();
    assert.deepEqual(
      acts.map(({ actor_id, entity_id }) => [actor_id, entity_id]),
      [
        [admin.id, shown.id],
        [admin.id, shown.id],
      ],
    );
  });

  it('imports from the lessons repository of the service', async () => {
    const first = await importOf();
    assert.deepEqual(outline(first.courses[0].sections), ['Own lessons: Own lessons', 'First: A,B']);
    const own = await course('Own lessons');
    const again = await importOf({ url: null });
    assert.deepEqual(again.changes, []);
    assert.equal(again.courses[0].id, own.id);
  });

  it('keeps lessons that are gone until it is told to delete them', async () => {
    await own.commit({ 'README.md': '# Own lessons\n', '1-first/a.md': '# A\n' });
    const kept = await importOf();
    assert.deepEqual(
      kept.changes.map(({ action }: { action: string }) => action),
      ['gone'],
    );
    assert.deepEqual(outline((await course('Own lessons')).sections), ['Own lessons: Own lessons', 'First: A,B']);
    await own.commit({ 'README.md': '# Own lessons\n' });
    await importOf({ deletes_gone: true });
    assert.ok(
      !outline((await course('Own lessons')).sections)
        .join()
        .includes('A'),
    );
  });

  const refused: [string, object, string][] = [
    ['a path', { url: '/etc' }, 'body.url'],
    ['a file', { url: 'file:///etc/repository' }, 'body.url'],
    ['SSH, which needs a key', { url: 'git@example.com:a/b.git' }, 'body.url'],
    ['a transport helper', { url: 'ext::sh -c id' }, 'body.url'],
    ['credentials', { url: 'https://user:secret@example.com/a.git' }, 'body.url'],
    ['a query', { url: 'https://example.com/a.git?x=1' }, 'body.url'],
    ['an option as a branch', { url: 'https://example.com/a.git', branch: '--upload-pack=id' }, 'body.branch'],
    ['a branch without an address', { branch: 'main' }, 'body.branch'],
    ['an empty address', { url: '' }, 'body.url'],
  ];
  for (const [index, [name, fields, place]] of refused.entries()) {
    const test = index === 0 ? it : itLong;
    test(`refuses ${name}`, async () => {
      for (const path of ['import-preview', 'import']) {
        const { status, body } = await server.post(`${base}/${path}`, admin.token, fields);
        assert.equal(status, 422);
        assert.equal(body.detail[0].loc.join('.'), place);
        assert.doesNotMatch(JSON.stringify(body), /secret/);
      }
    });
  }

  it('reports a repository that cannot be reached, and a branch that does not exist', async () => {
    const unreachable = await preview({ url: `${url}-nowhere` });
    const told = ({ status, code, headers }: typeof unreachable) => [status, code, headers.get('error-reason')];
    assert.deepEqual(told(unreachable), [503, 'lessons_unavailable', 'repository_missing']);
    const branch = await preview({ url, branch: 'nowhere' });
    assert.deepEqual(told(branch), [503, 'lessons_unavailable', 'branch_missing']);
  });
});
