import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';

const check = (file: string) => `if [ -e /home/student/${file} ]; then echo PASS; else echo FAIL; fi`;

describe('laboratories whose tasks open one after another', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room[Symbol.asyncDispose]());

  const make = (more: object = {}) =>
    room.make('laboratory', [check('one'), check('two'), check('three')], { is_sequential: true, ...more });
  const get = async (user: TestUser, path: string) =>
    (await room.server.get(`/api/laboratories/${path}`, user.token)).body;
  const post = (user: TestUser, path: string) => room.server.post(`/api/laboratories/${path}`, user.token);
  /** The titles of the tasks whose text the user sees, and of those that are locked. */
  const seen = async (user: TestUser, id: number) => {
    type Task = { title: string; description: string; hint: string; is_locked?: boolean };
    const { tasks } = (await get(user, `${id}`)) as { tasks: Task[] };
    return tasks.map(({ title, description, hint, is_locked }) =>
      is_locked ? `${title} locked${description}${hint}` : `${title}: ${description}, ${hint}`,
    );
  };
  const locked = (...numbers: number[]) =>
    [1, 2, 3].map((number) => (numbers.includes(number) ? `Task ${number} locked` : `Task ${number}: Do it, Look`));

  // Long: one attempt from its first task to its last.
  it('hide the text of a task until the one before has passed, and refuse its check', async () => {
    const id = await make();
    const user = await room.server.user();
    assert.deepEqual(await seen(user, id), locked(2, 3));
    assert.deepEqual(await seen(room.instructor, id), locked());
    const { attempt_id, container_name } = await room.start(user, 'laboratory', id);
    const { tasks } = await get(user, `${id}`);
    const refused = await post(user, `${id}/check?task_id=${tasks[1].id}`);
    assert.deepEqual([refused.status, refused.code], [409, 'task_locked'], refused.text);
    assert.equal((await post(user, `${id}/check?task_id=999999`)).status, 404);
    const verdicts = (results: { title: string; passed: boolean }[]) =>
      results.map(({ title, passed }) => `${title} ${passed}`);

    // The second task is done already, but it is not checked before the first one has passed.
    await room.asStudent(container_name, 'touch ~/two');
    assert.deepEqual(verdicts((await post(user, `${id}/check`)).body.results), ['Task 1 false']);
    await room.asStudent(container_name, 'touch ~/one; rm ~/two');
    const passed = await post(user, `${id}/check?task_id=${tasks[0].id}`);
    assert.deepEqual([verdicts(passed.body.results), passed.body.score], [['Task 1 true'], 1]);
    assert.deepEqual(await seen(user, id), locked(3));
    // A passed task is not checked again: a later one may undo it.
    await room.asStudent(container_name, 'rm ~/one');
    assert.deepEqual(verdicts((await post(user, `${id}/check`)).body.results), ['Task 1 true', 'Task 2 false']);
    await room.asStudent(container_name, 'touch ~/two ~/three');
    const submitted = await post(user, `${id}/submit`);
    assert.deepEqual(verdicts(submitted.body.results), ['Task 1 true', 'Task 2 true', 'Task 3 false']);
    assert.match(submitted.body.results[2].remark, /not open/);
    assert.deepEqual(verdicts((await get(user, `attempts/${attempt_id}/results`)).results), [
      ...['Task 1 true', 'Task 2 true', 'Task 3 false'],
    ]);
    assert.deepEqual(await seen(user, id), locked(2, 3), 'a new attempt begins with the first task');
  });

  it('keep what has passed when a grading fails', async () => {
    const id = await make();
    const user = await room.server.user();
    const { attempt_id, container_name } = await room.start(user, 'laboratory', id);
    await room.asStudent(container_name, 'touch ~/one');
    await post(user, `${id}/check`);
    const { db } = room.server.application;
    // As after a crash during a check.
    const crashed = { status: 'grading', grading_beat_at: new Date(0), process_id: 2_000_000_000 } as const;
    await db.updateTable('attempts').set(crashed).where('id', '=', attempt_id).execute();
    await room.server.application.reconciler.run();
    assert.equal((await get(user, `attempts/${attempt_id}/results`)).status, 'in_progress');
    assert.deepEqual(await seen(user, id), locked(3));
  });

  itLong(
    'are tried without the checks of all tasks at the end, because a later task may undo an earlier one',
    async () => {
      const id = await room.make('laboratory', [], { is_sequential: true });
      for (const [title, script, solution_script] of [
        ['Create', check('file'), 'touch ~/file'],
        [
          'Delete',
          'if [ -e /home/student/gone ] && [ ! -e /home/student/file ]; then echo PASS; else echo FAIL; fi',
          'mv ~/file ~/gone',
        ],
      ]) {
        const task = { title, points: 1, verification_script: script, solution_script };
        await room.server.post(`/api/admin/laboratories/${id}/tasks`, room.admin.token, task);
      }
      const path = `/api/admin/laboratories/${id}`;
      assert.equal((await room.server.post(`${path}/try`, room.admin.token)).body.is_ok, true);
      await room.server.put(path, room.admin.token, { is_sequential: false });
      const tried = await room.server.post(`${path}/try`, room.admin.token);
      assert.equal(tried.body.tasks[0].problem_code, 'undone_by_later_tasks');
    },
  );
});
