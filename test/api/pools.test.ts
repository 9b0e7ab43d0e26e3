import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { draw, totalsOf } from '../../src/values/variant.ts';
import { Classroom } from '../classroom.ts';
import { engineSkip } from '../server.ts';

describe('a draw of tasks', () => {
  const tasks = [1, 2, 3, 4, 5, 6].map((id) => ({ id, points: id < 3 ? 1 : 5, pool: id < 3 ? null : 'p' }));

  it('has as many of a pool as its count, by the seed, in the order of the tasks', () => {
    const drawn = Array.from({ length: 40 }, (_, turn) => draw(`s.${turn}`, tasks, { p: 2 }).task_ids ?? []);
    for (const ids of drawn) {
      assert.deepEqual([ids.length, ids.slice(0, 2)], [4, [1, 2]]);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
    }
    assert.deepEqual([...new Set(drawn.flat())].sort(), [1, 2, 3, 4, 5, 6], 'each comes');
    assert.ok(new Set(drawn.map(String)).size > 3);
    assert.deepEqual(draw('s.7', tasks, { p: 2 }).task_ids, drawn[7]);
    for (const counts of [null, { other: 1 }, { p: 4 }, { p: 9 }])
      assert.equal(draw('s.1', tasks, counts).task_ids, undefined);
    assert.deepEqual(totalsOf(tasks, { p: 2 }), { task_count: 4, max_score: 12 });
  });
});

describe('pools of tasks', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  /** One task for all, and three in a pool of which one is drawn. */
  const make = async (kind: 'exam' | 'laboratory', more: object = {}): Promise<{ id: number; path: string }> => {
    const id = await room.make(kind, ['echo PASS'], { draw: { files: 1 }, ...more });
    const path = `/api/admin/${kind === 'exam' ? 'exams' : 'laboratories'}/${id}`;
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const task = { title: `File ${name}`, points: 3, pool: 'files', setup_script: `touch /srv/${name}` };
      const verification_script = `ls /srv | grep -xE '[abc]'; [ -e /srv/${name} ] && echo PASS`;
      const { token } = room.admin;
      const added = await room.server.post(`${path}/tasks`, token, {
        ...task,
        verification_script,
        order_index: index + 1,
      });
      assert.equal(added.status, 201, added.text);
    }
    return { id, path };
  };

  // Long: one exam for students and staff, from before the start to the grade book.
  it('give each attempt as many as are drawn: shown, prepared, graded and counted', async () => {
    const { server, admin, instructor } = room;
    const { id, path } = await make('exam');
    const seen = async (token: string) => (await server.get(`/api/exams/${id}`, token)).body;
    const student = await server.user();
    const before = await seen(student.token);
    assert.deepEqual([before.tasks.length, before.task_count, before.max_score], [1, 2, 4], 'before the draw');
    assert.ok(!('draw' in before) && !('pool' in before.tasks[0]));
    const staff = await seen(admin.token);
    assert.deepEqual([staff.tasks.length, staff.draw, staff.tasks[3].pool], [4, { files: 1 }, 'files']);
    const { attempt_id } = await room.start(student, 'exam', id);
    const during = await seen(student.token);
    assert.deepEqual([during.tasks.length, during.task_count, during.max_score], [2, 2, 4], JSON.stringify(during));
    const drawn = during.tasks[1];
    const name = drawn.title.at(-1);
    const others = staff.tasks.filter((task: { id: number }) => ![during.tasks[0].id, drawn.id].includes(task.id));
    const reported = (taskId: number) =>
      server.post(`/api/exams/${id}/tasks/${taskId}/report`, student.token, { text: 'It is wrong' });
    assert.equal((await reported(others[0].id)).status, 404, 'not of this attempt');
    const { body } = await server.post(`/api/exams/${id}/submit`, student.token);
    assert.deepEqual([body.score, body.max_score, body.passed, body.results.length], [4, 4, true, 2]);
    assert.equal(body.results[1].output, `${name}\nPASS\n`, 'its own set-up alone');
    const { state } = (await server.get(`/api/instructor/attempts/${attempt_id}`, instructor.token)).body;
    assert.deepEqual(
      state.tasks.map((task: { title: string; pool: string | null }) => [task.title, task.pool]),
      [
        ['Task 1', null],
        [`File ${name}`, 'files'],
      ],
    );
    assert.deepEqual([state.max_score, state.draw], [4, { files: 1 }]);
    const list = (await server.get('/api/admin/exams?sort=max_score', admin.token)).body;
    assert.equal(list.find((exam: { id: number }) => exam.id === id).max_score, 4);
    assert.equal((await server.put(path, admin.token, { draw: { files: 3 } })).body.max_score, 10);
    assert.equal((await server.put(path, admin.token, { draw: { files: 0 } })).status, 422);
  });

  it('open one after another where the laboratory says so', async () => {
    const { server } = room;
    const { id } = await make('laboratory', { is_sequential: true });
    const student = await server.user();
    await room.start(student, 'laboratory', id);
    const { results } = (await server.post(`/api/laboratories/${id}/check`, student.token)).body;
    assert.equal(results.length, 1);
    const second = (await server.post(`/api/laboratories/${id}/check`, student.token)).body;
    assert.deepEqual([second.results.length, second.score], [2, 4]);
    const submitted = (await server.post(`/api/laboratories/${id}/submit`, student.token)).body;
    assert.deepEqual([submitted.score, submitted.max_score, submitted.results.length], [4, 4, 2]);
  });

  it('have the same points, and are in files', async () => {
    const { server, admin } = room;
    const { id, path } = await make('exam');
    const tasks = (await server.get(path, admin.token)).body.tasks as { id: number; title: string }[];
    const refused = await server.put(`${path}/tasks/${tasks[1]?.id}`, admin.token, { points: 4 });
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'points']]);
    const more = { title: 'D', points: 2, pool: 'files', verification_script: 'true' };
    assert.equal((await server.post(`${path}/tasks`, admin.token, more)).status, 422);
    const content = new ContentService(new ContentStore(server.application.db, loadConfig({}).catalogue));
    const folder = join(await mkdtemp(join(tmpdir(), 'pools-')), 'content');
    await content.export(folder, { all: true, lessons: undefined });
    const same = await content.import(folder, { prune: false, dryRun: false });
    assert.deepEqual(
      same.filter(({ action }) => action !== 'unchanged'),
      [],
    );
    await server.put(path, admin.token, { draw: null });
    await server.put(`${path}/tasks/${tasks[1]?.id}`, admin.token, { pool: null, points: 7 });
    await content.import(folder, { prune: false, dryRun: false });
    const { draw: counts, max_score } = (await server.get(path, admin.token)).body;
    assert.deepEqual([counts, max_score, id > 0], [{ files: 1 }, 4, true]);
  });
});
