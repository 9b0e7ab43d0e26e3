import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, engineSkip, TestServer, type TestUser, testEngine, told } from '../server.ts';
import { until } from '../until.ts';

type ListedRevision = { is_current: boolean; attempts: number };

const good = {
  points: 1,
  verification_script: 'if [ -e /home/student/done ]; then echo PASS; else echo "- nothing is done"; echo FAIL; fi',
  solution_script: 'touch ~/done',
};

describeLong('trials of exams and laboratories', { skip: engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({ maxTrialsWaiting: 0 }, {}, 1);
    admin = await server.user('admin');
    student = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  const make = async (
    kind: 'exams' | 'laboratories',
    tasks: object[],
    fields: object = {},
  ): Promise<Answer['body']> => {
    const assessment = {
      title: 'Trial',
      container_image: image,
      passing_score: 1,
      time_limit_minutes: 5,
      is_active: false,
    };
    const { body } = await server.post(`/api/admin/${kind}`, admin.token, { ...assessment, ...fields });
    for (const [index, task] of tasks.entries()) {
      const added = await server.post(`/api/admin/${kind}/${body.id}/tasks`, admin.token, {
        ...{ title: `Task ${index + 1}`, ...good },
        ...task,
      });
      assert.equal(added.status, 201, added.text);
    }
    return (await server.get(`/api/admin/${kind}/${body.id}`, admin.token)).body;
  };
  const act = (kind: string, id: number, verb: string, json?: object) =>
    server.post(`/api/admin/${kind}/${id}/${verb}`, admin.token, json);
  const rows = async () =>
    await server.application.db.selectFrom('containers').selectAll().where('kind', '=', 'trial').execute();
  const nothingLeft = () => until(async () => (await rows()).length === 0, 'the container to be gone');

  // Long: one trial with a task for each finding.
  it('report for each task whether its check fails at first and passes after its solution', async () => {
    const exam = await make('exams', [
      {},
      { title: 'Passes', verification_script: 'echo PASS' },
      { title: 'No solution', solution_script: null, verification_script: 'echo FAIL' },
      {
        title: 'Wrong solution',
        solution_script: "printf '\\033[31mred\\033[0m\\n10 %%\\rdone\\n'; exit 3",
        verification_script: 'echo FAIL',
      },
      { title: 'Never', solution_script: 'true', verification_script: 'echo "- no"; echo FAIL' },
      { title: 'Says nothing', verification_script: 'true' },
      { title: 'Solved before' },
      {
        title: 'Breaks the first',
        verification_script: '[ -e /home/student/broken ] && echo PASS || echo FAIL',
        solution_script: 'rm ~/done; touch ~/broken',
      },
    ]);
    const tried = await act('exams', exam.id, 'try');
    assert.equal(tried.status, 200, tried.text);
    const problems = tried.body.tasks.map(({ problem }: { problem: string | null }) => problem);
    assert.deepEqual(problems, [
      'The check fails after the solutions of later tasks',
      'The check passes before anything is done',
      'There is no reference solution',
      'The solution ended with status 3',
      'The check does not pass after the solution',
      'The check returns no verdict in a new container',
      'The check passes before its solution, after the solutions of earlier tasks',
      null,
    ]);
    assert.deepEqual(
      tried.body.tasks.map(({ problem_code }: { problem_code: string | null }) => problem_code),
      [
        'undone_by_later_tasks',
        'passes_at_first',
        'no_solution',
        'solution_failed',
        'fails_after_solution',
        'no_verdict',
        'passes_before_solution',
        null,
      ],
    );
    assert.equal(tried.body.is_ok, false);
    const [first] = tried.body.tasks;
    const noRemark = { remark: null, remark_codes: null };
    assert.deepEqual([first.task_id, first.title], [exam.tasks[0].id, 'Task 1']);
    assert.deepEqual(first.first, { passed: false, output: '- nothing is done\nFAIL\n', ...noRemark });
    assert.deepEqual(
      [first.after, first.solution],
      [
        { passed: true, output: 'PASS\n', ...noRemark },
        { exit_status: 0, output: '' },
      ],
    );
    const wrong = tried.body.tasks[3].solution;
    assert.deepEqual(wrong, { exit_status: 3, output: 'red\ndone\n' }, 'plain text, without what the terminal echoes');
    await nothingLeft();
    const entry = await server.application.db
      .selectFrom('activity_log')
      .selectAll()
      .where('type', '=', 'admin_exam_try')
      .where('entity_id', '=', exam.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([entry.actor_id, entry.details], [admin.id, { is_ok: false }]);
  });

  for (const kind of ['exams', 'laboratories'] as const) {
    const word = kind === 'exams' ? 'exam' : 'laboratory';
    it(`publishes no ${word} whose trial finds a problem`, async () => {
      const assessment = await make(kind, [{ solution_script: null, verification_script: 'echo PASS' }]);
      const tried = await act(kind, assessment.id, 'try');
      assert.deepEqual([tried.status, tried.body.is_ok], [200, false]);
      const refused = await act(kind, assessment.id, 'publish');
      const detail = `The ${word} is not published, as its trial failed: Task 1: The check passes before anything is done`;
      assert.deepEqual([refused.status, told(refused)], [409, { detail, code: 'trial_failed' }]);
      const report = (await server.get(`/api/admin/${kind}/${assessment.id}/trial`, admin.token)).body;
      assert.deepEqual([report.is_ok, report.tasks[0].problem_code], [false, 'passes_at_first']);
      assert.deepEqual(report, tried.body);
      const other = await server.user('admin');
      assert.equal(
        (await server.get(`/api/admin/${kind}/${assessment.id}/trial`, other.token)).status,
        404,
        'of its author',
      );
      const put = await server.put(`/api/admin/${kind}/${assessment.id}`, admin.token, { is_active: true });
      assert.deepEqual(
        [put.status, put.body.detail],
        [409, `Publish the ${word} to make it active: its checks are tried then`],
      );
      assert.equal((await server.get(`/api/${kind}/${assessment.id}`, student.token)).status, 404);
    });
  }

  for (const kind of ['exams', 'laboratories'] as const) {
    it(`publishes ${kind} whose trial finds no problem`, async () => {
      const assessment = await make(kind, [{}]);
      const seen = () => server.get(`/api/${kind}/${assessment.id}`, student.token);
      assert.equal((await seen()).status, 404);
      const published = await act(kind, assessment.id, 'publish');
      assert.deepEqual([published.status, published.body.is_ok], [200, true], published.text);
      assert.equal((await seen()).status, 200);
      // Each kind has routes of its own, which lead to the same service.
      if (kind === 'exams') assert.equal((await act(kind, assessment.id, 'publish')).status, 200, 'again does no harm');
      const types = await server.application.db
        .selectFrom('activity_log')
        .select('type')
        .where('type', '=', kind === 'exams' ? 'admin_exam_publish' : 'admin_laboratory_publish')
        .where('entity_id', '=', assessment.id)
        .execute();
      assert.equal(types.length, 1);
      await nothingLeft();
    });
  }

  it('tries one task alone, with saved or unsaved scripts', async () => {
    const exam = await make('exams', [{ solution_script: null }]);
    const url = `/api/admin/exams/${exam.id}/tasks/${exam.tasks[0].id}`;
    const { solution_script } = good;
    const alone = await server.post(`${url}/try`, admin.token, { solution_script });
    assert.deepEqual([alone.status, alone.body.is_ok], [200, true]);
    const unsaved = await server.post(`${url}/try`, admin.token, {
      solution_script,
      verification_script: 'echo PASS',
    });
    assert.equal(unsaved.body.tasks[0].problem, 'The check passes before anything is done');
    assert.equal((await server.get(url, admin.token)).body.solution_script, null, 'nothing was saved');
    assert.equal((await server.get(`/api/exams/${exam.id}`, student.token)).status, 404);
    await nothingLeft();
  });

  it('tries a task of a laboratory alone', async () => {
    const laboratory = await make('laboratories', [{ verification_script: 'echo PASS' }]);
    const path = `/api/admin/laboratories/${laboratory.id}/tasks/${laboratory.tasks[0].id}/try`;
    const tried = await server.post(path, admin.token);
    assert.equal(tried.body.tasks[0].problem, 'The check passes before anything is done');
    await nothingLeft();
  });

  it('publishes no changed assessment, none without tasks, and no second laboratory of a section', async () => {
    const empty = await make('exams', []);
    const none = await act('exams', empty.id, 'publish');
    assert.deepEqual([none.status, none.body.detail], [409, 'This exam has no tasks yet']);

    const slow = await make('exams', [{ solution_script: 'sleep 1; touch ~/done' }]);
    const publishing = act('exams', slow.id, 'publish');
    await until(async () => (await rows()).some(({ status }) => status === 'running'), 'the trial to run');
    await server.put(`/api/admin/exams/${slow.id}/tasks/${slow.tasks[0].id}`, admin.token, {
      verification_script: 'echo PASS',
    });
    const changed = await publishing;
    assert.deepEqual(
      [changed.status, changed.body.detail],
      [409, 'The exam was changed while it was tried: publish it again'],
    );

    const course = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Course' });
    const section = await server.post('/api/admin/lessons/sections', admin.token, {
      course_id: course.body.id,
      name: 'S',
    });
    const place = { section_id: section.body.id };
    await make('laboratories', [], { ...place, is_active: true });
    const second = await make('laboratories', [{}], place);
    const taken = await act('laboratories', second.id, 'publish');
    assert.deepEqual([taken.status, taken.body.detail], [409, 'The section has a laboratory already']);
  });

  // Long: one published exam, from a refused change to one that is saved.
  it('saves changes of a published exam with its trial only, and names the attempts that they do not affect', async () => {
    const exam = await make('exams', [{}], { is_active: true });
    const [task] = exam.tasks;
    const saved = async () => (await server.get(`/api/admin/exams/${exam.id}`, admin.token)).body;
    const attempt = await server.post(`/api/exams/${exam.id}/start`, student.token);
    assert.equal(attempt.status, 201, attempt.text);
    const nonsense = { tasks: [{ id: task.id, verification_script: 'echo nonsense' }] };
    const refused = await act('exams', exam.id, 'publish', nonsense);
    assert.deepEqual([refused.status, refused.code], [409, 'trial_failed']);
    const report = () => server.get(`/api/admin/exams/${exam.id}/trial`, admin.token);
    assert.equal((await report()).body.tasks[0].problem_code, 'no_verdict');
    assert.deepEqual(await saved(), exam, 'nothing was saved');

    const better = `# better\n${good.verification_script}`;
    const second = {
      ...{ title: 'Second', points: 3, solution_script: 'touch ~/second' },
      verification_script: '[ -e /home/student/second ] && echo PASS || echo FAIL',
    };
    const changes = {
      fields: { title: 'Changed', setup_script: 'touch /root/prepared', is_active: false },
      tasks: [{ id: task.id, verification_script: better, points: 2 }],
      new_tasks: [second],
    };
    const tried = await act('exams', exam.id, 'try', changes);
    assert.deepEqual([tried.status, tried.body.is_ok], [200, true], tried.text);
    assert.deepEqual(await saved(), exam, 'a trial saves nothing');
    const published = await act('exams', exam.id, 'publish', changes);
    assert.equal(published.status, 200, published.text);
    assert.deepEqual(
      published.body.tasks.map(({ task_id }: { task_id: number }) => task_id),
      [task.id, -1],
    );
    const after = await saved();
    assert.deepEqual([after.title, after.setup_script, after.is_active], ['Changed', 'touch /root/prepared', true]);
    assert.deepEqual(
      after.tasks.map(({ title, points }: { title: string; points: number }) => [title, points]),
      [
        ['Task 1', 2],
        ['Second', 3],
      ],
    );
    assert.equal(after.tasks[0].verification_script, better);
    const shownTo = async (user: TestUser) => (await server.get(`/api/exams/${exam.id}`, user.token)).body.max_score;
    assert.deepEqual([await shownTo(student), await shownTo(await server.user())], [1, 5]);
    const states = await server.get(`/api/admin/exams/${exam.id}/revisions?is_running=true`, admin.token);
    assert.deepEqual(
      states.body.map(({ is_current, attempts }: ListedRevision) => [is_current, attempts]),
      [[false, 1]],
    );
    const logged = await server.application.db
      .selectFrom('activity_log')
      .select('type')
      .where('type', 'in', ['admin_exam_update', 'admin_exam_task_update', 'admin_exam_task_create'])
      .where('created_at', '>', new Date(exam.created_at))
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    assert.deepEqual(logged.map(({ type }) => type).toReversed(), [
      'admin_exam_update',
      'admin_exam_task_update',
      'admin_exam_task_create',
    ]);
    await server.post(`/api/exams/attempts/${attempt.body.attempt_id}/abandon`, student.token);
    await nothingLeft();
  });

  it('refuses changes of tasks of another exam, and values that do not fit', async () => {
    const exam = await make('exams', [{}]);
    for (const verb of ['try', 'publish']) {
      const foreign = await act('exams', exam.id, verb, { tasks: [{ id: 999_999, points: 1 }] });
      assert.deepEqual([foreign.status, foreign.code, foreign.body], [404, 'not_found', { detail: 'Task not found' }]);
      const wrong = await act('exams', exam.id, verb, {
        tasks: [{ id: exam.tasks[0].id, points: -1 }],
        new_tasks: [{}],
      });
      const fields = wrong.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'));
      assert.equal(wrong.status, 422);
      assert.ok(fields.includes('body.tasks.0.points') && fields.includes('body.new_tasks.0.title'), `${fields}`);
    }
  });

  it('runs one trial at a time, and cancels abandoned ones', async () => {
    const exam = await make('exams', [{ solution_script: 'sleep 25; touch ~/done' }]);
    const gone = new AbortController();
    const waiting = fetch(`${server.url}/api/admin/exams/${exam.id}/try`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      signal: gone.signal,
    });
    await until(async () => (await rows()).some(({ status }) => status === 'running'), 'the trial to run');
    const [row] = await rows();
    assert.ok(row?.expires_at && row.expires_at > new Date(), 'its record has an end');
    const full = await act('exams', exam.id, 'try');
    assert.deepEqual([full.status, full.headers.get('retry-after')], [503, '5']);
    const mine = await server.get('/api/admin/containers', admin.token);
    assert.deepEqual(mine.body, [], 'it is no container of a user');
    gone.abort();
    await assert.rejects(waiting);
    await nothingLeft();
    const engine = await testEngine();
    if ('reason' in engine) return;
    const filters = { name: [`${server.config.engine.namePrefix}trial-`] };
    assert.deepEqual(await new Docker(engine.options).listContainers({ all: true, filters }), []);
  });

  it('leaves containers of a crash to the reconciler after their time', async () => {
    const { db } = server.application;
    const left = { name: 'trial-left', kind: 'trial', image, status: 'creating' } as const;
    const expires_at = new Date(Date.now() - 1000);
    await db
      .insertInto('containers')
      .values({ ...left, expires_at })
      .execute();
    const later = new Date(Date.now() + 60_000);
    await db
      .insertInto('containers')
      .values({ ...left, name: 'trial-running', expires_at: later })
      .execute();
    await server.reconcile();
    await until(async () => (await rows()).every(({ name }) => name === 'trial-running'), 'the overdue one to be gone');
    assert.equal((await rows()).length, 1);
    await db.deleteFrom('containers').where('name', '=', 'trial-running').execute();
  });

  it('refuses missing rows, and callers who are not administrators', async () => {
    const exam = await make('exams', [{}]);
    const instructor = await server.user('instructor');
    for (const [url, detail] of [
      ['exams/999999/try', 'Exam not found'],
      ['exams/999999/publish', 'Exam not found'],
      ['laboratories/999999/try', 'Laboratory not found'],
      ['laboratories/999999/publish', 'Laboratory not found'],
      ['laboratories/999999/tasks/1/try', 'Laboratory not found'],
      [`exams/${exam.id}/tasks/999999/try`, 'Task not found'],
    ]) {
      const missing = await server.post(`/api/admin/${url}`, admin.token);
      assert.deepEqual([missing.status, missing.code, missing.body], [404, 'not_found', { detail }], url);
      for (const { token } of [student, instructor])
        assert.equal((await server.post(`/api/admin/${url}`, token)).status, 403);
      assert.equal((await server.post(`/api/admin/${url}`)).status, 401);
    }
    const url = `/api/admin/exams/${exam.id}/tasks/${exam.tasks[0].id}/try`;
    assert.equal((await server.post(url, admin.token, { verification_script: '' })).status, 422);
    assert.equal((await server.post('/api/admin/exams/x/try', admin.token)).status, 422);
    const lost = await make('exams', [{}], { container_image: 'no-such-image' });
    assert.equal((await act('exams', lost.id, 'try')).status, 503);
    await nothingLeft();
  });
});
