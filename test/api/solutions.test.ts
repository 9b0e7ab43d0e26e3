import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { recordState } from '../../src/database/catalogue/revisions.ts';
import type { AttemptKind } from '../../src/database/tables.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import type { ApiDocument } from '../documented-answers.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { assessmentPaths, makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const text = 'Run `touch one`: 0canarysolution.';
const past = new Date('2020-01-01');
const future = new Date('2099-01-01');

describeLong('the worked solution of a task', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let course: number;
  let sections = 0;

  before(async () => {
    server = await TestServer.start({ REQUESTS_PER_MINUTE: '1000000' });
    admin = await server.user('admin');
    course = (await server.post('/api/admin/lessons/courses', admin.token, { name: 'Course' })).body.id;
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function make(kind: AttemptKind, solution_visible: string): Promise<number> {
    sections += 1;
    const section = { name: `Section ${sections}`, course_id: course };
    const more =
      kind === 'exam'
        ? { course_id: course }
        : { section_id: (await server.post('/api/admin/lessons/sections', admin.token, section)).body.id };
    const id = await makeAssessment(server, admin, kind, ['echo PASS', 'echo PASS'], more);
    const tasks = `/api/admin/${assessmentPaths[kind]}/${id}/tasks`;
    const [{ id: task }] = (await server.get(tasks, admin.token)).body;
    const changed = await server.put(`${tasks}/${task}`, admin.token, { solution: text, solution_visible });
    assert.deepEqual(
      [changed.status, changed.body.solution, changed.body.solution_visible],
      [200, text, solution_visible],
    );
    return id;
  }

  /** The first task as a user gets it. */
  const read = async (kind: AttemptKind, id: number, { token }: TestUser) => {
    const { body } = await server.get(`/api/${assessmentPaths[kind]}/${id}`, token);
    return body.tasks[0];
  };
  /** What a student sees of the solution. The word for its visibility is never there. */
  async function seen(kind: AttemptKind, id: number, student: TestUser): Promise<string | undefined> {
    const task = await read(kind, id, student);
    assert.ok(!('solution_visible' in task) && !('solution_script' in task));
    return task.solution;
  }
  const results = async (kind: AttemptKind, attempt: number, { token }: TestUser) =>
    (await server.get(`/api/${assessmentPaths[kind]}/attempts/${attempt}/results`, token)).body.results;

  async function classOf(...students: TestUser[]): Promise<number> {
    const { db } = server.application;
    const { id } = await db.insertInto('classes').values({ name: 'Class' }).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('class_members')
      .values(students.map((user) => ({ class_id: id, user_id: user.id, role: 'student' as const })))
      .execute();
    return id;
  }

  it('is seen by staff, refused with a word that there is not, and hidden from students by default', async () => {
    const id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const task = await read('exam', id, admin);
    assert.deepEqual([task.solution, task.solution_visible], ['', 'never']);
    const path = `/api/admin/exams/${id}/tasks/${task.id}`;
    assert.equal((await server.put(path, admin.token, { solution_visible: 'always' })).status, 422);
    assert.equal((await server.put(path, admin.token, { solution: 'x'.repeat(100_001) })).status, 422);
    assert.equal((await server.put(path, admin.token, { solution: text })).status, 200);
    const student = await server.user();
    await finishAttempt(server, student, 'exam', id, [true]);
    assert.equal(await seen('exam', id, student), undefined);
    assert.equal((await read('exam', id, await server.user('instructor'))).solution, text);
  });

  for (const kind of ['exam', 'laboratory'] as const)
    it(`of a passed task of ${kind}s is shown after the attempt, and never while another one runs`, async () => {
      const id = await make(kind, 'after_passing');
      const student = await server.user();
      const failed = await finishAttempt(server, student, kind, id, [false, true]);
      assert.equal(await seen(kind, id, student), undefined, 'another task has passed');
      assert.equal((await results(kind, failed, student))[0].solution, undefined);
      const passed = await finishAttempt(server, student, kind, id, [true]);
      assert.equal(await seen(kind, id, student), text);
      const [first, second] = await results(kind, passed, student);
      assert.deepEqual([first.solution, second.solution], [text, undefined]);
      assert.equal(await seen(kind, id, await server.user()), undefined, 'another student');

      const { db } = server.application;
      const attempt = { kind, assessment_id: id, user_id: student.id, title: 'T', container_name: `running-${id}` };
      const numbers = { max_score: 1, passing_score: 1, asked_at: new Date() };
      for (const status of ['queued', 'in_progress'] as const) {
        const values = { ...attempt, ...numbers, status, started_at: new Date(), expires_at: future };
        const running = await db.insertInto('attempts').values(values).returning('id').executeTakeFirstOrThrow();
        assert.equal(await seen(kind, id, student), undefined, status);
        assert.equal((await results(kind, passed, student))[0].solution, undefined, status);
        await db.deleteFrom('attempts').where('id', '=', running.id).execute();
      }
      assert.equal(await seen(kind, id, student), text);
    });

  it('of a laboratory is shown after the last due date of the student', async () => {
    const { db } = server.application;
    for (const visible of ['after_due', 'after_close']) {
      const laboratory_id = await make('laboratory', visible);
      const student = await server.user();
      await finishAttempt(server, student, 'laboratory', laboratory_id, [true, true]);
      assert.equal(await seen('laboratory', laboratory_id, student), undefined, 'no due date');
      const due = async (due_at: Date) => {
        const class_id = await classOf(student);
        await db.insertInto('laboratory_deadlines').values({ class_id, laboratory_id, due_at }).execute();
        return class_id;
      };
      const class_id = await due(past);
      assert.equal(await seen('laboratory', laboratory_id, student), text);
      const extension = { class_id, laboratory_id, user_id: student.id, due_at: future };
      await db.insertInto('deadline_extensions').values(extension).execute();
      assert.equal(await seen('laboratory', laboratory_id, student), undefined, 'extended');
      await db.deleteFrom('deadline_extensions').where('user_id', '=', student.id).execute();
      const later = await due(future);
      assert.equal(await seen('laboratory', laboratory_id, student), undefined, 'due later in another class');
      await db.updateTable('class_members').set({ role: 'assistant' }).where('class_id', '=', later).execute();
      assert.equal(await seen('laboratory', laboratory_id, student), text, 'no student of that class');
    }
  });

  // Long: the same student before, between and after the sessions of one exam.
  it('of an exam is shown when its sessions are closed for everybody in them', async () => {
    const { db } = server.application;
    const exam_id = await make('exam', 'after_close');
    const [student, other] = [await server.user(), await server.user()];
    await finishAttempt(server, student, 'exam', exam_id, [false, false]);
    assert.equal(await seen('exam', exam_id, student), undefined, 'no session');
    const class_id = await classOf(student, other);
    const plan = async (opens_at: Date, closes_at: Date, of = class_id) => {
      const values = { exam_id, class_id: of, title: 'Session', opens_at, closes_at };
      return (await db.insertInto('exam_sessions').values(values).returning('id').executeTakeFirstOrThrow()).id;
    };
    const session_id = await plan(new Date('2019-01-01'), past);
    assert.equal(await seen('exam', exam_id, student), text);
    // The service hears of a row that it has not written itself a moment later. Never begun: the text is hidden.
    await until(
      async () => (await read('exam', exam_id, other)).is_locked === true,
      'the lock of an exam with a session',
    );
    assert.equal(await seen('exam', exam_id, other), undefined);

    const accommodation = { session_id, user_id: other.id, closes_at: future };
    await db.insertInto('exam_accommodations').values(accommodation).execute();
    assert.equal(await seen('exam', exam_id, student), undefined, 'somebody has more time');
    await db.deleteFrom('exam_accommodations').where('session_id', '=', session_id).execute();
    await db.updateTable('exam_sessions').set({ paused_at: past }).where('id', '=', session_id).execute();
    assert.equal(await seen('exam', exam_id, student), undefined, 'paused');
    await db.updateTable('exam_sessions').set({ paused_at: null }).where('id', '=', session_id).execute();
    await plan(past, future, await classOf(await server.user()));
    assert.equal(await seen('exam', exam_id, student), text, 'the session of another class');
    await plan(past, future);
    assert.equal(await seen('exam', exam_id, student), undefined, 'another session of the student');
  });

  it('is kept in revisions and in files beside the path of the script', async () => {
    const { db } = server.application;
    const id = await make('exam', 'after_close');
    const { id: revision } = await recordState(db, 'exam', id);
    const rows = db.selectFrom('assessment_revisions').select('content').where('id', '=', revision);
    const { content } = await rows.executeTakeFirstOrThrow();
    assert.deepEqual([content.tasks[0]?.solution, content.tasks[0]?.solution_visible], [text, 'after_close']);

    const files = new ContentService(new ContentStore(db, loadConfig({}).catalogue));
    const folder = join(await mkdtemp(join(tmpdir(), 'solutions-')), 'content');
    await files.export(folder, { all: true, lessons: undefined });
    const { slug } = (await server.get(`/api/admin/exams/${id}`, admin.token)).body;
    const file = await readFile(join(folder, 'exams', slug, 'exam.yaml'), 'utf8');
    assert.match(file, /solution_visible: after_close\n +worked_solution: [^\n]*0canarysolution/);
    await db.updateTable('assessment_tasks').set({ solution: '', solution_visible: 'never' }).execute();
    await files.import(folder, { prune: false, dryRun: false });
    const task = await read('exam', id, admin);
    assert.deepEqual([task.solution, task.solution_visible], [text, 'after_close'], 'imported');
  });

  // Long: every list and every single answer of the API, for one student who may see the solution and one who may not.
  it('is in no other answer to students', async () => {
    const id = await make('laboratory', 'after_passing');
    const [student, other] = [await server.user(), await server.user()];
    const attempt = await finishAttempt(server, student, 'laboratory', id, [true, true]);
    const task = (await read('laboratory', id, student)).id;
    const { section_id } = (await server.get(`/api/laboratories/${id}`, student.token)).body;
    const ids: Record<string, number> = { section_id, course_id: course, task_id: task, laboratory_id: id };
    const shownIn = new Set<string>();
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    for (const [path, methods] of Object.entries(paths)) {
      if (!('get' in methods) || path.includes('/events') || path === '/api/openapi.json') continue;
      const own = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => `${name === 'id' && path.includes('/attempts/') ? attempt : (ids[name] ?? id)}`,
      );
      for (const query of ['', '?q=0canarysolution'])
        for (const user of [student, other]) {
          const { text: answer } = await server.get(own + query, user.token);
          if (!answer.includes('0canary')) continue;
          assert.equal(user, student, `${path} shows it to another student`);
          shownIn.add(path);
        }
    }
    assert.deepEqual([...shownIn].sort(), [
      '/api/laboratories/attempts/{id}/results',
      '/api/laboratories/section/{section_id}/laboratory',
      '/api/laboratories/{id}',
    ]);
  });
});
