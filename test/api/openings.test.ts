import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConflictError } from '../../src/errors.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { LocalRepository } from '../git-repository.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, codedItems, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const day = 24 * 3600 * 1000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
const passing = ['echo PASS'];
const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');

describe('when things open', () => {
  let repository: LocalRepository;
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({ 'a.md': '# First', 'b.md': '# Second\n\nA quokka. ![picture](b.png)\n', 'b.png': png });
    const settings = { LESSONS_REPO_URL: repository.path, searchRefreshSeconds: 1 };
    server = await TestServer.start(settings, { engine: { reason: 'this test has none' } });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  const ok = async (request: Promise<Answer>) => {
    const answer = await request;
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    return answer.body;
  };
  const made = async (where: string, json: object, by = admin): Promise<number> =>
    (await ok(server.post(where, by.token, json))).id;
  const lessons = '/api/admin/lessons';
  const change = (path: string, fields: object) => ok(server.put(`/api/admin/${path}`, admin.token, fields));

  /** A course with two sections of a lesson each, of which the second has a laboratory, and an exam. */
  async function school() {
    const course = await made(`${lessons}/courses`, { name: 'Course' });
    const section = (name: string) => made(`${lessons}/sections`, { name, course_id: course });
    const [first, second] = [await section('First'), await section('Second')];
    const theme = (section_id: number, title: string, markdown_file_path: string) =>
      made(`${lessons}/themes`, { title, section_id, markdown_file_path });
    const [one, two] = [await theme(first, 'One', 'a.md'), await theme(second, 'Two', 'b.md')];
    const title = { title: 'Quokka', description: 'Of a quokka' };
    const laboratory = await makeAssessment(server, admin, 'laboratory', passing, { ...title, section_id: second });
    const exam = await makeAssessment(server, admin, 'exam', passing, { ...title, course_id: course });
    return { course, first, second, one, two, laboratory, exam, student: await server.user() };
  }
  type School = Awaited<ReturnType<typeof school>>;
  const complete = ({ one, student }: School) => ok(server.post(`/api/lessons/themes/${one}/complete`, student.token));
  const closed = async (by: TestUser, { course }: School) =>
    (await ok(server.get('/api/openings', by.token))).filter(
      (part: { course_id: number }) => part.course_id === course,
    );
  const refusal = async (request: Promise<Answer>, status: number, code: string) => {
    const answer = await request;
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
    return answer;
  };
  const isOpen = async (request: Promise<Answer>) => {
    const answer = await request;
    // No engine: a start that is let through ends there.
    assert.notEqual(answer.status, 403, answer.text);
  };
  const doorsOf = ({ two }: School, by: TestUser): (() => Promise<Answer>)[] => {
    const theme = `/api/lessons/themes/${two}`;
    return [
      () => server.get(theme, by.token),
      () => server.get(`${theme}/content`, by.token),
      () => server.get(`${theme}/files/b.png`, by.token),
      () => server.post(`${theme}/complete`, by.token),
      () => server.delete(`${theme}/complete`, by.token),
    ];
  };
  const nextOf = async ({ course }: School, by: TestUser) => {
    const all = await ok(server.get('/api/lessons/course-summaries?limit=1000', by.token));
    return all.find(({ id }: { id: number }) => id === course).next_theme?.title ?? null;
  };

  it('waits for an exam that the student has passed and knows to be passed', async () => {
    const room = await school();
    const { second, exam, student } = room;
    const missing = [{ kind: 'exam', id: exam, title: 'Quokka' }];
    await change(`lessons/sections/${second}`, { opens_after: [`exam:${exam}`] });
    const isClosed = async () => (await closed(student, room)).map((part: { missing: unknown }) => part.missing);
    assert.deepEqual(await isClosed(), [missing, missing]);
    await finishAttempt(server, student, 'exam', exam, [false]);
    assert.deepEqual(await isClosed(), [missing, missing]);
    const passed = await finishAttempt(server, student, 'exam', exam, [true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ withheld: 'results' }).where('id', '=', passed).execute();
    assert.deepEqual(await isClosed(), [missing, missing], 'nobody learns of a result by what opens');
    await refusal(server.get(`/api/lessons/themes/${room.two}`, student.token), 403, 'opens_later');
    await db.updateTable('attempts').set({ withheld: null }).where('id', '=', passed).execute();
    assert.deepEqual(await isClosed(), []);
    // A retired exam is not waited for.
    const other = await server.user();
    await change(`exams/${exam}`, { is_active: false });
    assert.deepEqual(await closed(other, room), []);
  });

  it('opens by the clock of the database', async () => {
    const room = await school();
    await change(`lessons/sections/${room.second}`, { opens_at: inDays(1 / 720) });
    const real = Date.now;
    // The clock of this process is three minutes ahead.
    Date.now = () => real() + day / 480;
    try {
      await refusal(server.get(`/api/lessons/themes/${room.two}`, room.student.token), 403, 'opens_later');
    } finally {
      Date.now = real;
    }
  });

  it('closes every way to the lessons of a section until what it waits for is complete', async () => {
    const room = await school();
    const { first, second, one, two, student } = room;
    await change(`lessons/sections/${second}`, { opens_after: [`section:${first}`] });
    const missing = [{ kind: 'section', id: first, title: 'First' }];
    const [ofSection, ofLaboratory] = await closed(student, room);
    assert.deepEqual([ofLaboratory.kind, ofLaboratory.missing, ofLaboratory.opens_at], ['laboratory', missing, null]);
    assert.deepEqual([ofSection.kind, ofSection.id, ofSection.missing], ['section', second, missing]);
    for (const door of doorsOf(room, student)) await refusal(door(), 403, 'opens_later');
    const neighbour = async () => (await ok(server.get(`/api/lessons/themes/${one}`, student.token))).next_theme_id;
    assert.equal(await neighbour(), null);
    for (const by of [admin, teacher]) {
      assert.deepEqual(await closed(by, room), []);
      for (const door of doorsOf(room, by)) await ok(door());
    }

    await complete(room);
    assert.deepEqual(await closed(student, room), []);
    assert.equal(await neighbour(), two);
    for (const door of doorsOf(room, student)) await ok(door());
  });

  it('suggests no lesson that is closed', async () => {
    const room = await school();
    const { second, student } = room;
    await change(`lessons/sections/${second}`, { opens_at: inDays(1) });
    assert.equal(await nextOf(room, student), 'One');
    await complete(room);
    assert.equal(await nextOf(room, student), null);
    await change(`lessons/sections/${second}`, { opens_at: inDays(-1) });
    assert.equal(await nextOf(room, student), 'Two');
  });

  it('finds nothing that is closed in the search', async () => {
    const room = await school();
    const { second, exam, two, laboratory, student } = room;
    const found = async (by: TestUser) =>
      (await ok(server.get('/api/search?q=quokka', by.token))).results
        .filter(({ id, kind }: { id: number; kind: string }) => id === { lesson: two, laboratory, exam }[kind])
        .map(({ kind }: { kind: string }) => kind);
    const all = ['lesson', 'laboratory', 'exam'];
    await until(async () => (await found(student)).length === all.length, 'the text in the index', 60_000);
    await change(`lessons/sections/${second}`, { opens_at: inDays(1) });
    assert.deepEqual(await found(student), ['exam']);
    await change(`exams/${exam}`, { opens_at: inDays(1) });
    assert.deepEqual(await found(student), []);
    assert.deepEqual(await found(teacher), all);
  });

  it('starts no closed laboratory or exam, and hides its tasks', async () => {
    const room = await school();
    const { first, second, laboratory, exam, student } = room;
    await change(`exams/${exam}`, { opens_after: [`laboratory:${laboratory}`] });
    await change(`lessons/sections/${second}`, { opens_at: inDays(1) });
    const at = await refusal(server.post(`/api/laboratories/${laboratory}/start`, student.token), 403, 'opens_later');
    assert.ok(Date.parse(at.headers.get('retry-after') ?? '') > Date.now());
    await refusal(server.post(`/api/exams/${exam}/start`, student.token), 403, 'opens_later');
    const texts = async (path: string, by: TestUser) =>
      (await ok(server.get(path, by.token))).tasks[0].description || null;
    const paths = [`/api/exams/${exam}`, `/api/laboratories/${laboratory}`];
    paths.push(`/api/laboratories/section/${second}/laboratory`);
    for (const path of paths) {
      assert.equal(await texts(path, student), null, path);
      assert.equal(await texts(path, teacher), 'Do it', path);
    }
    const listed = async (by: TestUser) =>
      (await ok(server.get('/api/exams?limit=1000', by.token))).find(({ id }: { id: number }) => id === exam);
    assert.deepEqual(
      [(await listed(student)).tasks[0].description, (await listed(student)).tasks[0].is_locked],
      [null, true],
    );
    assert.equal((await listed(teacher)).tasks[0].description, 'Do it');
    await isOpen(server.post(`/api/exams/${exam}/start`, teacher.token));

    await finishAttempt(server, student, 'laboratory', laboratory, [true]);
    await isOpen(server.post(`/api/exams/${exam}/start`, student.token));
    assert.equal((await listed(student)).tasks[0].description, 'Do it');
    await change(`lessons/sections/${second}`, {
      opens_at: null,
      opens_after: [`theme:${room.one}`, `section:${first}`],
    });
    await refusal(server.post(`/api/laboratories/${laboratory}/start`, student.token), 403, 'opens_later');
    await complete(room);
    await isOpen(server.post(`/api/laboratories/${laboratory}/start`, student.token));
    assert.equal(await texts(`/api/laboratories/${laboratory}`, student), 'Do it');
  });

  it('shows a closed laboratory to a student whose attempt runs', async () => {
    const room = await school();
    const { laboratory, student } = room;
    const attempt = { kind: 'laboratory' as const, assessment_id: laboratory, user_id: student.id, title: 'Quokka' };
    const state = { container_name: 'running', status: 'in_progress' as const, max_score: 1, passing_score: 1 };
    await server.application.db
      .insertInto('attempts')
      .values({ ...attempt, ...state })
      .execute();
    await change(`laboratories/${laboratory}`, { opens_at: inDays(1) });
    const shown = await ok(server.get(`/api/laboratories/${laboratory}`, student.token));
    assert.equal(shown.tasks[0].description, 'Do it');
  });

  // Long: the time of a course and those of two classes, for members of one, of both and of none.
  it('opens at a time of the class', async () => {
    const room = await school();
    const { course, second, laboratory, student } = room;
    const other = await server.user();
    const group = async (...members: TestUser[]) => {
      const id = await made('/api/classes', { name: 'Class', course_ids: [course] }, teacher);
      for (const { id: user_id } of members) await made(`/api/classes/${id}/members`, { user_id }, teacher);
      return `/api/classes/${id}/openings`;
    };
    const [early, late] = [await group(student), await group(student, other)];
    const set = (path: string, part: string, opens_at: string | null) =>
      server.put(`${path}/${part}`, teacher.token, { opens_at });
    const times = async (by: TestUser) => {
      const [part] = (await closed(by, room)).filter(({ kind }: { kind: string }) => kind === 'section');
      return part?.opens_at ?? null;
    };
    const [soon, later] = [inDays(1), inDays(2)];
    await change(`lessons/sections/${second}`, { opens_at: inDays(3) });
    await ok(set(early, `section/${second}`, soon));
    const answer = await ok(set(late, `section/${second}`, later));
    assert.deepEqual([answer.kind, answer.id, answer.own_opens_at], ['section', second, later]);
    assert.deepEqual([await times(student), await times(other)], [soon, later], 'of several classes the first time');

    const parts = await ok(server.get(late, other.token));
    const shown = parts.map(({ kind, own_opens_at }: { kind: string; own_opens_at: unknown }) => [kind, own_opens_at]);
    const expected = [
      ['section', null],
      ['section', later],
      ['laboratory', null],
      ['exam', null],
    ];
    assert.deepEqual(shown, expected);
    await ok(set(early, `section/${second}`, inDays(-1)));
    assert.deepEqual([await times(student), await times(other)], [null, later]);
    await ok(set(early, `laboratory/${laboratory}`, soon));
    await refusal(server.post(`/api/laboratories/${laboratory}/start`, student.token), 403, 'opens_later');
    await ok(set(late, `section/${second}`, null));
    assert.ok(Date.parse(await times(other)) > Date.parse(later), 'the time of the course holds again');

    await refusal(server.put(`${late}/section/${second}`, student.token, { opens_at: null }), 403, 'forbidden');
    const foreign = await school();
    await refusal(set(late, `section/${foreign.second}`, soon), 404, 'not_found');
    await refusal(server.get(late, foreign.student.token), 404, 'not_found');
    const path = late.replace('/openings', '');
    await ok(server.put(path, teacher.token, { is_archived: true }));
    await refusal(set(late, `section/${second}`, soon), 409, 'class_archived');
  });

  // Long: each way into a circle is tried, then each reference to another course.
  it('refuses circles and what is not of the course', async () => {
    const room = await school();
    const { first, second, one, two, laboratory, exam } = room;
    const refused = async (path: string, fields: object, code: string) => {
      const answer = await server.put(`/api/admin/${path}`, admin.token, fields);
      assert.deepEqual(
        [answer.status, codedItems(answer).map(({ code: word }: { code: string }) => word)],
        [422, [code]],
        answer.text,
      );
    };
    const [ofFirst, ofSecond] = [`lessons/sections/${first}`, `lessons/sections/${second}`];
    await refused(ofFirst, { opens_after: [`section:${first}`] }, 'opens_after_circle');
    await refused(ofFirst, { opens_after: [`theme:${one}`] }, 'opens_after_circle');
    await change(ofSecond, { opens_after: [`theme:${one}`] });
    await refused(ofFirst, { opens_after: [`section:${second}`] }, 'opens_after_circle');
    await refused(ofFirst, { opens_after: [`laboratory:${laboratory}`] }, 'opens_after_circle');
    await refused(`lessons/themes/${one}`, { section_id: second }, 'opens_after_circle');
    await change(`laboratories/${laboratory}`, { opens_after: [`section:${second}`] });
    await refused(`laboratories/${laboratory}`, { opens_after: [`laboratory:${laboratory}`] }, 'opens_after_circle');

    const foreign = await school();
    await refused(ofFirst, { opens_after: [`theme:${foreign.one}`] }, 'opens_after_unknown');
    const nowhere = { course_id: null, opens_after: [`theme:${two}`] };
    await refused(`exams/${exam}`, nowhere, 'opens_after_unknown');
    await change(`exams/${exam}`, { opens_after: [`theme:${two}`] });
    await refused(ofFirst, { opens_after: [`exam:${exam}`] }, 'opens_after_circle');
    await change(`exams/${exam}`, { opens_after: [] });
    const wrong = await server.put(`/api/admin/${ofFirst}`, admin.token, { opens_after: [`class:${exam}`] });
    assert.equal(wrong.status, 422);
    // What is waited for has left the course: it is waited for no longer.
    await change(`lessons/sections/${first}`, { course_id: foreign.course });
    assert.deepEqual(
      (await closed(room.student, room)).map(({ kind }: { kind: string }) => kind),
      ['laboratory'],
    );
  });

  it('waits for nothing that was deleted or is hidden, until it is back', async () => {
    const room = await school();
    const { first, second, student } = room;
    await change(`lessons/sections/${second}`, { opens_after: [`section:${first}`] });
    const count = async () => (await closed(student, room)).length;
    assert.equal(await count(), 2);
    await change(`lessons/sections/${first}`, { is_active: false });
    assert.equal(await count(), 0);
    await change(`lessons/sections/${first}`, { is_active: true });
    await ok(server.delete(`/api/admin/lessons/sections/${first}`, admin.token));
    assert.equal(await count(), 0);
    await ok(server.post('/api/deletions/undo', admin.token, { kind: 'section', entity_id: first }));
    assert.equal(await count(), 2);
  });

  // Long: one export, read back unchanged, elsewhere, edited and wrong.
  it('travels in files by slugs, into a course whose names are taken elsewhere', async () => {
    const { course, first, second, one, laboratory, exam } = await school();
    const at = (id: number) => `/api/teaching/courses/${id}`;
    await change(`lessons/sections/${second}`, { opens_after: [`theme:${one}`, `section:${first}`] });
    await change(`laboratories/${laboratory}`, { opens_at: '2030-01-01T08:00:00.000Z' });
    await change(`exams/${exam}`, { opens_after: [`laboratory:${laboratory}`] });
    const { files } = await ok(server.get(`${at(course)}/export`, admin.token));
    const into = await made('/api/teaching/courses', { name: 'Into' });
    const load = (id: number, all: object[]) => server.post(`${at(id)}/import`, admin.token, { files: all });
    const again = await ok(load(course, files));
    assert.ok(
      again.every(({ action }: { action: string }) => action === 'unchanged'),
      JSON.stringify(again),
    );
    await ok(load(into, files));
    const list = (part: string) => ok(server.get(`${at(into)}/${part}`, admin.token));
    const [[, copy], [theme], [practice], [test]] = [
      ...[await list('sections'), await list('themes'), await list('laboratories'), await list('exams')],
    ];
    assert.deepEqual(
      [copy.opens_after, practice.opens_at, test.opens_after],
      [[`theme:${theme.id}`, `section:${theme.section_id}`], '2030-01-01T08:00:00.000Z', [`laboratory:${practice.id}`]],
    );
    assert.notEqual(practice.slug, (await ok(server.get(`/api/admin/laboratories/${laboratory}`, admin.token))).slug);
    // Files without the fields leave them, and files with empty ones remove them.
    const edited = (from: RegExp, to: string) =>
      files.map((file: { text?: string }) => ({ ...file, ...(file.text && { text: file.text.replace(from, to) }) }));
    const without = await ok(load(course, edited(/ *opens_(at: .*|after:\n( +- .*\n)+)/g, '')));
    assert.ok(
      without.every(({ action }: { action: string }) => action === 'unchanged'),
      JSON.stringify(without),
    );
    const emptied = await ok(load(course, edited(/opens_after:\n( +- .*\n)+/g, 'opens_after: []\n')));
    assert.deepEqual(
      emptied.flatMap(({ kind, fields }: { kind: string; fields: string[] }) =>
        fields.length > 0 ? [[kind, fields]] : [],
      ),
      [
        ['section', ['opens_after']],
        ['exam', ['opens_after']],
      ],
    );
    const wrong = await load(course, edited(/section:first/g, 'section:gone'));
    assert.equal(wrong.status, 422);
    assert.match(wrong.body.detail[0].msg, /opens_after\[1\]: its course has no section:gone/);
  });

  it('imports nothing that closes a circle, and leaves openings as they are', async () => {
    const { course, first, laboratory } = await school();
    const opens_after = [`laboratory:${laboratory}`];
    await change(`lessons/sections/${first}`, { opens_after });
    const content = new ContentStore(server.application.db, server.config.catalogue);
    const { slug } = await ok(server.get(`${lessons}/courses/${course}`, admin.token));
    const imported = async (section: string) => {
      const files = await content.read(true);
      const laboratories = files.laboratories.map((file) =>
        file.section === `${slug}/second` ? { ...file, section: `${slug}/${section}` } : file,
      );
      return await content.import({ ...files, laboratories }, { prune: true, dryRun: false });
    };
    await imported('second');
    const section = () => ok(server.get(`${lessons}/sections/${first}`, admin.token));
    assert.deepEqual((await section()).opens_after, opens_after);
    await assert.rejects(imported('first'), ConflictError);
    await change(`lessons/sections/${first}`, { opens_after: [] });
    await imported('first');
  });

  it('restores nothing into a circle', async () => {
    const { course, first, second } = await school();
    const third = await made(`${lessons}/sections`, { name: 'Third', course_id: course });
    await change(`lessons/sections/${second}`, { opens_after: [`section:${first}`] });
    await change(`lessons/sections/${third}`, { opens_after: [`section:${second}`] });
    await ok(server.delete(`/api/admin/lessons/sections/${second}`, admin.token));
    await change(`lessons/sections/${first}`, { opens_after: [`section:${third}`] });
    const restore = () => server.post('/api/deletions/undo', admin.token, { kind: 'section', entity_id: second });
    const answer = await restore();
    assert.deepEqual([answer.status, codedItems(answer)[0]?.code], [422, 'opens_after_circle'], answer.text);
    await change(`lessons/sections/${first}`, { opens_after: [] });
    await ok(restore());
  });
});
