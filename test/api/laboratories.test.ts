import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { omit } from '../../src/entities/fields.ts';
import { shownDefaults } from '../../src/entities/task.ts';
import { Classroom } from '../classroom.ts';
import { isOnCluster } from '../cluster.ts';
import { image } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser, told } from '../server.ts';
import { until } from '../until.ts';

describe('laboratories', { skip: engineSkip }, () => {
  let server: TestServer;
  let admin: TestUser;
  let instructor: TestUser;

  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
    ({ server, admin, instructor } = room);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const laboratory = (scripts: string[], more: object = {}) => room.make('laboratory', scripts, more);
  const start = (user: TestUser, id: number) => room.start(user, 'laboratory', id);

  const fields = { title: 'Trial', description: 'A trial', container_image: image, passing_score: 1 };

  let sections = 0;
  async function section(): Promise<number> {
    const { db } = server.application;
    sections += 1;
    const course = { name: 'Course', slug: `course-${sections}` };
    const { id: course_id } = await db.insertInto('courses').values(course).returning('id').executeTakeFirstOrThrow();
    const values = { course_id, name: 'Section', slug: 'section' };
    return (await db.insertInto('sections').values(values).returning('id').executeTakeFirstOrThrow()).id;
  }

  const post = (user: TestUser, path: string) => server.post(`/api/laboratories/${path}`, user.token);
  const get = (user: TestUser, path: string) => server.get(`/api/laboratories/${path}`, user.token);
  // Long: one attempt from its start to its submission, and each step stands on the one before.
  it('runs from the start through checks to the submission, which ends it', async () => {
    const user = await server.user();
    const id = await laboratory(['test -f /home/student/done && echo PASS || echo FAIL', 'echo looking; echo FAIL']);
    const started = await post(user, `${id}/start`);
    assert.equal(started.status, 201, started.text);
    const { attempt_id, container_id, container_name, started_at, ...rest } = started.body;
    assert.deepEqual(rest, { laboratory_id: id, status: 'in_progress', expires_at: null });
    assert.match(container_name, new RegExp(`^laboratory-${id}-user-${user.id}-\\d{10}$`));

    const again = await post(user, `${id}/start`);
    assert.deepEqual([again.status, again.body], [200, started.body]);
    const container = await server.get(`/api/containers/${container_id}`, user.token);
    assert.deepEqual([container.body.kind, container.body.status], ['laboratory', 'running']);
    assert.equal((await server.delete(`/api/containers/${container_id}`, user.token)).status, 409);

    const fresh = await get(user, `attempts/${attempt_id}/results`);
    assert.deepEqual([fresh.body.results, fresh.body.score, fresh.body.container_id], [[], null, container_id]);

    const verdicts = ({ results }: { results: { title: string; passed: boolean; output: string }[] }) =>
      results.map(({ title, passed, output }) => [title, passed, output]);
    const first = await post(user, `${id}/check`);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(verdicts(first.body), [
      ['Task 1', false, 'FAIL\n'],
      ['Task 2', false, 'looking\nFAIL\n'],
    ]);
    const { status, score, max_score, passed, submitted_at } = first.body;
    assert.deepEqual([status, score, max_score, passed, submitted_at], ['in_progress', 0, 3, null, null]);

    await room.asStudent(container_name, 'touch ~/done');
    const second = await post(user, `${id}/check`);
    assert.deepEqual([second.body.score, second.body.container_id], [1, container_id]);
    assert.deepEqual((await get(user, `attempts/${attempt_id}/results`)).body, second.body);
    assert.deepEqual((await get(user, 'attempts/active')).body, [second.body]);

    const submitted = await post(user, `${id}/submit`);
    assert.equal(submitted.status, 200, submitted.text);
    const { results, ...attempt } = submitted.body;
    assert.equal(typeof attempt.submitted_at, 'string');
    assert.deepEqual(
      { ...attempt, submitted_at: null },
      {
        conclusion: '',
        id: attempt_id,
        laboratory_id: id,
        user_id: user.id,
        title: 'Trial',
        container_id: null,
        container_name,
        status: 'finished',
        started_at,
        submitted_at: null,
        expires_at: null,
        score: 1,
        max_score: 3,
        passing_score: 1,
        passed: true,
        is_awaiting_grading: false,
        needs_machine: true,
        revision: (await server.get(`/api/laboratories/${id}`, user.token)).body.revision,
        grading_error: null,
        grading_error_code: null,
        is_work_removed: false,
        graded_count: 2,
      },
    );
    assert.deepEqual(
      results.map(({ passed: won, points_earned }: Record<string, unknown>) => [won, points_earned]),
      [
        [true, 1],
        [false, 0],
      ],
    );
    assert.deepEqual((await get(user, `attempts/${attempt_id}/results`)).body, submitted.body);
    assert.deepEqual((await get(user, 'attempts/active')).body, []);
    await until(async () => !(await room.names()).includes(room.engineName(container_name)), 'the container to go');
    for (const action of ['check', 'submit']) assert.equal((await post(user, `${id}/${action}`)).status, 404);

    const types = await server.application.db
      .selectFrom('activity_log')
      .select('type')
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      types.map(({ type }) => type),
      ['register', 'laboratory_start', 'laboratory_submit'],
    );
  });

  it('allows concurrent attempts of several laboratories and an exam', async () => {
    const user = await server.user();
    const ids = [await laboratory(['echo PASS']), await laboratory(['echo PASS'])];
    const exam = { ...fields, time_limit_minutes: 30 };
    const { id: examId } = (await server.post('/api/admin/exams', admin.token, exam)).body;
    const task = { title: 'T', points: 1, verification_script: 'echo PASS' };
    await server.post(`/api/admin/exams/${examId}/tasks`, admin.token, task);
    const attempts = [];
    for (const id of ids) attempts.unshift((await start(user, id)).attempt_id);
    const examStarted = await server.post(`/api/exams/${examId}/start`, user.token);
    assert.equal(examStarted.status, 201);

    const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
    assert.deepEqual(idsOf((await get(user, 'attempts/active')).body), attempts);
    const page = await get(user, 'attempts?page=2&page_size=1');
    assert.deepEqual([idsOf(page.body), page.headers.get('x-total-count')], [attempts.slice(1), '2']);
    assert.equal((await get(user, 'attempts?page=0')).status, 422);
    const examAttempt = examStarted.body.attempt_id;
    assert.equal((await get(user, `attempts/${examAttempt}/results`)).status, 404, 'an attempt of an exam');
    assert.equal((await post(user, `attempts/${examAttempt}/abandon`)).status, 404);
    assert.equal((await server.get(`/api/exams/attempts/${attempts[0]}/results`, user.token)).status, 404);
    for (const attempt of attempts) assert.equal((await post(user, `attempts/${attempt}/abandon`)).status, 200);
    assert.equal((await server.post(`/api/exams/attempts/${examAttempt}/abandon`, user.token)).status, 200);
  });

  it('creates one attempt and container from concurrent starts, and returns it to all', async () => {
    const user = await server.user();
    const id = await laboratory(['echo PASS']);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(user, `${id}/start`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 11 }, () => 200), 201]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const own = (await room.names()).filter((name) =>
      name.startsWith(room.engineName(`laboratory-${id}-user-${user.id}-`)),
    );
    assert.equal(own.length, 1);
  });

  it('resolves concurrent checks and submissions: one submission counts, and checks never revert it', async () => {
    const user = await server.user();
    const id = await laboratory(['date +%N; echo PASS']);
    const { attempt_id } = await start(user, id);
    const calls = ['check', 'check', 'submit', 'check', 'submit', 'check'];
    const answers = await Promise.all(calls.map((action) => post(user, `${id}/${action}`)));
    const of = (action: string) => answers.filter((_answer, index) => calls[index] === action);
    assert.ok(of('check').every(({ status }) => [200, 404, 409].includes(status)));
    assert.ok(of('submit').every(({ status }) => [200, 404, 409].includes(status)));
    const submitted = of('submit').filter(({ status }) => status === 200);
    const checked = of('check').filter(({ status }) => status === 200);
    assert.ok(checked.every(({ body }) => body.status === 'in_progress'));
    // A submission can only be refused because another one, or a check whose start it just missed, grades.
    if (submitted.length === 0) submitted.push(await post(user, `${id}/submit`));
    assert.ok(submitted.every(({ body }) => body.status === 'finished'));
    assert.equal(new Set(submitted.map(({ text }) => text)).size, 1, 'one grading for all');
    const { body } = await get(user, `attempts/${attempt_id}/results`);
    assert.deepEqual(body, submitted[0]?.body);
  });

  itLong('delays a submission during a check', async () => {
    const user = await server.user();
    const id = await laboratory(['sleep 1; echo PASS']);
    const { attempt_id } = await start(user, id);
    const check = post(user, `${id}/check`);
    const status = async () => (await get(user, `attempts/${attempt_id}/results`)).body.status;
    await until(async () => (await status()) === 'grading', 'the check to begin');
    assert.equal((await post(user, `attempts/${attempt_id}/abandon`)).status, 409);
    const submitted = await post(user, `${id}/submit`);
    assert.deepEqual(
      [submitted.status, submitted.body.status, submitted.body.score],
      [200, 'finished', 1],
      submitted.text,
    );
    assert.deepEqual([(await check).status, (await check).body.status], [200, 'in_progress']);
  });

  it('grades at the deadline if there is a time limit, and refuses later checks', async () => {
    const user = await server.user();
    const id = await laboratory(['echo PASS'], { time_limit_minutes: 20 });
    const started = await post(user, `${id}/start`);
    const { attempt_id, started_at, expires_at } = started.body;
    assert.equal(Date.parse(expires_at) - Date.parse(started_at), 20 * 60_000);
    const { db } = server.application;
    const past = sql<Date>`now() - interval '1 second'`;
    await db.updateTable('attempts').set({ expires_at: past }).where('id', '=', attempt_id).execute();
    assert.equal((await post(user, `${id}/check`)).status, 409);
    await server.reconcile();
    const { body, text } = await get(user, `attempts/${attempt_id}/results`);
    assert.deepEqual([body.status, body.score, body.passed], ['expired', 1, true], text);
    assert.equal((await post(user, `${id}/check`)).status, 404);
  });

  it('grades an unused attempt without a limit, and keeps the others', async () => {
    const user = await server.user();
    const [id, other] = [await laboratory(['echo PASS']), await laboratory(['echo PASS'])];
    const [forgotten, recent] = [await start(user, id), await start(user, other)];
    const { db } = server.application;
    await db
      .updateTable('attempts')
      .set({ started_at: sql<Date>`now() - make_interval(hours => ${server.config.containers.sandboxMaxHours + 1})` })
      .where('id', '=', forgotten.attempt_id)
      .execute();
    await server.reconcile();
    const statusOf = async (attempt: number) => (await get(user, `attempts/${attempt}/results`)).body.status;
    assert.deepEqual(
      [await statusOf(forgotten.attempt_id), await statusOf(recent.attempt_id)],
      ['expired', 'in_progress'],
    );
    await until(
      async () => !(await room.names()).includes(room.engineName(forgotten.container_name)),
      'its container to go',
    );
  });

  it('abandons the attempt when its container was lost', async () => {
    const user = await server.user();
    const id = await laboratory(['echo PASS']);
    const { attempt_id, container_name } = await start(user, id);
    await room.lose(container_name);
    if (isOnCluster) {
      // It continues in another container, see test/api/lost-containers.test.ts.
      assert.equal((await post(user, `${id}/check`)).code, 'grading_failed');
      await until(async () => (await post(user, `${id}/check`)).status === 200, 'a container in place of the lost one');
      return;
    }
    assert.equal((await post(user, `${id}/check`)).status, 409);
    assert.equal((await get(user, `attempts/${attempt_id}/results`)).body.status, 'abandoned');
    assert.notEqual((await start(user, id)).attempt_id, attempt_id);
  });

  it('refuses invalid starts, checks and submissions', async () => {
    const user = await server.user();
    const empty = await laboratory([]);
    const missing = await laboratory(['echo PASS'], { container_image: 'no-such-image' });
    for (const path of ['999999/start', '999999/check', '999999/submit', `${empty}/check`, `${empty}/submit`])
      assert.equal((await post(user, path)).status, 404, path);
    const detail = told(await get(user, '999999'));
    assert.deepEqual(detail, { detail: 'Laboratory not found', code: 'not_found' });
    for (const action of ['start', 'check', 'submit']) {
      assert.equal((await post(user, `x/${action}`)).status, 422);
      assert.equal((await server.post(`/api/laboratories/${empty}/${action}`)).status, 401);
    }
    const refused = await post(user, `${missing}/start`);
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 0], [503, true]);
    assert.deepEqual((await get(user, 'attempts')).body, [], 'no attempt was used up');
    for (const path of ['attempts', 'attempts/active', 'attempts/1/results', 'section/1/laboratory', `${empty}`])
      assert.equal((await server.get(`/api/laboratories/${path}`)).status, 401, path);
  });

  it('hides attempts from other students, and shows them to instructors', async () => {
    const [owner, other] = [await server.user(), await server.user()];
    const id = await laboratory(['echo PASS']);
    const { attempt_id, container_id } = await start(owner, id);
    assert.equal((await get(other, `attempts/${attempt_id}/results`)).status, 404);
    for (const user of [other, instructor]) {
      assert.equal((await post(user, `attempts/${attempt_id}/abandon`)).status, 404);
      assert.equal((await post(user, `${id}/check`)).status, 404);
      assert.equal((await post(user, `${id}/submit`)).status, 404);
    }
    assert.equal((await server.get(`/api/containers/${container_id}`, other.token)).status, 404);
    const seen = await get(instructor, `attempts/${attempt_id}/results`);
    assert.deepEqual([seen.status, 'integrity' in seen.body], [200, true]);
    const abandoned = await post(owner, `attempts/${attempt_id}/abandon`);
    assert.deepEqual([abandoned.status, abandoned.body.status, abandoned.body.laboratory_id], [200, 'abandoned', id]);
    assert.equal((await post(owner, `attempts/${attempt_id}/abandon`)).status, 409);
  });

  // Long: one laboratory, whole, for each kind of caller, and without a token.
  it('shows hints to everybody and scripts only to staff, and one laboratory without a token if the catalogue is anonymous', async () => {
    const sectionId = await section();
    const id = await laboratory(['# secret\necho PASS'], { section_id: sectionId });
    const student = await server.user();
    for (const path of [`${id}`, `section/${sectionId}/laboratory`]) {
      const seen = await get(student, path);
      const { created_at, slug, ...shown } = seen.body;
      assert.equal(typeof created_at, 'string');
      assert.match(slug, /^trial(-\d+)?$/);
      assert.deepEqual(shown, {
        ...{ ...fields, id, section_id: sectionId, time_limit_minutes: null, is_active: true },
        ...{ introduction: '', user: 'student', is_sequential: false, task_count: 1, max_score: 1 },
        ...{ opens_at: null, opens_after: [], needs_machine: true, revision: shown.revision },
        tasks: [
          {
            ...{
              ...omit(shownDefaults, ['parameters', 'pool']),
              id: shown.tasks[0].id,
              title: 'Task 1',
              description: 'Do it',
            },
            ...{ points: 1, hint: 'Look' },
          },
        ],
      });
      for (const staff of [instructor, admin])
        assert.equal((await get(staff, path)).body.tasks[0].verification_script, '# secret\necho PASS');
    }
    assert.equal((await get(student, 'section/999999/laboratory')).status, 404);
    assert.equal((await get(student, 'section/x/laboratory')).status, 422);

    await using open = await TestServer.start({ ANONYMOUS_CATALOGUE: 'true' });
    assert.equal((await open.get('/api/laboratories/1')).status, 404);
    assert.equal((await open.get('/api/laboratories/1', 'nonsense')).status, 401);
    assert.equal((await open.get('/api/laboratories/section/1/laboratory')).status, 401);
    const values = { ...fields, time_limit_minutes: 5 };
    await open.application.db
      .insertInto('assessments')
      .values({ kind: 'laboratory', ...values })
      .execute();
    const opened = async () => (await open.get('/api/laboratories/1')).body;
    await until(async () => (await opened()).id === 1, 'the cache to hear of it');
    assert.equal((await opened()).time_limit_minutes, 5);
  });

  /** A laboratory of a new section with two tasks, created by the administrator. */
  async function withTwoTasks() {
    const section_id = await section();
    const query = new URLSearchParams({
      ...{ title: 'By query', container_image: image, passing_score: '5', description: 'ü&=' },
      ...{ section_id: `${section_id}`, time_limit_minutes: '45' },
    });
    const created = await server.post(`${path}?${query}`, admin.token);
    assert.equal(created.status, 201, created.text);
    const { id } = created.body;
    const byQuery = new URLSearchParams({ title: 'One', points: '3', verification_script: 'echo PASS\n', hint: 'H' });
    const one = await server.post(`${path}/${id}/tasks?${byQuery}`, admin.token);
    const body = { title: 'Two', points: 1, verification_script: 'echo FAIL' };
    const two = await server.post(`${path}/${id}/tasks`, admin.token, body);
    return { id, section_id, created: created.body, one, two };
  }
  const path = '/api/admin/laboratories';
  const tasksOf = async (id: number) => (await server.get(`${path}/${id}/tasks`, admin.token)).body;

  it('lets administrators create laboratories and their tasks', async () => {
    const { id, section_id, created, one, two } = await withTwoTasks();
    const { title, description, time_limit_minutes, tasks } = created;
    assert.deepEqual([title, description, time_limit_minutes, tasks], ['By query', 'ü&=', 45, []]);
    assert.equal(created.section_id, section_id);
    assert.deepEqual([one.status, one.body.hint, one.body.order_index], [201, 'H', 0]);
    assert.deepEqual([two.status, two.body.hint, two.body.order_index], [201, '', 1]);
    assert.deepEqual(await tasksOf(id), [one.body, two.body]);
    assert.equal((await server.post(path, admin.token, { ...fields, section_id })).status, 409);
    assert.equal((await server.post(path, admin.token, { ...fields, section_id: 999999 })).status, 404);
  });

  it('lets administrators change laboratories and their tasks', async () => {
    const { id, section_id, one, two } = await withTwoTasks();
    const taskPath = `${path}/${id}/tasks/${one.body.id}`;
    const moved = await server.put(`${taskPath}?order_index=2`, admin.token, { hint: 'New' });
    assert.deepEqual([moved.status, moved.body], [200, { ...one.body, order_index: 2, hint: 'New' }]);
    assert.deepEqual((await server.put(taskPath, admin.token)).body, moved.body, 'nothing given, nothing changed');
    assert.deepEqual((await server.get(taskPath, admin.token)).body, moved.body);
    const read = await server.get(`${path}/${id}`, admin.token);
    assert.deepEqual([read.body.tasks, read.body.max_score], [[two.body, moved.body], 4]);

    const change = { section_id: await section(), time_limit_minutes: null, title: 'Changed' };
    const changed = await server.put(`${path}/${id}`, admin.token, change);
    const expected = { ...read.body, ...change, revision: read.body.revision + 1 };
    assert.deepEqual([changed.status, changed.body], [200, expected]);
    assert.deepEqual((await server.put(`${path}/${id}`, admin.token)).body, changed.body);
    const other = await laboratory([], { section_id });
    const taken = await server.put(`${path}/${other}`, admin.token, { section_id: change.section_id });
    const refusal = { detail: 'The section has a laboratory already', code: 'section_has_laboratory' };
    assert.deepEqual([taken.status, told(taken)], [409, refusal]);
  });

  it('lets administrators reorder tasks', async () => {
    const { id, one, two } = await withTwoTasks();
    const order = `${path}/${id}/tasks/order`;
    const ordered = await server.put(order, admin.token, { task_ids: [two.body.id, one.body.id] });
    const ids = ordered.body.map((task: { id: number }) => task.id);
    assert.deepEqual([ordered.status, ids], [200, [two.body.id, one.body.id]]);
    assert.deepEqual(await tasksOf(id), ordered.body);
    for (const task_ids of [[], [one.body.id], [one.body.id, one.body.id], [one.body.id, two.body.id, 999_999]]) {
      const refused = await server.put(order, admin.token, { task_ids });
      assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'task_ids']]);
    }
    assert.equal((await server.put(`${path}/999999/tasks/order`, admin.token, { task_ids: [] })).status, 404);
  });

  it('lets administrators delete laboratories and their tasks', async () => {
    const { id, one, two } = await withTwoTasks();
    assert.equal((await server.delete(`${path}/${id}/tasks/${one.body.id}`, admin.token)).status, 200);
    assert.deepEqual(await tasksOf(id), [two.body]);
    const deleted = await server.delete(`${path}/${id}`, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'Laboratory deleted', outcome: 'deleted' }]);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).status, 404);
  });

  it('logs what administrators do with laboratories and their tasks', async () => {
    const { id, one, two } = await withTwoTasks();
    const taskPath = `${path}/${id}/tasks/${one.body.id}`;
    await server.put(`${taskPath}?order_index=2`, admin.token, { hint: 'New' });
    await server.put(`${path}/${id}`, admin.token, { title: 'Changed' });
    await server.put(`${path}/${id}/tasks/order`, admin.token, { task_ids: [one.body.id, two.body.id] });
    await server.delete(taskPath, admin.token);
    await server.delete(`${path}/${id}`, admin.token);
    const log = await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'user_id', 'details'])
      .where((eb) =>
        eb.or([
          eb.and([eb('entity_type', '=', 'laboratory'), eb('entity_id', '=', id)]),
          eb.and([eb('entity_type', '=', 'laboratory_task'), eb('entity_id', 'in', [one.body.id, two.body.id])]),
        ]),
      )
      .where('actor_id', '=', admin.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      log.map(({ type }) => type.replace('admin_laboratory_', '')),
      ['create', 'task_create', 'task_create', 'task_update', 'update', 'task_reorder', 'task_delete', 'delete'],
    );
    assert.ok(log.every(({ user_id }) => user_id === null));
    assert.deepEqual(log[3]?.details, { old: { order_index: 0, hint: 'H' }, new: { order_index: 2, hint: 'New' } });
  });

  it('retires a laboratory with attempts: hidden from students, with its results', async () => {
    const user = await server.user();
    const sectionId = await section();
    const id = await laboratory(['echo PASS'], { section_id: sectionId });
    const { attempt_id } = await start(user, id);
    const deleted = await server.delete(`/api/admin/laboratories/${id}`, admin.token);
    assert.deepEqual(deleted.body, { detail: 'Laboratory retired: it has attempts', outcome: 'retired' });
    const other = await server.user();
    for (const path of [`${id}`, `section/${sectionId}/laboratory`]) assert.equal((await get(other, path)).status, 404);
    assert.equal((await post(other, `${id}/start`)).status, 404);
    assert.equal((await get(user, `${id}`)).body.tasks.length, 1, 'who is in the middle of it sees its tasks');
    const submitted = await post(user, `${id}/submit`);
    assert.deepEqual([submitted.status, submitted.body.score], [200, 1], 'what was begun can be ended');
    assert.equal((await get(user, `${id}`)).status, 404);
    assert.equal((await get(user, `attempts/${attempt_id}/results`)).body.passed, true);

    const listed = await server.get('/api/admin/laboratories?page_size=100', admin.token);
    assert.equal(listed.body.find((row: { id: number }) => row.id === id).is_active, false);
    assert.equal(Number(listed.headers.get('x-total-count')), listed.body.length);
    const next = await laboratory([], { section_id: sectionId });
    assert.equal((await get(user, `section/${sectionId}/laboratory`)).body.id, next);
    const back = await server.put(`/api/admin/laboratories/${id}?is_active=true`, admin.token);
    assert.equal(back.status, 409, 'the section has another one now');
  });

  it('refuses callers who are not administrators, and missing ids', async () => {
    const id = await laboratory(['echo PASS']);
    const path = '/api/admin/laboratories';
    const calls: [string, string][] = [path, `${path}/${id}`, `${path}/${id}/tasks`, `${path}/${id}/tasks/1`].flatMap(
      (route): [string, string][] => [
        ['GET', route],
        ...((/\d$/.test(route)
          ? [
              ['PUT', route],
              ['DELETE', route],
            ]
          : [['POST', route]]) as [string, string][]),
      ],
    );
    assert.equal(calls.length, 10);
    const student = await server.user();
    for (const [method, route] of calls) {
      for (const { token } of [student, instructor]) {
        const refused = await server.request(method, route, { token });
        assert.deepEqual(
          [refused.status, refused.code, refused.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
          `${method} ${route}`,
        );
      }
      assert.equal((await server.request(method, route)).status, 401);
    }
    const token = admin.token;
    for (const [method, route] of [...calls.slice(2), ...calls.slice(2)]) {
      if (route === path) continue;
      const absent = route.replace(`/${id}`, '/999999');
      const json = method === 'POST' ? { title: 'T', points: 1, verification_script: 'x' } : undefined;
      assert.equal((await server.request(method, absent, { token, json })).status, 404, `${method} ${absent}`);
      assert.equal((await server.request(method, route.replace(`/${id}`, '/x'), { token, json })).status, 422);
    }
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal((await server.request(method, `${path}/${id}/tasks/999999`, { token })).status, 404);
  });

  it('reports each invalid field of a laboratory and a task', async () => {
    const [id, path, token] = [await laboratory(['echo PASS']), '/api/admin/laboratories', admin.token];
    const wrong = { title: '', container_image: '../x', time_limit_minutes: 0, passing_score: -1, section_id: 'x' };
    const invalid = await server.post(path, token, wrong);
    assert.equal(invalid.status, 422);
    assert.deepEqual(invalid.body.detail.map((item: { loc: string[] }) => item.loc[1]).sort(), [
      'container_image',
      'passing_score',
      'section_id',
      'time_limit_minutes',
      'title',
    ]);
    const both = await server.put(`${path}/${id}?title=A`, token, { title: 'B' });
    assert.equal(both.status, 422);
    const task = await server.post(`${path}/${id}/tasks`, token, { title: 'T', points: -1 });
    assert.deepEqual(
      task.body.detail.map((item: { loc: string[] }) => item.loc[1]),
      ['points'],
    );
    const script = await server.post(`${path}/${id}/tasks`, token, { title: 'T', points: 1 });
    assert.deepEqual(
      script.body.detail.map((item: { loc: string[] }) => item.loc[1]),
      ['verification_script'],
    );
    const text = { token, headers: { 'content-type': 'text/plain' }, body: 'x' };
    assert.equal((await server.request('POST', path, text)).status, 415);
  });
});
