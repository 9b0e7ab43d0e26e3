import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { Classroom } from '../classroom.ts';
import { warmedUp } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const odd = ['two  words \'and\' "more"', 'line\n$(touch /srv/ran) \\n *', '-n', 'x;y&z|{}'];
const parameters = { port: { int: [20_000, 29_999] }, text: { choice: odd } };
const task = {
  title: 'Port {{port}}',
  description: 'Listen on `{{port}}`: {{text}}, not \\{{port}}',
  solution: 'It is {{port}}.',
  solution_visible: 'after_passing',
  points: 2,
  parameters,
  setup_script: 'printf %s "$PARAM_TEXT" >/srv/text; printf %s "$PARAM_PORT" >/srv/port',
  verification_script:
    '[ ! -e /srv/ran ] && [ "$(cat /srv/text; echo .)" = "$PARAM_TEXT." ] && cat /srv/port && echo && [ "$(cat /srv/port)" = "$PARAM_PORT" ] && echo PASS',
};

describe('tasks with parameters', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  const make = async (kind: 'exams' | 'laboratories', more: object = {}): Promise<[id: number, taskId: number]> => {
    const { server, admin } = room;
    const id = await room.make(kind === 'exams' ? 'exam' : 'laboratory', []);
    const added = await server.post(`/api/admin/${kind}/${id}/tasks`, admin.token, { ...task, ...more });
    assert.equal(added.status, 201, added.text);
    return [id, added.body.id];
  };
  const variantOf = async (attemptId: number) => {
    const { db } = room.server.application;
    const row = db.selectFrom('attempts').select('variant').where('id', '=', attemptId);
    return (await row.executeTakeFirstOrThrow()).variant;
  };

  it('are refused with a wrong form, and with texts that name others', async () => {
    const { server, admin } = room;
    const [id, taskId] = await make('laboratories');
    const path = `/api/admin/laboratories/${id}/tasks`;
    const refused = async (change: object) => {
      const answers = [
        await server.put(`${path}/${taskId}`, admin.token, change),
        await server.post(path, admin.token, { ...task, ...change }),
        await server.post(`/api/admin/laboratories/${id}/try`, admin.token, { tasks: [{ id: taskId, ...change }] }),
      ];
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [422]);
      return answers[0]?.body.detail.map(
        ({ loc, msg }: { loc: string[]; msg: string }) => `${loc.join('.')}: ${msg.replace('Value error, ', '')}`,
      );
    };
    assert.deepEqual(await refused({ title: '{{prot}}' }), [
      'body.title: there is no parameter prot; two braces that stand for themselves are written as \\{{',
    ]);
    assert.match((await refused({ hint: '{{Port}} {{x}}' }))[0], /^body.hint: there is no parameter Port/);
    const [form] = await refused({ parameters: { ...parameters, port: { int: [2, 1] } } });
    assert.match(form, /^body.parameters: the parameter port needs either int/);
    const [name] = await refused({ parameters: { ...parameters, Port: { int: [1, 2] } } });
    assert.match(name, /^body.parameters: the name of a parameter .*: Port$/);
    assert.match(
      (await refused({ parameters: { port: { int: [1] } } }))[0],
      /^body.parameters.port.int: .* at least 2/,
    );
    assert.match(
      (await refused({ parameters: { port: { choice: [1] } } }))[0],
      /^body.parameters.port.choice.0: .*string/,
    );
    assert.equal((await server.put(`${path}/${taskId}`, admin.token, { parameters: null })).body.parameters, null);
  });

  // Long: two students from the text to the result, and what each of those who look sees.
  it('have values of their own in each attempt, in the texts, the set-up, the check and the results', async () => {
    const { server, admin, instructor } = room;
    const [id, taskId] = await make('exams');
    const students = [await server.user(), await server.user()] as const;
    const tasksOf = async ({ token }: TestUser) => (await server.get(`/api/exams/${id}`, token)).body.tasks[0];
    assert.equal((await tasksOf(students[0])).title, 'Port …', 'before it is drawn');
    assert.equal((await tasksOf(admin)).title, 'Port {{port}}');
    const drawn = [];
    for (const student of students) {
      const { attempt_id } = await room.start(student, 'exam', id);
      const values = (await variantOf(attempt_id))?.values[taskId];
      assert.ok(values?.['port'] && values['text']);
      drawn.push({ student, attempt_id, port: values['port'], text: values['text'] });
    }
    assert.notEqual(drawn[0]?.port, drawn[1]?.port);
    assert.notEqual(drawn[0]?.text, drawn[1]?.text);
    // What was drawn stays, whatever the task becomes.
    const changed = { parameters: { port: { int: [1, 2] }, text: { choice: ['other'] } } };
    await server.put(`/api/admin/exams/${id}/tasks/${taskId}`, admin.token, changed);
    for (const { student, attempt_id, port, text } of drawn) {
      const other = drawn.find((one) => one.port !== port)?.port ?? '';
      const shown = await server.get(`/api/exams/${id}`, student.token);
      const { title, description } = shown.body.tasks[0];
      assert.equal(title, `Port ${port}`);
      assert.ok(
        description.startsWith(`Listen on \`${port}\`: `) && description.endsWith(', not {{port}}'),
        description,
      );
      const submitted = await server.post(`/api/exams/${id}/submit`, student.token);
      const [result] = submitted.body.results;
      assert.deepEqual([result.title, result.passed, result.output], [`Port ${port}`, true, `${port}\nPASS\n`], text);
      assert.equal(result.solution, `It is ${port}.`);
      const own = await server.get(`/api/exams/attempts/${attempt_id}/results`, student.token);
      const after = await server.get(`/api/exams/${id}`, student.token);
      assert.equal(after.body.tasks[0].solution, `It is ${port}.`);
      for (const { text: answer } of [shown, submitted, own, after])
        assert.ok(!answer.includes(other) && !answer.includes('choice'), 'nothing of others');
      const seen = (await server.get(`/api/instructor/attempts/${attempt_id}`, instructor.token)).body.state.tasks[0];
      assert.deepEqual([seen.title, seen.values, seen.parameters], [`Port ${port}`, { port, text }, parameters]);
    }
  });

  it('draw other values at each start of a practice', async () => {
    const { server, admin } = room;
    const [id, taskId] = await make('laboratories');
    const student = await server.user();
    const seen = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const { attempt_id } = await room.start(student, 'laboratory', id);
      const [result] = (await server.post(`/api/laboratories/${id}/check`, student.token)).body.results;
      const values = (await variantOf(attempt_id))?.values[taskId];
      assert.deepEqual([result.passed, result.output], [true, `${values?.['port']}\nPASS\n`]);
      seen.add(JSON.stringify(values));
      await server.post(`/api/laboratories/attempts/${attempt_id}/abandon`, student.token);
    }
    assert.equal(seen.size, 3);
    const plain = await make('laboratories', {
      parameters: null,
      title: 'T',
      verification_script: 'echo "$PARAM_PORT"',
    });
    const { attempt_id } = await room.start(student, 'laboratory', plain[0]);
    assert.equal(await variantOf(attempt_id), null);
    assert.equal((await server.get(`/api/admin/laboratories/${plain[0]}`, admin.token)).body.tasks[0].parameters, null);
  });

  it('are in files, which may not name others', async () => {
    const { server, admin } = room;
    const [id, taskId] = await make('exams');
    const { db } = server.application;
    const content = new ContentService(new ContentStore(db, loadConfig({}).catalogue));
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'parameters-'));
    const folder = join(temporary.path, 'content');
    await content.export(folder, { all: true, lessons: undefined });
    const again = await content.import(folder, { prune: false, dryRun: false });
    assert.deepEqual(
      again.filter(({ action }) => action !== 'unchanged'),
      [],
    );
    const { slug } = (await server.get(`/api/admin/exams/${id}`, admin.token)).body;
    await db.updateTable('assessment_tasks').set({ parameters: null }).where('id', '=', taskId).execute();
    await content.import(folder, { prune: false, dryRun: false });
    const { tasks } = (await server.get(`/api/admin/exams/${id}`, admin.token)).body;
    assert.equal(JSON.stringify(tasks[0].parameters), JSON.stringify(parameters), 'in their order');
    const file = join(folder, 'exams', slug, 'exam.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('Port {{port}}', 'Port {{prot}}'));
    await assert.rejects(content.import(folder, { prune: false, dryRun: true }), /title: there is no parameter prot/);
  });

  /** An exam of a task whose parameter is a number, and one without, with a trial that must fail of changes to the first. */
  async function makeDraft() {
    const { server, admin } = room;
    const draft = {
      setup_script: null,
      parameters: { n: { int: [1, 30] } },
      ...{ title: 'T', description: '{{n}}', solution: '' },
      solution_script: 'echo "$PARAM_N" >/home/student/n; echo "$PARAM_N" >>/home/student/all',
      verification_script: '[ "$(cat /home/student/n)" = "$PARAM_N" ] && echo PASS || echo FAIL',
    };
    const [id, taskId] = await make('exams', draft);
    const path = `/api/admin/exams/${id}`;
    await server.post(`${path}/tasks`, admin.token, {
      ...{ title: 'Plain', points: 1, solution_script: 'touch /home/student/plain' },
      verification_script: '[ -e /home/student/plain ] && echo PASS || echo FAIL',
    });
    const tryWith = async (change: object) => {
      const { body } = await server.post(`${path}/try`, admin.token, { tasks: [{ id: taskId, ...change }] });
      const [{ problem, problem_code, values }] = body.tasks;
      assert.equal(body.is_ok, false);
      assert.equal(body.tasks[1].problem, null);
      return { problem, problem_code, n: Number(values.n) };
    };
    return { path, taskId, tryWith };
  }

  it('are tried with the values of attempts, until one has a problem', async () => {
    const { tryWith } = await makeDraft();
    const fails = await tryWith({ solution_script: '[ "$PARAM_N" -gt 9 ] || echo "$PARAM_N" >/home/student/n; true' });
    assert.equal(fails.problem, `With n = ${fails.n}: The check does not pass after the solution`);
  });

  itLong('pass a trial with the values of ten attempts, or fail with some of them only', async () => {
    const { server, admin } = room;
    const { path, taskId, tryWith } = await makeDraft();
    const tried = await server.post(`${path}/try`, admin.token, {});
    assert.equal(tried.body.is_ok, true, tried.text);
    assert.deepEqual([Object.keys(tried.body.tasks[0].values), tried.body.tasks[1].values], [['n'], null]);
    const verification_script =
      '[ "$(cat /home/student/n)" = "$PARAM_N" ] || (($PARAM_N > 9)) && echo PASS || echo FAIL';
    const passes = await tryWith({ verification_script });
    assert.deepEqual([passes.problem_code, passes.n > 9], ['passes_at_first', true]);
    assert.equal((await tryWith({ setup_script: 'true', solution_script: null })).problem_code, 'no_solution');
    const setup_script = '((PARAM_N < 20))';
    const failed = await server.post(`${path}/try`, admin.token, { tasks: [{ id: taskId, setup_script }] });
    assert.equal(failed.body.setup.problem_code, 'failed', failed.text);
  });
});

