import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { tasksOfKinds } from '../task-kinds.ts';

type Choice = { id: number; text: string };
const parameters = { port: { int: [20_000, 29_999] } };
const plurals = { exam: 'exams', laboratory: 'laboratories' } as const;

// No task needs a machine, so nothing here needs an engine.
describe('answers to tasks without a machine', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let instructor: TestUser;
  before(async () => {
    server = await TestServer.start();
    [admin, instructor] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const make = async (kind: 'exam' | 'laboratory', tasks: readonly object[], more: object = {}) => {
    const id = await makeAssessment(server, admin, kind, [], { passing_score: 5, ...more });
    const made: number[] = [];
    for (const task of tasks) {
      const { body, text } = await server.post(`/api/admin/${plurals[kind]}/${id}/tasks`, admin.token, task);
      assert.ok(body.id, text);
      made.push(body.id);
    }
    return { id, tasks: made };
  };
  const begin = async (kind: 'exam' | 'laboratory', id: number) => {
    const student = await server.user();
    const { status, body, text } = await server.post(`/api/${plurals[kind]}/${id}/start`, student.token);
    assert.deepEqual([status, body.container_id, body.status], [201, null, 'in_progress'], text);
    const path = `/api/${plurals[kind]}/attempts/${body.attempt_id}`;
    const save = (task: number | undefined, answer: object, token = student.token) =>
      server.put(`${path}/answers/${task}`, token, answer);
    const submit = async () => (await server.post(`/api/${plurals[kind]}/${id}/submit`, student.token)).body;
    return { student, attemptId: body.attempt_id as number, path, save, submit };
  };
  const { choice, answer, essay } = tasksOfKinds;
  const idsOf = (choices: readonly Choice[], ...texts: string[]) =>
    choices.filter(({ text }) => texts.includes(text)).map(({ id }) => id);

  // Long: one exam from its start to the last decision of a person.
  it('are saved, graded at the submission, and await a person where one gives the points', async () => {
    const { id, tasks } = await make('exam', [choice, answer, essay]);
    assert.equal((await server.get(`/api/exams/${id}`, admin.token)).body.needs_machine, false);
    const { student, attemptId, path, save, submit } = await begin('exam', id);
    const empty = (await server.get(`${path}/answers`, student.token)).body;
    assert.deepEqual(
      empty.map((one: { kind: string; saved_at: null }) => [one.kind, one.saved_at]),
      [...['choice', 'answer', 'essay'].map((kind) => [kind, null])],
    );
    const { choices } = empty[0];
    const some = await save(tasks[0], { choice_ids: idsOf(choices, 'chmod') });
    assert.deepEqual([some.status, some.body.choice_ids], [200, idsOf(choices, 'chmod')], some.text);
    assert.equal((await save(tasks[1], { text: '41' })).status, 200);
    assert.equal((await save(tasks[1], { text: '42,5 GiB' })).body.text, '42,5 GiB', 'in the place of the one before');
    assert.equal((await save(tasks[2], { text: '# Why\nBecause.' })).status, 200);
    const read = await server.get(`${path}/answers`, student.token);
    assert.equal(read.body[2].text, '# Why\nBecause.');
    assert.doesNotMatch(read.text, /is_correct|accepted|tolerance|right_answer/);

    const submitted = await submit();
    assert.deepEqual(
      [submitted.status, submitted.is_awaiting_grading, submitted.score, submitted.passed, submitted.max_score],
      ['finished', true, null, null, 11],
    );
    const results = submitted.results.map((result: Record<string, unknown>) => [
      ...[result['points_earned'], result['passed'], result['is_awaiting_grading']],
    ]);
    assert.deepEqual(results, [
      [2, false, false],
      [2, true, false],
      [0, false, true],
    ]);
    assert.equal((await save(tasks[2], { text: 'Too late' })).status, 409);
    const seen = await server.get(`${path}/answers`, instructor.token);
    assert.equal(seen.body[2].text, '# Why\nBecause.', 'by staff as well');
    assert.deepEqual(seen.body[1].right_answer, { accepted: ['42'], tolerance: 0.5 });
    const staff = await server.get(`/api/instructor/attempts?user_id=${student.id}`, instructor.token);
    assert.deepEqual([staff.body[0].is_awaiting_grading, staff.body[0].score], [true, null], 'in lists');

    const decided = await server.put(`/api/instructor/attempts/${attemptId}/results/${tasks[2]}`, instructor.token, {
      ...{ points_earned: 4.5, reason: 'Nearly all', revision: 0 },
    });
    assert.equal(decided.status, 200, decided.text);
    const graded = (await server.get(`${path}/results`, student.token)).body;
    assert.deepEqual([graded.is_awaiting_grading, graded.score, graded.passed], [false, 8.5, true]);
    assert.deepEqual([graded.results[2].points_earned, graded.results[2].is_awaiting_grading], [4.5, false]);
    const news = (await server.get('/api/notifications', student.token)).body;
    assert.deepEqual(
      news.map(({ kind }: { kind: string }) => kind),
      ['grade'],
      'and no results before',
    );
  });

  it('have the choices in an order of the attempt, here and in the exam', async () => {
    const choices = Array.from({ length: 9 }, (_, index) => ({ text: `${index}`, is_correct: index === 0 }));
    const { id } = await make('exam', [{ ...choice, choices, is_multiple: false }]);
    const orders: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { student, path } = await begin('exam', id);
      const order = (given: { choices: Choice[] }) => given.choices.map(({ text }) => text).join('');
      const own = order((await server.get(`${path}/answers`, student.token)).body[0]);
      assert.equal(order((await server.get(`/api/exams/${id}`, student.token)).body.tasks[0]), own);
      orders.push(own);
    }
    assert.equal(new Set([...orders, '012345678']).size, 5, orders.join());
  });

  it('refuse what is no answer, and who does not answer now', async () => {
    const { id, tasks } = await make('exam', [
      { ...choice, is_multiple: false, choices: choice.choices.slice(0, 2) },
      essay,
    ]);
    const { student, attemptId, path, save } = await begin('exam', id);
    const [{ choices }] = (await server.get(`${path}/answers`, student.token)).body;
    const ids = choices.map((one: Choice) => one.id);
    for (const [task, wrong] of [
      [0, { text: 'chmod' }],
      [0, {}],
      [0, { choice_ids: [0] }],
      [0, { choice_ids: ids }],
      [1, { choice_ids: [] }],
      [1, { text: 'x'.repeat(100_001) }],
    ] as const)
      assert.equal((await save(tasks[task], wrong)).status, 422, JSON.stringify(wrong).slice(0, 50));
    assert.equal((await save(999_999, { text: 'x' })).status, 404);
    const other = await server.user();
    assert.equal((await save(tasks[1], { text: 'x' }, other.token)).status, 404);
    assert.equal((await save(tasks[1], { text: 'x' }, instructor.token)).status, 404, 'nor by staff');
    assert.equal((await server.get(`${path}/answers`, other.token)).status, 404);
    const { db } = server.application;
    const attempt = db.updateTable('attempts').where('id', '=', attemptId);
    await attempt.set({ paused_at: new Date() }).execute();
    const paused = await save(tasks[1], { text: 'x' });
    assert.deepEqual([paused.status, paused.headers.get('error-code')], [409, 'attempt_not_in_progress']);
    await attempt.set({ paused_at: null, expires_at: new Date(Date.now() - 1000) }).execute();
    assert.equal((await save(tasks[1], { text: 'x' })).status, 409, 'after the deadline');
  });

  it('are graded as they are when the time is over, and nothing awaits a person where there is no answer', async () => {
    const { id, tasks } = await make('exam', [answer, essay]);
    const { student, attemptId, path, save } = await begin('exam', id);
    assert.equal((await save(tasks[0], { text: '42' })).status, 200);
    const { db } = server.application;
    const past = { expires_at: new Date(Date.now() - 1000) };
    await db.updateTable('attempts').set(past).where('id', '=', attemptId).execute();
    await server.reconcile();
    const { body } = await server.get(`${path}/results`, student.token);
    assert.deepEqual([body.status, body.score, body.is_awaiting_grading], ['expired', 2, false]);
    assert.deepEqual(body.results[1].remark_codes, [{ code: 'not_answered', params: {} }]);
  });

  it('are checked in a laboratory, also one after another', async () => {
    const { id, tasks } = await make('laboratory', [essay, answer], { is_sequential: true });
    const { student, path, save, submit } = await begin('laboratory', id);
    assert.equal((await server.get(`${path}/answers`, student.token)).body.length, 1);
    assert.deepEqual((await save(tasks[1], { text: '42' })).headers.get('error-code'), 'task_locked');
    const check = async () => (await server.post(`/api/laboratories/${id}/check`, student.token)).body;
    assert.equal((await check()).results[0].is_awaiting_grading, false, 'not answered');
    await save(tasks[0], { text: 'Because.' });
    assert.equal((await check()).results[0].is_awaiting_grading, true);
    assert.equal((await save(tasks[1], { text: '7' })).status, 200);
    assert.equal((await check()).results[1].passed, false);
    await save(tasks[1], { text: '42' });
    const checked = await check();
    assert.deepEqual([checked.status, checked.score, checked.results[1].passed], ['in_progress', 2, true]);
    assert.deepEqual([(await submit()).is_awaiting_grading], [true]);
  });

  it('show students the right answer as `solution_visible` shows a solution', async () => {
    const { id, tasks } = await make('exam', [{ ...answer, solution_visible: 'after_passing' }, choice]);
    const { student, path, save, submit } = await begin('exam', id);
    await save(tasks[0], { text: '42.4' });
    assert.doesNotMatch((await server.get(`${path}/answers`, student.token)).text, /right_answer/);
    await submit();
    const [shown, hidden] = (await server.get(`${path}/answers`, student.token)).body;
    assert.deepEqual(shown.right_answer, { accepted: ['42'], tolerance: 0.5 });
    assert.equal('right_answer' in hidden, false);
    const { results } = (await server.get(`${path}/results`, student.token)).body;
    assert.equal('solution' in results[0], false);
  });

  // Long: one file from its upload to its grade, and each refusal.
  it('can be files, which the student replaces and staff download', async () => {
    const { id, tasks } = await make('exam', [tasksOfKinds.file, essay]);
    const { student, path, save, submit } = await begin('exam', id);
    const at = `${path}/answers/${tasks[0]}`;
    const send = async (content: Buffer, name: string, to = at, { token } = student) => {
      const body = new FormData();
      body.append('file', new Blob([Uint8Array.from(content)]), name);
      return await server.request('PUT', to, { token, body });
    };
    assert.equal((await server.get(`${at}/file`, student.token)).status, 404, 'none yet');
    assert.equal((await send(Buffer.from('first'), 'draft.txt')).status, 200);
    // More than one part.
    const content = Buffer.from('0123456789abcdef'.repeat(20_000));
    const sent = await send(content, '../../étude 1.txt');
    assert.deepEqual(sent.body.file, { name: 'étude 1.txt', bytes: content.length }, sent.text);
    for (const { token } of [student, instructor]) {
      const file = await server.request('GET', `${at}/file`, { token });
      assert.ok(file.bytes.equals(content));
      assert.match(
        file.headers.get('content-disposition') ?? '',
        /^attachment; filename="_tude 1\.txt"; filename\*=UTF-8''%C3%A9tude%201\.txt$/,
      );
    }
    for (const [name, kept] of [
      ['', 'file'],
      ['..', 'file'],
      [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
      // Shown as "reportexe.png".
      ['report\u202egnp.exe', 'reportgnp.exe'],
    ] as const)
      assert.equal((await send(content, name)).body.file?.name, kept, JSON.stringify(name));
    const other = await server.user();
    assert.equal((await server.get(`${at}/file`, other.token)).status, 404);
    assert.equal((await send(content, 'x', at, other)).status, 404);
    assert.equal((await send(Buffer.alloc(8 * 1024 * 1024 + 1), 'large')).status, 413);
    assert.equal((await send(Buffer.alloc(0), 'empty')).status, 422);
    assert.equal((await send(content, 'x', `${path}/answers/${tasks[1]}`)).status, 422, 'an essay is no file');
    assert.equal((await save(tasks[0], { text: 'no file' })).status, 422);
    const submitted = await submit();
    assert.deepEqual([submitted.is_awaiting_grading, submitted.results[0].is_awaiting_grading], [true, true]);
    assert.equal((await send(content, 'late')).status, 409);
    assert.ok((await server.request('GET', `${at}/file`, { token: instructor.token })).bytes.equals(content));
  });

  // Long: the answer of each kind, with names and without.
  it('are shown to those who grade, with the text and the right answer of the attempt', async () => {
    const varied = { ...answer, accepted: ['{{port}}'], description: 'Which? {{port}}', parameters };
    const { id, tasks } = await make('exam', [choice, varied, tasksOfKinds.file, essay]);
    const { student, attemptId, path, save, submit } = await begin('exam', id);
    const [{ choices }] = (await server.get(`${path}/answers`, student.token)).body;
    const chosen = idsOf(choices, 'chmod', 'passwd');
    await save(tasks[0], { choice_ids: chosen });
    assert.equal((await save(tasks[1], { text: '7' })).status, 200);
    const form = new FormData();
    form.append('file', new Blob(['# Mine']), 'Quokka report.md');
    await server.request('PUT', `${path}/answers/${tasks[2]}`, { token: student.token, body: form });
    await save(tasks[3], { text: '# Why' });
    await submit();
    const grading = '/api/instructor/grading';
    const open = async () => {
      const listed = (await server.get(`${grading}?exam_id=${id}`, admin.token)).body as { key: string }[];
      return await Promise.all(
        listed.map(async ({ key }) => (await server.get(`${grading}/${key}`, admin.token)).body),
      );
    };
    const [picked, named, sent, written] = await open();
    assert.deepEqual(picked.answer.choices, choices, 'in the order of the attempt');
    assert.deepEqual(picked.answer.choice_ids, chosen);
    assert.deepEqual(picked.answer.right_answer.choice_ids.toSorted(), idsOf(choices, 'chmod', 'umask').toSorted());
    const port = /^Which\? (2\d{4})$/.exec(named.description)?.[1];
    assert.deepEqual([named.answer.text, named.answer.right_answer.accepted], ['7', [port]]);
    assert.deepEqual([written.answer.text, written.is_awaiting_grading], ['# Why', true]);
    assert.deepEqual(sent.answer.file, { name: 'Quokka report.md', bytes: 6 });
    const file = (key: string, token = admin.token) => server.request('GET', `${grading}/${key}/file`, { token });
    assert.deepEqual(`${(await file(sent.key)).bytes}`, '# Mine');
    assert.equal((await file(written.key)).status, 404, 'an essay is no file');
    assert.equal((await file('none')).status, 404);
    assert.equal((await file(sent.key, student.token)).status, 403);

    const classId = await schoolClass(server, instructor, [student]);
    const session = await openSession(server, instructor, { exam_id: id, class_id: classId, has_hidden_names: true });
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attemptId).execute();
    const [, , hidden] = await open();
    assert.deepEqual([hidden.student, hidden.answer.file.name], [null, 'file.md']);
    const nameless = await file(hidden.key);
    assert.deepEqual(`${nameless.bytes}`, '# Mine');
    assert.match(nameless.headers.get('content-disposition') ?? '', /^attachment; filename="file\.md"/);
  });

  it('are still there when the attempt is given back', async () => {
    const { id, tasks } = await make('exam', [answer, essay]);
    const { student, attemptId, path, save, submit } = await begin('exam', id);
    await save(tasks[1], { text: 'First' });
    await submit();
    const attempt = `/api/instructor/attempts/${attemptId}`;
    const decision = { points_earned: 1, reason: 'Short', revision: 0 };
    await server.put(`${attempt}/results/${tasks[1]}`, instructor.token, decision);
    const reopened = await server.post(`${attempt}/reopen`, instructor.token, { minutes: 5 });
    assert.deepEqual([reopened.status, reopened.body.status, reopened.body.container_id], [200, 'in_progress', null]);
    assert.equal((await server.get(`${path}/answers`, student.token)).body[1].text, 'First');
    assert.equal((await save(tasks[0], { text: '42' })).status, 200);
    assert.deepEqual([(await submit()).is_awaiting_grading], [true]);
    const [ending] = (await server.get(`${attempt}/endings`, instructor.token)).body;
    assert.deepEqual([ending.score, ending.decisions[0].reason], [1, 'Short']);
  });

  it('are graded by a person again after that, also where the next task had opened', async () => {
    const { id, tasks } = await make('laboratory', [essay, answer], { is_sequential: true });
    const { student, attemptId, path, save, submit } = await begin('laboratory', id);
    await save(tasks[0], { text: 'First' });
    await submit();
    const attempt = `/api/instructor/attempts/${attemptId}`;
    const decision = { points_earned: essay.points, reason: 'Right', revision: 0 };
    await server.put(`${attempt}/results/${tasks[0]}`, instructor.token, decision);
    await server.post(`${attempt}/reopen`, instructor.token, {});
    assert.equal((await save(tasks[0], { text: 'Nonsense' })).status, 200);
    assert.equal((await save(tasks[1], { text: '42' })).status, 200, 'it is still open');
    const { is_awaiting_grading, results } = await submit();
    assert.deepEqual([is_awaiting_grading, results[0].points_earned, results[1].passed], [true, 0, true]);
    await server.post(`${attempt}/reopen`, instructor.token, {});
    assert.equal((await server.get(`${path}/results`, student.token)).body.results[0].points_earned, 0);
    await save(tasks[0], { text: ' ' });
    assert.deepEqual((await submit()).results[0].remark_codes, [{ code: 'not_answered', params: {} }]);
  });

  it('keep what two graders gave when the attempt is given back', async () => {
    const { id, tasks } = await make('exam', [essay]);
    const { attemptId, save, submit } = await begin('exam', id);
    await save(tasks[0], { text: 'First' });
    await submit();
    const classId = await schoolClass(server, instructor, []);
    const plan = { exam_id: id, class_id: classId, grader_tolerance_percent: 0 };
    const session = await openSession(server, instructor, plan);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attemptId).execute();
    const grading = '/api/instructor/grading';
    const key = async () => (await server.get(`${grading}?session_id=${session.id}`, admin.token)).body[0]?.key;
    const grade = { points_earned: 1, reason: 'Short', revision: 0 };
    const graded = await server.put(`${grading}/${await key()}`, instructor.token, grade);
    assert.deepEqual([graded.status, graded.body.grades.length], [200, 1]);
    const attempt = `/api/instructor/attempts/${attemptId}`;
    assert.equal((await server.post(`${attempt}/reopen`, instructor.token, { minutes: 5 })).status, 200);
    const [ending] = (await server.get(`${attempt}/endings`, instructor.token)).body;
    assert.deepEqual([ending.grades[0].points_earned, ending.grades[0].reason, ending.decisions], [1, 'Short', []]);
    await submit();
    assert.deepEqual((await server.get(`${grading}/${await key()}`, instructor.token)).body.grades, []);
  });

  it('have tasks whose own title the staff see, also once they are deleted', async () => {
    const varied = { ...essay, title: 'Port {{port}}', parameters };
    const { id, tasks } = await make('exam', [varied, { ...varied, title: 'Other {{port}}' }]);
    const [one, two] = [await begin('exam', id), await begin('exam', id)];
    await one.submit();
    const titles = async () => {
      const counted = await server.get(`/api/instructor/grading/tasks?exam_id=${id}`, admin.token);
      const book = await server.get(`/api/instructor/exams/${id}/grade-book`, admin.token);
      return [counted.body, book.body.tasks].map((all) => all.map(({ title }: { title: string }) => title).toSorted());
    };
    const own = ['Other {{port}}', 'Port {{port}}'];
    assert.deepEqual(await titles(), [own, own]);
    assert.equal((await server.delete(`/api/admin/exams/${id}/tasks/${tasks[0]}`, admin.token)).status, 200);
    assert.deepEqual(await titles(), [own, own]);
    // What an older attempt brings back when it ends.
    const { db } = server.application;
    await db.deleteFrom('deleted_tasks').where('assessment_id', '=', id).execute();
    await two.submit();
    assert.deepEqual(await titles(), [own, own]);
  });

  it('go with their attempt', async () => {
    const { id, tasks } = await make('exam', [essay]);
    const { student, attemptId, save } = await begin('exam', id);
    await save(tasks[0], { text: 'Because.' });
    assert.equal((await server.delete(`/api/admin/users/${student.id}`, admin.token)).status, 200);
    const { db } = server.application;
    const left = db.selectFrom('task_answers').selectAll().where('attempt_id', '=', attemptId);
    assert.deepEqual(await left.execute(), []);
  });
});

