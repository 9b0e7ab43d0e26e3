import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { serveRepository } from '../git-http.ts';
import { LocalRepository, run } from '../git-repository.ts';
import { GitServer } from '../git-server.ts';
import { describeLong } from '../rounds.ts';
import { codedItems, engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/admin/lessons/repositories';
const token = 'canary-token-of-a-private-repository';

describeLong('lesson repositories', () => {
  let own: LocalRepository;
  let closed: LocalRepository;
  let other: LocalRepository;
  let base: string;
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  let count = 0;
  const traces: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void traces.push(line) });
  /** The first part of the path is the name of a repository. One of them asks for a token. */
  const web = createServer((request, response) => {
    const isClosed = request.url?.startsWith(`/${nameOf(closed)}/`);
    const isAdmitted = request.headers.authorization === `Basic ${Buffer.from(`git:${token}`).toString('base64')}`;
    if (isClosed && !isAdmitted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="lessons"' }).end();
      return;
    }
    void run('ps', ['-eo', 'args=']).then((list) => {
      traces.push(list);
      serveRepository((isClosed ? closed : other).path, request, response);
    });
  });
  const nameOf = (repository: LocalRepository) => repository.path.split('/').at(-1) ?? '';
  const urlOf = (repository: LocalRepository) => `${base}/${nameOf(repository)}`;

  before(async () => {
    [own, closed, other] = [
      await LocalRepository.create(),
      await LocalRepository.create(),
      await LocalRepository.create(),
    ];
    await own.commit({ 'a.md': '# Own\n' });
    await closed.commit({ 'a.md': '# Private\n' });
    await other.commit({ 'a.md': '# Other\n' });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    server = await TestServer.start({ LESSONS_REPO_URL: own.path, maxLessonRepositories: 6 }, { log }, 2);
    [admin, student] = [await server.user('admin'), await server.user('student')];
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    web.close();
    await Promise.all([own, closed, other].map((repository) => repository[Symbol.asyncDispose]()));
  });

  const add = async (fields: { url: string; branch?: string; key?: string }) => {
    const answer = await server.post(path, admin.token, { name: 'Added', ...fields });
    assert.equal(answer.status, 201, answer.text);
    traces.push(answer.text);
    return answer.body;
  };
  const read = async (id: number) => (await server.get(`${path}/${id}`, admin.token)).body;
  const test = async (id: number) => (await server.post(`${path}/${id}/test`, admin.token)).body;
  /** A course with one lesson, `a.md`. @returns its id and that of the lesson */
  const courseAt = async (repository_id: number | null) => {
    count += 1;
    const post = async (kind: string, fields: object) =>
      (await server.post(`/api/admin/lessons/${kind}`, admin.token, fields)).body;
    const course = await post('courses', { name: `Course ${count}`, repository_id });
    assert.equal(course.repository_id, repository_id);
    const section = await post('sections', { name: 'Section', course_id: course.id });
    const theme = await post('themes', { title: 'Theme', section_id: section.id, markdown_file_path: 'a.md' });
    return { course: course.id as number, theme: theme.id as number };
  };
  /** The text of a lesson, or the status, of one of the processes. */
  const lessonOf = async (theme: number, index = 0): Promise<unknown> => {
    const headers = { authorization: `Bearer ${student.token}` };
    const response = await fetch(`${server.urls[index]}/api/lessons/themes/${theme}/content`, { headers });
    const text = await response.text();
    traces.push(text);
    return response.ok ? JSON.parse(text) : response.status;
  };

  it('has the default repository first, which cannot be changed', async () => {
    await server.post('/api/lessons/refresh-repository', admin.token);
    const { body } = await server.get(path, admin.token);
    assert.deepEqual([body[0].id, body[0].is_default, body[0].url], [null, true, own.path]);
    assert.match(body[0].commit, /^[0-9a-f]{40}$/);
    const { theme } = await courseAt(null);
    assert.equal(await lessonOf(theme), '# Own\n');
  });

  // Long: the life of a private repository.
  it('reads a private repository with its token only, which appears nowhere', async () => {
    const { id } = await add({ url: urlOf(closed) });
    assert.deepEqual(await test(id), {
      is_reachable: false,
      commit: null,
      reason: 'the Git server refused the credentials',
      reason_code: 'credentials_refused',
      reason_params: {},
    });
    const { course, theme } = await courseAt(id);
    assert.equal(await lessonOf(theme), 503);
    const refused = await server.post(`${path}/${id}/refresh`, admin.token);
    assert.deepEqual([refused.status, refused.code], [503, 'lessons_unavailable']);
    await until(async () => (await read(id)).error !== null, 'the stored failure');
    const failed = await read(id);
    assert.equal(failed.error, 'the Git server refused the credentials');
    assert.equal(failed.error_code, 'credentials_refused');
    assert.deepEqual([failed.has_key, failed.commit, failed.courses[0].id], [false, null, course]);

    const changed = await server.put(`${path}/${id}`, admin.token, { key: token });
    assert.equal(changed.status, 200);
    assert.deepEqual([changed.body.has_key, changed.body.error], [true, null]);
    assert.equal((await test(id)).is_reachable, true);
    for (const index of [0, 1]) assert.equal(await lessonOf(theme, index), '# Private\n');
    const commit = await closed.commit({ 'a.md': '# Second\n' });
    const refreshed = await server.post(`${path}/${id}/refresh`, admin.token);
    assert.deepEqual([refreshed.status, refreshed.body.commit], [200, commit]);
    // The one that did not answer has a copy of its own: a read finds it at the latest when it looks again.
    for (const index of [0, 1])
      await until(async () => (await lessonOf(theme, index)) === '# Second\n', 'the new text');
    await until(async () => (await read(id)).commit === commit, 'the stored commit');
    const updated = await read(id);
    assert.deepEqual([updated.error, updated.failed_at], [null, null]);

    const kept = await server.delete(`${path}/${id}`, admin.token);
    assert.deepEqual([kept.status, kept.code], [409, 'repository_in_use']);
    const moved = await server.put(`/api/admin/lessons/courses/${course}`, admin.token, { repository_id: null });
    assert.equal(moved.body.repository_id, null);
    for (const index of [0, 1]) assert.equal(await lessonOf(theme, index), '# Own\n');

    const rows = await sql`select to_jsonb(r) || jsonb_build_object('key', encode(sealed_key, 'escape')) as row
      from lesson_repositories r`.execute(server.application.db);
    const acts = await server.application.db.selectFrom('activity_log').selectAll().execute();
    traces.push(JSON.stringify([rows, acts, changed.body, updated]));
    for (const entry of await readdir(server.dataDir, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) traces.push(await readFile(join(entry.parentPath, entry.name), 'latin1'));
    }
    const encoded = Buffer.from(`git:${token}`).toString('base64');
    assert.ok(traces.some((trace) => trace.includes('remote-http')));
    assert.ok(!traces.some((trace) => trace.includes(token) || trace.includes(encoded)));
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).status, 404);
  });

  it('removes the key with another address, and serves the new one in every process', async () => {
    const { id } = await add({ url: urlOf(closed), key: token });
    const { course, theme } = await courseAt(id);
    for (const index of [0, 1]) assert.notEqual(await lessonOf(theme, index), 503);
    const { body } = await server.put(`${path}/${id}`, admin.token, { url: urlOf(other) });
    assert.deepEqual([body.has_key, body.commit], [false, null]);
    for (const index of [0, 1]) assert.equal(await lessonOf(theme, index), '# Other\n');
    // A copy that was made with a key is not for a repository without one.
    const without = await add({ url: urlOf(closed) });
    await server.put(`/api/admin/lessons/courses/${course}`, admin.token, { repository_id: without.id });
    assert.equal(await lessonOf(theme), 503);
    await server.delete(`/api/admin/lessons/courses/${course}`, admin.token);
    for (const one of [id, without.id]) assert.equal((await server.delete(`${path}/${one}`, admin.token)).status, 200);
  });

  it('reports a key that was stored with another secret key', async () => {
    const { id } = await add({ url: urlOf(closed), key: token });
    const sealed_key = Buffer.alloc(60, 7);
    await server.application.db.updateTable('lesson_repositories').set({ sealed_key }).where('id', '=', id).execute();
    const tested = await test(id);
    assert.match(tested.reason, /SECRET_KEY of the service has changed/);
    const stored = await read(id);
    assert.match(stored.error, /enter the key again/);
    assert.deepEqual([tested.reason_code, stored.error_code], ['stored_key_unreadable', 'stored_key_unreadable']);
    const { theme, course } = await courseAt(id);
    assert.equal(await lessonOf(theme), 503);
    await server.put(`${path}/${id}`, admin.token, { key: token });
    assert.equal(await lessonOf(theme), '# Second\n');
    await server.delete(`/api/admin/lessons/courses/${course}`, admin.token);
    await server.delete(`${path}/${id}`, admin.token);
  });

  it('imports courses from a repository of the list', async () => {
    const { id } = await add({ url: urlOf(closed), key: token });
    const answer = await server.post('/api/admin/lessons/import', admin.token, { repository_id: id });
    assert.equal(answer.status, 200, answer.text);
    const [course] = answer.body.courses;
    assert.deepEqual((await read(id)).courses, [
      { id: course.id ?? (await read(id)).courses[0].id, name: course.name },
    ]);
    const again = await server.post('/api/admin/lessons/import-preview', admin.token, { repository_id: id });
    assert.deepEqual(again.body.changes, []);
    const unknown = await server.post('/api/admin/lessons/import', admin.token, { repository_id: 2_000_000 });
    assert.equal(unknown.status, 404);
    const both = { repository_id: id, url: urlOf(other) };
    assert.equal((await server.post('/api/admin/lessons/import', admin.token, both)).status, 422);
  });

  it('refuses a second repository with an address, too many, and a course of one that does not exist', async () => {
    await add({ url: `${base}/x/same.git`, branch: 'main' });
    const same = { name: 'Again', url: `${base}/x/same.git`, branch: 'main' };
    assert.equal((await server.post(path, admin.token, same)).status, 409);
    const fill = (index: number) => server.post(path, admin.token, { name: 'x', url: `${base}/x/${index}` });
    const answers = [];
    for (let index = 0; index < 6; index += 1) answers.push(await fill(index));
    assert.equal(answers.at(-1)?.code, 'catalogue_full');
    for (const { status, body } of answers) if (status === 201) await server.delete(`${path}/${body.id}`, admin.token);
    const course = await server.post('/api/admin/lessons/courses', admin.token, {
      name: 'x',
      repository_id: 2_000_000,
    });
    assert.equal(course.status, 404);
  });

  const refused: [string, object, string, string][] = [
    ['a file', { url: 'file:///etc/repository' }, 'url', 'address_not_remote'],
    ['a path', { url: '/etc' }, 'url', 'address_not_remote'],
    ['a password in the address', { url: 'https://user:secret@example.com/a.git' }, 'url', 'address_credentials'],
    ['a transport helper', { url: 'ext::sh -c id' }, 'url', 'address_space'],
    [
      'an option as a branch',
      { url: 'https://example.com/a.git', branch: '--upload-pack=id' },
      'branch',
      'branch_invalid',
    ],
    [
      'a token over a network without encryption',
      { url: 'http://example.com/a.git', key: 'secret' },
      'key',
      'token_over_http',
    ],
    ['a token of two lines', { url: 'https://example.com/a.git', key: 'secret\nsecret' }, 'key', 'token_invalid'],
    ['a token for SSH', { url: 'git@example.com:a.git', key: 'secret' }, 'key', 'ssh_key_invalid'],
  ];
  for (const [name, fields, place, code] of refused) {
    it(`refuses ${name}`, async () => {
      const { status, body, text, headers } = await server.post(path, admin.token, { name: 'x', ...fields });
      assert.equal(status, 422);
      assert.deepEqual([body.detail[0].loc.join('.'), codedItems({ headers })[0].code], [`body.${place}`, code]);
      assert.doesNotMatch(text, /secret/);
    });
  }

  it('reads a repository over SSH with its key only, of which no file is left', { skip: engineSkip }, async () => {
    await using ssh = await GitServer.start();
    const commit = await ssh.commit({ 'a.md': '# Over SSH\n' });
    const [good, wrong] = [await readFile(ssh.keyPath, 'utf8'), await readFile(ssh.wrongKeyPath, 'utf8')];
    const { id } = await add({ url: ssh.url });
    assert.deepEqual((await test(id)).reason, 'an SSH address needs a key');
    await server.put(`${path}/${id}`, admin.token, { key: wrong });
    assert.deepEqual((await test(id)).reason, 'the Git server refused the credentials');
    await server.put(`${path}/${id}`, admin.token, { key: good.replaceAll('\n', '\r\n') });
    assert.deepEqual(await test(id), {
      is_reachable: true,
      commit,
      reason: null,
      reason_code: null,
      reason_params: null,
    });
    const { theme } = await courseAt(id);
    assert.equal(await lessonOf(theme), '# Over SSH\n');
    const [line = ''] = good.split('\n').slice(2);
    assert.ok(line.length > 20 && !traces.some((trace) => trace.includes(line)));
    await until(
      async () => !(await readdir(tmpdir())).some((name) => name.startsWith('platform-ssh-key-')),
      'the end of git',
    );
  });

  // Long: one repository whose server changes its key twice.
  it('accepts a new host key with the fingerprint that was shown, and no other', { skip: engineSkip }, async () => {
    await using ssh = await GitServer.start();
    await ssh.commit({ 'a.md': '# Before\n' });
    const { id } = await add({ url: ssh.url, key: await readFile(ssh.keyPath, 'utf8') });
    const { theme, course } = await courseAt(id);
    for (const index of [0, 1]) assert.equal(await lessonOf(theme, index), '# Before\n');
    const accept = (fingerprint: string, repository_id: number | null = id) =>
      server.post(`${path}/host-key`, admin.token, { repository_id, fingerprint });
    const shownAfter = async (other: string): Promise<Record<'sent' | 'known', string>> => {
      const isNew = async () => {
        const { error_code, error_params } = await read(id);
        return error_code === 'host_key_replaced' && error_params.sent !== other;
      };
      await until(isNew, 'the new key');
      return (await read(id)).error_params;
    };

    await ssh.changeHostKey('ed25519');
    const commit = await ssh.commit({ 'a.md': '# After\n' });
    assert.equal((await server.post(`${path}/${id}/refresh`, admin.token)).status, 503);
    const first = await shownAfter('');
    assert.notEqual(first.sent, first.known);
    // The key changes once more while somebody compares it, and is of another type now.
    await ssh.changeHostKey('rsa');
    for (const fingerprint of [first.sent, first.known]) {
      const { status, code } = await accept(fingerprint);
      assert.deepEqual([status, code], [409, 'changed_meanwhile']);
    }
    const second = await shownAfter(first.sent);
    assert.equal(second.known, first.known);
    assert.equal(await lessonOf(theme), '# Before\n');
    assert.equal((await accept(second.sent)).status, 200);
    await until(async () => (await read(id)).commit === commit, 'the stored commit');
    assert.equal((await read(id)).error, null);
    for (const index of [0, 1]) await until(async () => (await lessonOf(theme, index)) === '# After\n', 'the new text');
    const { entity_id, details } = await server.application.db
      .selectFrom('activity_log')
      .select(['entity_id', 'details'])
      .where('type', '=', 'admin_lesson_repository_update')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.deepEqual([entity_id, details], [id, { new: { host_key: second.sent } }]);

    const main = await accept(second.sent, null);
    assert.deepEqual([main.status, main.code], [409, 'conflict'], 'it is no SSH address');
    assert.equal((await accept('SHA256:short')).status, 422);
    assert.equal((await accept(second.sent, 2_000_000)).status, 404);
    await ssh.shut();
    const absent = await accept(second.sent);
    assert.deepEqual([absent.status, absent.code], [503, 'lessons_unavailable']);
    assert.match(absent.body.detail, /^The host keys of the Git server cannot be read: /);
    await server.delete(`/api/admin/lessons/courses/${course}`, admin.token);
    await server.delete(`${path}/${id}`, admin.token);
  });
});