describe('an exam with parameters and a warm pool', { skip: engineSkip, timeout: 600_000 }, () => {
  it('starts in containers of its own, and those of its kind are not kept ready', async () => {
    await using room = await Classroom.open({ CONTAINERS_MAX: '6', WARM_CONTAINERS: '1' });
    const { server, admin } = room;
    const id = await room.make('exam', []);
    const plain = { ...task, parameters: null };
    const { id: taskId } = (await server.post(`/api/admin/exams/${id}/tasks`, admin.token, plain)).body;
    await server.reconcile();
    await warmedUp(server, 1);
    await server.put(`/api/admin/exams/${id}/tasks/${taskId}`, admin.token, { parameters });
    const student = await server.user();
    await room.start(student, 'exam', id);
    const [result] = (await server.post(`/api/exams/${id}/submit`, student.token)).body.results;
    assert.equal(result.passed, true, result.output);
    await server.reconcile();
    await warmedUp(server, 0);
  });
});

describe('a class in one session', { skip: engineSkip, timeout: 600_000 }, () => {
  it('draws a value for each student that no other has, while there are enough', async () => {
    await using room = await Classroom.open({ CONTAINERS_MAX: '1', maxQueuedAttempts: 40 });
    const { server, admin } = room;
    const id = await room.make('exam', []);
    const few = { ...task, setup_script: null, parameters: { port: { int: [1, 32] }, text: { choice: ['a', 'b'] } } };
    assert.equal((await server.post(`/api/admin/exams/${id}/tasks`, admin.token, few)).status, 201);
    const start = async (): Promise<number> => {
      const { token } = await server.user();
      const headers = { prefer: 'respond-async' };
      return (await server.request('POST', `/api/exams/${id}/start`, { token, headers })).body.attempt_id;
    };
    const attempts = await Promise.all(Array.from({ length: 30 }, start));
    const { db } = server.application;
    const rows = await db.selectFrom('attempts').select('variant').where('id', 'in', attempts).orderBy('id').execute();
    const values = rows.map(({ variant }) => Object.values(variant?.values ?? {})[0]);
    assert.equal(new Set(values.map((each) => each?.['port'])).size, 30);
    for (const [turn, each] of values.entries()) assert.notEqual(each?.['text'], values[turn + 1]?.['text']);
    await until(async () => {
      const running = db.selectFrom('attempts').select('id').where('status', '=', 'in_progress');
      return (await running.execute()).length > 0;
    }, 'the first to begin');
  });
});
