import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { assessmentPaths, makeAssessment } from '../made-assessment.ts';
import { codedItems, TestServer, type TestUser } from '../server.ts';
import { choices, tasksOfKinds } from '../task-kinds.ts';

const secrets = /is_correct|accepted|tolerance|"42"/;

describe('the kinds of tasks', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start();
    [admin, student] = [await server.user('admin'), await server.user()];
  });
  after(() => server?.[Symbol.asyncDispose]());

  const make = async (kind: 'exam' | 'laboratory') => {
    const id = await makeAssessment(server, admin, kind, []);
    const path = `/api/admin/${assessmentPaths[kind]}/${id}/tasks`;
    for (const task of Object.values(tasksOfKinds)) {
      const { status, text } = await server.post(path, admin.token, task);
      assert.equal(status, 201, text);
    }
    return { id, path, shown: `/api/${assessmentPaths[kind]}/${id}` };
  };

  for (const kind of ['exam', 'laboratory'] as const)
    it(`have their fields in the tasks of ${kind}s, without the right answers for students`, async () => {
      const { path, shown } = await make(kind);
      const [choice, answer, file, essay] = (await server.get(path, admin.token)).body;
      assert.deepEqual(
        choice.choices.map(({ text, is_correct }: { text: string; is_correct: boolean }) => [text, is_correct]),
        choices.map((one) => [one.text, 'is_correct' in one]),
      );
      assert.deepEqual([answer.accepted, answer.tolerance, answer.unit], [['42'], 0.5, 'GiB']);
      assert.deepEqual(
        [file.path, essay.kind, essay.verification_script, 'choices' in essay],
        [null, 'essay', '', false],
      );
      const seen = await server.get(shown, student.token);
      assert.doesNotMatch(seen.text, secrets);
      const [ofStudent, number] = seen.body.tasks;
      assert.deepEqual([ofStudent.is_multiple, ofStudent.choices.length], [true, 4]);
      assert.deepEqual([number.kind, number.unit, number.is_numeric], ['answer', 'GiB', true]);
      assert.doesNotMatch((await server.get(`/api/${assessmentPaths[kind]}`, student.token)).text, secrets);
    });

  it('refuse what they cannot be graded by, and ignore fields of other kinds', async () => {
    const { path } = await make('exam');
    const refused = async (task: object) => {
      const { status, body, text } = await server.post(path, admin.token, { title: 'T', points: 1, ...task });
      assert.equal(status, 422, text);
      return body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type].join(' '));
    };
    assert.deepEqual(await refused({}), ['body.verification_script missing']);
    assert.deepEqual(await refused({ kind: 'choice' }), ['body.choices value_error']);
    assert.deepEqual(await refused({ kind: 'answer', accepted: [] }), ['body.accepted value_error']);
    assert.deepEqual(await refused({ kind: 'file', path: 'relative' }), ['body.path string_pattern_mismatch']);
    assert.deepEqual(await refused({ kind: 'poem' }), ['body.kind enum']);
    const made = await server.post(path, admin.token, { title: 'T', points: 1, kind: 'essay', accepted: ['x'] });
    assert.deepEqual([made.status, 'accepted' in made.body], [201, false], made.text);
  });

  it('change, and keep what a change does not name', async () => {
    const { path } = await make('exam');
    const [{ id, choices: before }] = (await server.get(path, admin.token)).body;
    const renamed = await server.put(`${path}/${id}`, admin.token, { title: 'Renamed' });
    assert.deepEqual([renamed.body.title, renamed.body.choices], ['Renamed', before]);
    const one = before.map((choice: object, index: number) => ({ ...choice, is_correct: index === 1 }));
    const changed = await server.put(`${path}/${id}`, admin.token, { choices: one, is_multiple: false });
    assert.deepEqual([changed.status, changed.body.choices], [200, one], changed.text);
    assert.equal((await server.put(`${path}/${id}`, admin.token, { is_multiple: true, choices: [] })).status, 422);
    const answer = await server.put(`${path}/${id}`, admin.token, { kind: 'answer', accepted: ['yes'] });
    assert.deepEqual([answer.body.kind, answer.body.accepted, 'choices' in answer.body], ['answer', ['yes'], false]);
  });

  it('are copied, exported and imported as they are', async () => {
    const { id } = await make('exam');
    const tasksOf = async (exam: number) => {
      const { tasks } = (await server.get(`/api/admin/exams/${exam}`, admin.token)).body;
      return tasks.map(({ id: _id, ...task }: { id: number }) => task);
    };
    const before = await tasksOf(id);
    const copy = await server.post(`/api/admin/exams/${id}/copy`, admin.token, {});
    assert.deepEqual(await tasksOf(copy.body.id), before);

    const { db } = server.application;
    const content = new ContentService(new ContentStore(db, loadConfig({}).catalogue));
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'task-kinds-'));
    const folder = join(temporary.path, 'content');
    await content.export(folder, { all: true, lessons: undefined });
    const { slug } = (await server.get(`/api/admin/exams/${id}`, admin.token)).body;
    const file = await readFile(join(folder, 'exams', slug, 'exam.yaml'), 'utf8');
    assert.match(file, /kind: essay/);
    assert.doesNotMatch(file, /verify|is_case_sensitive/, 'no defaults and no script');
    const unchanged = await content.import(folder, { prune: false, dryRun: false });
    assert.deepEqual(
      unchanged.filter(({ action }) => action !== 'unchanged'),
      [],
    );
    await db.updateTable('assessment_tasks').set({ kind: 'essay', kind_fields: {} }).execute();
    await content.import(folder, { prune: false, dryRun: false });
    assert.deepEqual(await tasksOf(id), before);
  });

  it('are tried without a machine: right answers give all points, wrong ones none', async () => {
    const { id, path } = await make('exam');
    const tried = await server.post(`/api/admin/exams/${id}/try`, admin.token, {});
    assert.equal(tried.body.is_ok, true, tried.text);
    assert.deepEqual(
      tried.body.tasks.map((task: { after: { passed: boolean } | null }) => task.after?.passed),
      [...[true, true, undefined, undefined]],
    );
    const [, { id: taskId }] = (await server.get(path, admin.token)).body;
    const blank = { is_numeric: false, accepted: ['42', ' '] };
    const wrong = await server.post(`${path}/${taskId}/try`, admin.token, blank);
    assert.deepEqual([wrong.status, codedItems(wrong)[0]?.code], [422, 'accepted_missing'], wrong.text);
    const none = await server.post(`/api/admin/exams/${id}/try`, admin.token, {
      tasks: [{ id: taskId, accepted: [] }],
    });
    assert.equal(none.status, 422, none.text);
    assert.equal((await server.post(`/api/admin/exams/${id}/publish`, admin.token, {})).status, 200);
  });
});
