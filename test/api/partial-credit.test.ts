import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { Classroom } from '../classroom.ts';
import { engineSkip } from '../server.ts';

describe('the partial credit of a task', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  // Long: one task on its way from the editor to the results and the files.
  it('is seen by everybody, changed by administrators, and kept in revisions, results and files', async () => {
    const { server, admin } = room;
    const id = await room.make('exam', ['echo PASS']);
    const task = async (token: string) => (await server.get(`/api/exams/${id}`, token)).body.tasks[0];
    const student = await server.user();
    assert.equal((await task(student.token)).has_partial_credit, false, 'the default');
    const { id: taskId } = await task(student.token);
    const path = `/api/admin/exams/${id}/tasks/${taskId}`;
    assert.equal((await server.put(path, admin.token, { has_partial_credit: 'some' })).status, 422);
    const changed = await server.put(path, admin.token, { has_partial_credit: true });
    assert.deepEqual([changed.status, changed.body.has_partial_credit], [200, true], changed.text);
    for (const { token } of [student, room.instructor, admin])
      assert.equal((await task(token)).has_partial_credit, true);

    const { attempt_id } = await room.start(student, 'exam', id);
    assert.equal((await server.put(path, admin.token, { has_partial_credit: false })).status, 200);
    assert.equal((await task(student.token)).has_partial_credit, true, 'as it was at the start');
    const submitted = await server.post(`/api/exams/${id}/submit`, student.token);
    assert.equal(submitted.body.results[0].has_partial_credit, true, submitted.text);
    const { results } = (await server.get(`/api/exams/attempts/${attempt_id}/results`, student.token)).body;
    assert.equal(results[0].has_partial_credit, true);

    await server.put(path, admin.token, { has_partial_credit: true });
    const { db } = server.application;
    const content = new ContentService(new ContentStore(db, loadConfig({}).catalogue));
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'partial-credit-'));
    const folder = join(temporary.path, 'content');
    await content.export(folder, { all: true, lessons: undefined });
    const { slug } = (await server.get(`/api/admin/exams/${id}`, admin.token)).body;
    assert.match(await readFile(join(folder, 'exams', slug, 'exam.yaml'), 'utf8'), /has_partial_credit: true/);
    await db.updateTable('assessment_tasks').set({ has_partial_credit: false }).execute();
    await content.import(folder, { prune: false, dryRun: false });
    assert.equal((await task(admin.token)).has_partial_credit, true, 'imported');
  });
});
