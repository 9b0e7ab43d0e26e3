import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { changesAreKnown } from '../../src/database/processes/agreement.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { addressOf } from '../database.ts';
import { minutes } from '../exam-session.ts';
import { serveRepository } from '../git-http.ts';
import { LocalRepository } from '../git-repository.ts';
import { makeAssessment } from '../made-assessment.ts';
import { itInRounds, itLong, rounds } from '../rounds.ts';
import { runCommand } from '../run-command.ts';
import { TestServer, type TestUser } from '../server.ts';

/** The catalogue of lessons is in the memory of each process: what one process has answered, the other knows. */
describe('the catalogue of lessons in two processes', () => {
  let server: TestServer;
  let student: TestUser;
  let admin: TestUser;
  let database: { connectionString: string };
  before(async () => {
    server = await TestServer.start({}, {}, 2);
    [student, admin] = [await server.user(), await server.user('admin')];
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.application.db);
    database = addressOf(rows[0]?.name ?? '');
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function on(index: number, method: string, path: string, token: string, json?: object) {
    const headers = { authorization: `Bearer ${token}`, ...(json ? { 'content-type': 'application/json' } : {}) };
    const options = { method, headers, ...(json ? { body: JSON.stringify(json) } : {}) };
    const response = await fetch(`${server.urls[index]}${path}`, options);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
    return { status: response.status, body: (await response.json()) as any };
  }
  const create = async (index: number, kind: string, fields: object): Promise<number> => {
    const { status, body } = await on(index, 'POST', `/api/admin/lessons/${kind}`, admin.token, fields);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const change = async (index: number, kind: string, id: number, fields: object) =>
    assert.equal((await on(index, 'PUT', `/api/admin/lessons/${kind}/${id}`, admin.token, fields)).status, 200);
  const namesOn = async (index: number, token = student.token) =>
    (await on(index, 'GET', '/api/lessons/courses', token)).body.map(({ name }: { name: string }) => name);

  itLong('has the lessons of an imported repository, as of the last import, at the other process', async (t) => {
    await using repository = await LocalRepository.create();
    const web = createServer((request, response) => serveRepository(repository.path, request, response));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    t.after(() => web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/${repository.path.split('/').at(-1)}`;
    for (const edition of ['first', 'second', 'third']) {
      await repository.commit({ 'lesson.md': `# Imported\n\nThe ${edition} edition.\n` });
      const { status, body } = await on(0, 'POST', '/api/admin/lessons/import', admin.token, { url });
      assert.equal(status, 200, JSON.stringify(body));
      const courses = (await on(1, 'GET', '/api/lessons/courses', admin.token)).body;
      const course = courses.find(({ name }: { name: string }) => name === body.courses[0].name);
      const path = `/api/lessons/themes/${course.sections[0].themes[0].id}/content`;
      assert.match((await on(1, 'GET', path, admin.token)).body, new RegExp(`The ${edition} edition`));
    }
  });

  // Long: each kind of change, and each read, from the one process to the other.
  itInRounds('is as an administrator left it, at the other process as soon as the one has answered', async () => {
    for (let round = 0; round < rounds(4, 100, 2); round += 1) {
      const [here, there] = [round % 2, (round + 1) % 2];
      const name = `Course ${round}`;
      assert.ok(!(await namesOn(there)).includes(name));
      const course_id = await create(here, 'courses', { name });
      assert.ok((await namesOn(there)).includes(name), `round ${round}: a new course`);
      const section_id = await create(here, 'sections', { name: 'Section', course_id });
      const place = { markdown_file_path: 'a.md', section_id };
      const first = await create(here, 'themes', { title: 'First', ...place });
      const theme = (id: number, token = student.token) => on(there, 'GET', `/api/lessons/themes/${id}`, token);
      assert.equal((await theme(first)).body.next_theme_id, null);
      const second = await create(here, 'themes', { title: 'Second', ...place });
      assert.equal((await theme(first)).body.next_theme_id, second, `round ${round}: a new neighbour`);
      await change(here, 'themes', second, { title: 'Renamed', order_index: -1 });
      const { body } = await theme(first);
      assert.deepEqual([body.previous_theme_id, body.next_theme_id], [second, null], `round ${round}: another order`);
      const { courses } = (await on(there, 'GET', '/api/dashboard/analytics', student.token)).body;
      assert.equal(courses.at(-1).total_themes, 2, `round ${round}: analytics`);
      const course = (token = student.token) => on(there, 'GET', `/api/lessons/courses/${course_id}`, token);
      const titles = (await course()).body.sections[0].themes.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles, ['Renamed', 'First'], `round ${round}: the course`);
      const summaries = () => on(there, 'GET', '/api/lessons/course-summaries?page_size=100', student.token);
      assert.deepEqual((await summaries()).body.at(-1).next_theme, { id: second, title: 'Renamed' });
      const file = `f${round}.md`;
      await change(here, 'themes', first, { markdown_file_path: file });
      const found = await on(there, 'GET', `/api/lessons/themes?markdown_file_path=${file}`, student.token);
      assert.deepEqual(
        found.body.map(({ id }: { id: number }) => id),
        [first],
        `round ${round}: another file`,
      );
      await on(there, 'POST', `/api/lessons/themes/${second}/complete`, student.token);
      const [entry] = (await on(there, 'GET', '/api/dashboard/activity', student.token)).body;
      assert.equal(entry.title, 'Renamed');

      await change(here, 'sections', section_id, { is_active: false });
      for (const id of [first, second]) {
        assert.equal((await theme(id)).status, 404, `round ${round}: a hidden section`);
        assert.equal((await on(there, 'POST', `/api/lessons/themes/${id}/complete`, student.token)).status, 404);
        assert.equal((await theme(id, admin.token)).status, 200);
      }
      await change(here, 'sections', section_id, { is_active: true });
      await change(here, 'courses', course_id, { is_active: false });
      assert.equal((await theme(first)).status, 404, `round ${round}: a hidden course`);
      assert.deepEqual([(await course()).status, (await course(admin.token)).status], [404, 200]);
      assert.ok((await summaries()).body.every(({ id }: { id: number }) => id !== course_id));
      assert.deepEqual(
        [(await namesOn(there)).includes(name), (await namesOn(there, admin.token)).includes(name)],
        [false, true],
      );
      const gone = await on(here, 'DELETE', `/api/admin/lessons/courses/${course_id}`, admin.token);
      assert.equal(gone.status, 200);
      assert.equal((await theme(first, admin.token)).status, 404, `round ${round}: a deleted course`);
    }
  });

  it('hides the texts of an exam at both processes while it has a session', async () => {
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const textsOn = async (index: number) =>
      (await on(index, 'GET', `/api/exams/${exam}`, student.token)).body.tasks.map(
        ({ description }: { description: string | null }) => description,
      );
    // The first session that an administrator plans would change the exam itself.
    const teacher = await server.user('instructor');
    for (const at of [0, 1]) assert.deepEqual(await textsOn(at), ['Do it']);
    const times = { opens_at: minutes(30), closes_at: minutes(60) };
    const planned = await on(0, 'POST', '/api/exam-sessions', teacher.token, {
      ...{ exam_id: exam, user_ids: [student.id], ...times },
    });
    assert.equal(planned.status, 201);
    for (const at of [0, 1]) assert.deepEqual(await textsOn(at), [null], `process ${at}`);
    assert.equal((await on(1, 'DELETE', `/api/exam-sessions/${planned.body.id}`, teacher.token)).status, 200);
    for (const at of [0, 1]) assert.deepEqual(await textsOn(at), ['Do it'], `process ${at}`);
  });

  itInRounds('is as it was left, also while readers load it all the time', async () => {
    const course_id = await create(0, 'courses', { name: 'Busy 0' });
    let isOver = false;
    const readers = Array.from({ length: 8 }, async (_, reader) => {
      while (!isOver) await namesOn(reader % 2);
    });
    for (let round = 1; round <= rounds(20, 200, 4); round += 1) {
      const here = round % 2;
      await change(here, 'courses', course_id, { name: `Busy ${round}` });
      const names = await Promise.all([namesOn(here), namesOn((here + 1) % 2)]);
      for (const list of names) assert.ok(list.includes(`Busy ${round}`), `round ${round}: ${list}`);
    }
    isOver = true;
    await Promise.all(readers);
    await on(0, 'DELETE', `/api/admin/lessons/courses/${course_id}`, admin.token);
  });

  itInRounds('has the progress of the reader from either process', async () => {
    const course_id = await create(0, 'courses', { name: 'Progress' });
    const section_id = await create(0, 'sections', { name: 'Section', course_id });
    const id = await create(0, 'themes', { title: 'Theme', markdown_file_path: 'a.md', section_id });
    for (let round = 0; round < rounds(20, 200, 4); round += 1) {
      const [here, there] = [round % 2, (round + 1) % 2];
      const is_completed = round % 4 < 2;
      const method = is_completed ? 'POST' : 'DELETE';
      await on(here, method, `/api/lessons/themes/${id}/complete`, student.token);
      assert.equal(
        (await on(there, 'GET', `/api/lessons/themes/${id}`, student.token)).body.is_completed,
        is_completed,
      );
      const tree = (await on(there, 'GET', '/api/lessons/courses', student.token)).body;
      assert.equal(tree.at(-1).progress.completed_themes, is_completed ? 1 : 0);
      const course = (await on(there, 'GET', `/api/lessons/courses/${course_id}`, student.token)).body;
      assert.equal(course.sections[0].themes[0].is_completed, is_completed);
      const state = is_completed ? 'finished' : 'new';
      const summaries = (await on(there, 'GET', `/api/lessons/course-summaries?state=${state}`, student.token)).body;
      assert.equal(summaries.at(-1).id, course_id);
    }
    await on(0, 'DELETE', `/api/admin/lessons/courses/${course_id}`, admin.token);
  });

  itInRounds('writes one entry for a theme that both processes complete at the same time', async () => {
    const course_id = await create(0, 'courses', { name: 'Together' });
    const section_id = await create(0, 'sections', { name: 'Section', course_id });
    for (let round = 0; round < rounds(10, 100, 3); round += 1) {
      const id = await create(0, 'themes', { title: `Theme ${round}`, markdown_file_path: 'a.md', section_id });
      const complete = (index: number) => on(index, 'POST', `/api/lessons/themes/${id}/complete`, student.token);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, request) => complete(request % 2)));
      for (const { status, body } of answers) {
        assert.equal(status, 200);
        const { completed_at, ...rest } = body;
        assert.deepEqual(rest, { user_id: student.id, theme_id: id, completed: true });
        assert.match(completed_at, /^\d{4}-.*Z$/);
      }
      const { body } = await on(1, 'GET', '/api/dashboard/activity?page_size=2', student.token);
      assert.deepEqual(
        body.map(({ title }: { title: string }) => title === `Theme ${round}`),
        [true, false],
      );
    }
    await on(0, 'DELETE', `/api/admin/lessons/courses/${course_id}`, admin.token);
  });

  itLong('is as a first content was written, and as an import left it when the command ended', async () => {
    await server.application.db.deleteFrom('courses').execute();
    await changesAreKnown(database);
    assert.deepEqual(await Promise.all([namesOn(0), namesOn(1)]), [[], []]);
    const content = new ContentService(new ContentStore(server.application.db, server.config.catalogue));
    const shippedCourses = await readdir(join(import.meta.dirname, '../../content/courses'));
    assert.ok(await content.seedContent(join(import.meta.dirname, '../../content')));
    await changesAreKnown(database);
    for (const index of [0, 1]) assert.equal((await namesOn(index)).length, shippedCourses.length, 'the seed');

    const folder = await mkdtemp(join(tmpdir(), 'platform-import-'));
    try {
      await mkdir(join(folder, 'courses'));
      for (const name of ['Imported', 'Imported again']) {
        const course = { format: 1, kind: 'course', slug: 'imported', name, sections: [] };
        await writeFile(join(folder, 'courses', 'imported.yaml'), JSON.stringify(course));
        const { code, output } = await imported(folder);
        assert.equal(code, 0, output);
        for (const index of [0, 1]) assert.ok((await namesOn(index)).includes(name), output);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  async function imported(folder: string) {
    const settings = { DATABASE_URL: database.connectionString, DATA_DIR: server.dataDir };
    const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, settings);
    // The command has its environment when it has been started.
    const running = runCommand('import', folder);
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    return await running;
  }
});
