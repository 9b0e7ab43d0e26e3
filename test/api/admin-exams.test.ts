import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const path = '/api/admin/exams';
const fields = { title: 'Exam', container_image: 'image', time_limit_minutes: 5, passing_score: 1 };

describeLong('administration of exams', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    student = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (titles: string[] = []): Promise<Answer['body']> => {
    const created = await server.post(path, admin.token, fields);
    assert.equal(created.status, 201, created.text);
    for (const title of titles) {
      const task = { title, points: 1, verification_script: `echo ${title}; echo PASS` };
      assert.equal((await server.post(`${path}/${created.body.id}/tasks`, admin.token, task)).status, 201);
    }
    return (await server.get(`${path}/${created.body.id}`, admin.token)).body;
  };
  /** A finished attempt with one result, as grading leaves it. */
  const attempt = async (examId: number, taskId: number): Promise<number> => {
    const { db } = server.application;
    const { id } = await db
      .insertInto('attempts')
      .values({
        kind: 'exam',
        assessment_id: examId,
        user_id: student.id,
        title: 'Exam',
        container_name: `exam-${examId}-user-${student.id}-1`,
        status: 'finished',
        expires_at: new Date(),
        submitted_at: new Date(),
        score: 1,
        max_score: 1,
        passing_score: 1,
        passed: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const result = { title: 'Task', order_index: 0, points: 1, points_earned: 1, passed: true, output: 'PASS' };
    await db
      .insertInto('task_results')
      .values({ attempt_id: id, task_id: taskId, ...result })
      .execute();
    return id;
  };
  const acts = async (entity_type: string, entity_id: number) =>
    await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'actor_id', 'details'])
      .where('entity_type', '=', entity_type)
      .where('entity_id', '=', entity_id)
      .orderBy('id')
      .execute();
  const titles = (tasks: { title: string }[]) => tasks.map(({ title }) => title);

  it('reads exams with their scripts, in pages', async () => {
    const first = await create(['a', 'b']);
    await create();
    assert.equal(first.tasks[1].verification_script, 'echo b; echo PASS');
    assert.deepEqual([first.task_count, first.max_score], [2, 2]);
    const page = await server.get(`${path}?page=1&page_size=1`, admin.token);
    assert.deepEqual([page.status, page.body.length], [200, 1]);
    assert.equal(page.headers.get('x-total-count'), '2');
    const all = await server.get(path, admin.token);
    assert.deepEqual(all.body[0], first);
    assert.deepEqual((await server.get(`${path}/${first.id}/tasks`, admin.token)).body, first.tasks);
    const task = await server.get(`${path}/${first.id}/tasks/${first.tasks[0].id}`, admin.token);
    assert.deepEqual([task.status, task.body], [200, first.tasks[0]]);
    assert.deepEqual(
      (await acts('exam', first.id)).map(({ type, actor_id }) => [type, actor_id]),
      [['admin_exam_create', admin.id]],
    );
    assert.equal((await acts('exam_task', first.tasks[0].id))[0]?.type, 'admin_exam_task_create');
  });

  it('changes an exam and its tasks, visible to students immediately', async () => {
    const exam = await create(['a']);
    const url = `${path}/${exam.id}`;
    const changed = await server.put(`${url}?title=Other`, admin.token, { passing_score: 0, description: 'New' });
    assert.deepEqual(
      [changed.status, changed.body],
      [200, { ...exam, title: 'Other', passing_score: 0, description: 'New', revision: exam.revision + 1 }],
    );
    const task = await server.put(`${url}/tasks/${exam.tasks[0].id}`, admin.token, { points: 7 });
    assert.deepEqual([task.status, task.body], [200, { ...exam.tasks[0], points: 7 }]);
    const seen = await server.get(`/api/exams/${exam.id}`, student.token);
    assert.deepEqual([seen.body.title, seen.body.max_score], ['Other', 7]);
    assert.equal(seen.body.tasks[0].verification_script, undefined);
    await server.put(url, admin.token, { title: 'Other' });
    assert.deepEqual(
      (await acts('exam', exam.id)).slice(1).map(({ type, details }) => [type, details]),
      [
        [
          'admin_exam_update',
          {
            old: { title: 'Exam', passing_score: 1, description: '' },
            new: { title: 'Other', passing_score: 0, description: 'New' },
          },
        ],
      ],
    );
    const script = 'x'.repeat(2000);
    await server.put(`${url}/tasks/${exam.tasks[0].id}`, admin.token, { verification_script: script });
    const entry = (await acts('exam_task', exam.tasks[0].id)).at(-1);
    const logged = entry?.details?.['new'] as { verification_script: string } | undefined;
    assert.match(
      logged?.verification_script ?? '',
      /^x{500}\.\.\. \(2000 characters\)$/,
      'long texts are cut in the log',
    );
  });

  it('lists exams in order, and assigns unique slugs', async () => {
    const first = await create();
    const second = await create();
    assert.match(first.slug, /^exam(-\d+)?$/);
    assert.notEqual(first.slug, second.slug);
    assert.ok(second.order_index > first.order_index, 'a new one comes last');
    const moved = await server.put(`${path}/${second.id}`, admin.token, { order_index: -1 });
    assert.deepEqual([moved.status, moved.body.order_index], [200, -1]);
    const third = await server.post(path, admin.token, { ...fields, order_index: -2 });
    assert.deepEqual([third.status, third.body.order_index], [201, -2]);
    for (const [url, { token }] of [
      ['/api/exams', student],
      [path, admin],
    ] as const) {
      const ids = (await server.get(url, token)).body.map(({ id }: { id: number }) => id);
      assert.deepEqual(ids.slice(0, 2), [third.body.id, second.id], url);
      assert.ok(ids.includes(first.id));
    }
    assert.equal((await server.put(`${path}/${first.id}`, admin.token, { order_index: 'x' })).status, 422);
  });

  it("keeps a task's solution from students", async () => {
    const exam = await create();
    const task = { title: 'Über alles!', points: 1, verification_script: 'echo PASS', solution_script: 'touch done' };
    const added = await server.post(`${path}/${exam.id}/tasks`, admin.token, task);
    assert.deepEqual([added.status, added.body.solution_script], [201, 'touch done']);
    const url = `${path}/${exam.id}/tasks/${added.body.id}`;
    const instructor = await server.user('instructor');
    const seen = async ({ token }: TestUser) => (await server.get(`/api/exams/${exam.id}`, token)).body.tasks[0];
    assert.equal((await seen(instructor)).solution_script, 'touch done');
    assert.equal('solution_script' in (await seen(student)), false);
    assert.equal((await server.put(url, admin.token, { solution_script: 'true' })).body.solution_script, 'true');
    assert.equal((await server.put(url, admin.token, { solution_script: null })).body.solution_script, null);
    assert.equal((await server.put(url, admin.token, { solution_script: '' })).status, 422);
  });

  it('creates an exam as a draft that students do not see', async () => {
    const draft = await server.post(path, admin.token, { ...fields, is_active: false });
    assert.deepEqual([draft.status, draft.body.is_active], [201, false]);
    assert.equal((await server.get(`/api/exams/${draft.body.id}`, student.token)).status, 404);
    assert.equal((await server.get(`/api/exams/${draft.body.id}`, admin.token)).status, 200);
  });

  it('reorders tasks', async () => {
    const exam = await create(['a', 'b', 'c']);
    const url = `${path}/${exam.id}/tasks/order`;
    const ids: number[] = exam.tasks.map(({ id }: { id: number }) => id);
    const wanted = [ids[2], ids[0], ids[1]];
    const ordered = await server.put(url, admin.token, { task_ids: wanted });
    assert.deepEqual([ordered.status, titles(ordered.body)], [200, ['c', 'a', 'b']]);
    const seen = await server.get(`/api/exams/${exam.id}`, student.token);
    assert.deepEqual(titles(seen.body.tasks), ['c', 'a', 'b']);
    assert.deepEqual((await acts('exam', exam.id)).at(-1)?.details, {
      old: { task_ids: ids },
      new: { task_ids: wanted },
    });
    for (const task_ids of [ids.slice(1), [...ids, ids[0]], [ids[0], ids[0], ids[1]], [...ids, 999_999], []]) {
      const refused = await server.put(url, admin.token, { task_ids });
      assert.equal(refused.status, 422, refused.text);
      assert.deepEqual(refused.body.detail[0].loc, ['body', 'task_ids']);
    }
    assert.equal((await server.put(url, admin.token, {})).status, 422);
    assert.equal((await server.put(`${path}/999999/tasks/order`, admin.token, { task_ids: [] })).status, 404);
  });

  it('deletes an exam without attempts', async () => {
    const exam = await create(['a']);
    const deleted = await server.delete(`${path}/${exam.id}`, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'Exam deleted', outcome: 'deleted' }]);
    assert.equal((await server.get(`${path}/${exam.id}`, admin.token)).status, 404);
    assert.equal((await server.get(`/api/exams/${exam.id}`, student.token)).status, 404);
    assert.deepEqual((await acts('exam', exam.id)).at(-1)?.details, { outcome: 'deleted' });
  });

  it('retires an exam with attempts: removed from lists, kept in the history', async () => {
    const exam = await create(['a']);
    const attemptId = await attempt(exam.id, exam.tasks[0].id);
    assert.equal((await server.get(`/api/exams/${exam.id}`, student.token)).status, 200);
    const retired = await server.delete(`${path}/${exam.id}`, admin.token);
    assert.deepEqual(
      [retired.status, retired.body],
      [200, { detail: 'Exam retired: it has attempts', outcome: 'retired' }],
    );
    assert.equal((await server.get(`/api/exams/${exam.id}`, student.token)).status, 404);
    assert.equal((await server.post(`/api/exams/${exam.id}/start`, student.token)).status, 404);
    const listed = await server.get('/api/exams', student.token);
    assert.ok(!listed.body.some(({ id }: { id: number }) => id === exam.id));
    const kept = await server.get(`${path}/${exam.id}`, admin.token);
    assert.deepEqual([kept.body.is_active, kept.body.task_count], [false, 1]);
    const own = await server.get(`/api/exams/attempts/${attemptId}/results`, student.token);
    assert.deepEqual([own.status, own.body.exam_id, own.body.results.length], [200, exam.id, 1]);
    assert.deepEqual((await acts('exam', exam.id)).at(-1)?.details, { outcome: 'retired' });

    const back = await server.put(`${path}/${exam.id}?is_active=true`, admin.token);
    const detail = 'Publish the exam to make it active: its checks are tried then';
    assert.deepEqual([back.status, back.code, back.body], [409, 'publish_required', { detail }]);
    assert.equal((await server.get(`/api/exams/${exam.id}`, student.token)).status, 404);

    const task = await server.delete(`${path}/${exam.id}/tasks/${exam.tasks[0].id}`, admin.token);
    assert.deepEqual([task.status, task.body], [200, { detail: 'Task deleted' }]);
    assert.equal((await acts('exam_task', exam.tasks[0].id)).at(-1)?.type, 'admin_exam_task_delete');
    const results = await server.get(`/api/exams/attempts/${attemptId}/results`, student.token);
    assert.equal(results.body.results.length, 1, 'a result outlives its task');
  });

  it('refuses missing rows and invalid fields', async () => {
    const exam = await create(['a']);
    const other = await create(['b']);
    const exams = `${path}/999999`;
    for (const [method, url, json, detail] of [
      ['GET', exams, undefined, 'Exam not found'],
      ['PUT', exams, { title: 'x' }, 'Exam not found'],
      ['DELETE', exams, undefined, 'Exam not found'],
      ['GET', `${exams}/tasks`, undefined, 'Exam not found'],
      ['PUT', `${path}/${exam.id}`, { course_id: 999_999 }, 'Course not found'],
      ...['GET', 'PUT', 'DELETE'].map((verb) => [
        verb,
        `${path}/${exam.id}/tasks/${other.tasks[0].id}`,
        verb === 'PUT' ? { points: 2 } : undefined,
        'Task not found',
      ]),
    ] as [string, string, object | undefined, string][]) {
      const answer = await server.request(method, url, { token: admin.token, json });
      assert.deepEqual([answer.status, answer.code, answer.body], [404, 'not_found', { detail }], `${method} ${url}`);
    }
    const wrong = await server.put(`${path}/${exam.id}`, admin.token, { time_limit_minutes: 0, title: '' });
    assert.equal(wrong.status, 422);
    assert.equal((await server.put(`${path}/${exam.id}/tasks/${exam.tasks[0].id}?points=x`, admin.token)).status, 422);
    assert.deepEqual((await server.get(`${path}/${exam.id}`, admin.token)).body, exam);
  });

  it('is for administrators', async () => {
    const instructor = await server.user('instructor');
    for (const { token } of [student, instructor]) {
      for (const [method, url] of [
        ['GET', path],
        ['GET', `${path}/1`],
        ['PUT', `${path}/1`],
        ['DELETE', `${path}/1`],
        ['GET', `${path}/1/tasks`],
        ['PUT', `${path}/1/tasks/order`],
        ['GET', `${path}/1/tasks/1`],
        ['PUT', `${path}/1/tasks/1`],
        ['DELETE', `${path}/1/tasks/1`],
      ] as const) {
        const answer = await server.request(method, url, { token });
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
          `${method} ${url}`,
        );
      }
    }
  });
});