describe('answers on a machine', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  it('are the files at their paths when the attempt ends, and never what a link leads to', async () => {
    const { server, admin, instructor } = room;
    const exam = await room.make('exam', [], { passing_score: 0, setup_script: 'echo secret >/root/secret' });
    const paths = ["/home/student/it's here.txt", '/home/student/link', '/home/student/pipe', '/home/student/none'];
    const tasks: number[] = [];
    for (const [index, path] of paths.entries()) {
      const task = { title: `File ${index}`, points: 1, kind: 'file', path };
      const { body, text } = await server.post(`/api/admin/exams/${exam}/tasks`, admin.token, task);
      assert.ok(body.id, text);
      tasks.push(body.id);
    }
    const student = await server.user();
    const { attempt_id, container_name } = await room.start(student, 'exam', exam);
    await room.asStudent(
      container_name,
      `cd /home/student; echo done >"it's here.txt"; ln -s /root/secret link; mkfifo pipe`,
    );
    const answers = `/api/exams/attempts/${attempt_id}/answers`;
    const body = new FormData();
    body.append('file', new Blob(['sent']), 'sent.txt');
    const sent = await server.request('PUT', `${answers}/${tasks[0]}`, { token: student.token, body });
    assert.equal(sent.status, 422, 'it is taken from the machine');
    const { body: ended, text } = await server.post(`/api/exams/${exam}/submit`, student.token);
    const awaiting = ended.results.map((one: { is_awaiting_grading: boolean }) => one.is_awaiting_grading);
    assert.deepEqual(awaiting, [true, false, false, false], text);
    const file = await server.get(`${answers}/${tasks[0]}/file`, instructor.token);
    assert.equal(file.text, 'done\n');
    assert.equal((await server.get(`${answers}/${tasks[1]}/file`, student.token)).status, 404);
  });

  it('are those files in a check as well, and none once the file is gone', async () => {
    const { server, admin } = room;
    const tasks = [{ title: 'File', points: 1, kind: 'file', path: '/home/student/file' }, tasksOfKinds.answer];
    const make = async (more: object) => {
      const id = await room.make('laboratory', [], more);
      for (const task of tasks) await server.post(`/api/admin/laboratories/${id}/tasks`, admin.token, task);
      const student = await server.user();
      const { attempt_id, container_name } = await room.start(student, 'laboratory', id);
      const post = async (path: string) => (await server.post(`/api/laboratories/${id}/${path}`, student.token)).body;
      const answers = async () =>
        (await server.get(`/api/laboratories/attempts/${attempt_id}/answers`, student.token)).body;
      return { container_name, post, answers };
    };
    const [one, all] = [await make({ is_sequential: true }), await make({})];
    for (const { container_name, post } of [one, all]) {
      await room.asStudent(container_name, 'echo done > ~/file');
      assert.equal((await post('check')).results[0].is_awaiting_grading, true);
      await room.asStudent(container_name, 'rm ~/file');
    }
    assert.equal((await one.answers()).length, 2, 'the next task opens');
    assert.equal((await one.post('submit')).is_awaiting_grading, true, 'as it was when the next task opened');
    assert.equal((await all.post('submit')).is_awaiting_grading, false);
    assert.deepEqual((await all.answers())[0].file, null);
  });
});
