import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { verifyEvidence } from '../../src/commands/verify-evidence.ts';
import { Classroom } from '../classroom.ts';
import { downloadEvidence, evidenceOf, settledEvidence } from '../evidence-archive.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { SmallDisk } from '../reliability/small-disk.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import type { TestSettings } from '../settings.ts';
import { tasksOfKinds } from '../task-kinds.ts';
import { until } from '../until.ts';

const { choice, answer, file, essay } = tasksOfKinds;

/** A server on which students answer. */
class School implements AsyncDisposable {
  readonly server: TestServer;
  readonly admin: TestUser;
  private constructor(server: TestServer, admin: TestUser) {
    this.server = server;
    this.admin = admin;
  }

  static async open(settings: TestSettings = {}): Promise<School> {
    const server = await TestServer.start(settings);
    return new School(server, await server.user('admin'));
  }

  async make(tasks: readonly object[] = [choice, answer, file, essay]) {
    const id = await makeAssessment(this.server, this.admin, 'exam', [], { passing_score: 5 });
    const ids: number[] = [];
    for (const task of tasks)
      ids.push((await this.server.post(`/api/admin/exams/${id}/tasks`, this.admin.token, task)).body.id);
    return { id, tasks: ids };
  }

  /** An attempt whose last task is answered with a file. */
  async begin(id: number, fileTask: number | undefined, content: Buffer, student?: TestUser) {
    const taker = student ?? (await this.server.user());
    const { status, body, text } = await this.server.post(`/api/exams/${id}/start`, taker.token);
    assert.equal(status, 201, text);
    const attempt = body.attempt_id as number;
    const answers = `/api/exams/attempts/${attempt}/answers`;
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(content)]), 'report of mine.txt');
    const sent = await this.server.request('PUT', `${answers}/${fileTask}`, { token: taker.token, body: form });
    assert.equal(sent.status, 200, sent.text);
    return { student: taker, attempt, answers };
  }

  async submit(id: number, { token }: TestUser) {
    const { status, body, text } = await this.server.post(`/api/exams/${id}/submit`, token);
    assert.equal(status, 200, text);
    return body;
  }

  /** @returns the attempt, which is submitted */
  async answered(content: Buffer, student?: TestUser, made?: { id: number; tasks: number[] }) {
    const { id, tasks } = made ?? (await this.make([file]));
    const begun = await this.begin(id, tasks.at(-1), content, student);
    await this.submit(id, begun.student);
    return begun;
  }

  summary = (attempt: number) => evidenceOf(this.server, this.admin, attempt);
  collect = () => this.server.application.evidence.collect();
  [Symbol.asyncDispose] = () => this.server[Symbol.asyncDispose]();
}

describeLong('the evidence of attempts without a machine', { timeout: 600_000 }, () => {
  let school: School;
  let folder: string;
  before(async () => {
    school = await School.open();
    folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  });
  after(async () => {
    await school?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  // Long: an answer of each kind, and the whole way to the check of the archive.
  it('is what was answered, with verdicts, events and revision, signed', async () => {
    const { server, admin } = school;
    const { id, tasks } = await school.make();
    // More than one part.
    const content = Buffer.from('0123456789abcdef'.repeat(20_000));
    const { student, attempt, answers } = await school.begin(id, tasks[2], content);
    const { choices } = (await server.get(answers, student.token)).body[0];
    const chosen = [choices[0].id];
    for (const [index, body] of [
      [0, { choice_ids: chosen }] as const,
      [1, { text: '41' }] as const,
      [3, { text: '# Why' }] as const,
    ])
      assert.equal((await server.put(`${answers}/${tasks[index]}`, student.token, body)).status, 200);
    assert.equal((await school.summary(attempt)).status, 'none');
    await school.submit(id, student);
    assert.equal((await school.summary(attempt)).status, 'keeping', 'the submission does not wait for it');
    await school.collect();
    const summary = await school.summary(attempt);
    assert.deepEqual([summary.status, summary.notes], ['kept', []]);
    const { file: archive, files } = await downloadEvidence(server, admin, attempt, join(folder, `${attempt}.tar`));
    const { problems, manifest } = await verifyEvidence(archive, summary.public_key);
    assert.deepEqual([problems, manifest?.missing], [[], []]);
    const read = (name: string) => JSON.parse(String(files.get(name)));
    const saved = read('answers.json').map((one: Record<string, unknown>) => [
      ...[one['task_id'], one['choice_ids'], one['text'], one['file_name'], one['file_bytes']],
    ]);
    assert.deepEqual(saved, [
      [tasks[0], chosen, null, null, null],
      [tasks[1], null, '41', null, null],
      [tasks[2], null, null, 'report of mine.txt', content.length],
      [tasks[3], null, '# Why', null, null],
    ]);
    assert.ok(files.get(`answer-${tasks[2]}`)?.equals(content));
    assert.equal(read('attempt.json').revision_content.tasks.length, 4);
    const verdicts = read('results.json').map((one: Record<string, unknown>) => [
      one['task_id'],
      one['passed'],
      one['is_awaiting_grading'],
    ]);
    assert.deepEqual(verdicts.slice(1), [
      [tasks[1], false, false],
      [tasks[2], false, true],
      [tasks[3], false, true],
    ]);
    assert.ok(read('events.json').some(({ type }: { type: string }) => type === 'exam_submit'));
    assert.equal(files.has('layer.cpio.gz') || files.has('paths.txt.gz'), false);
  });

  it('is of the last end of a reopened attempt, and of one that was abandoned', async () => {
    const { server, admin } = school;
    const made = await school.make([file]);
    const { student, attempt, answers } = await school.answered(Buffer.from('first'), undefined, made);
    await school.collect();
    const reopened = await server.post(`/api/instructor/attempts/${attempt}/reopen`, admin.token, { minutes: 5 });
    assert.equal(reopened.status, 200, reopened.text);
    const form = new FormData();
    form.append('file', new Blob(['second']), 'second.txt');
    await server.request('PUT', `${answers}/${made.tasks[0]}`, { token: student.token, body: form });
    assert.equal((await server.post(`/api/exams/attempts/${attempt}/abandon`, student.token)).status, 200);
    await school.collect();
    assert.equal((await school.summary(attempt)).status, 'kept');
    const { files } = await downloadEvidence(server, admin, attempt, join(folder, `${attempt}.tar`));
    assert.equal(String(files.get(`answer-${made.tasks[0]}`)), 'second');
    const { evidence } = server.application;
    assert.equal((await evidence.sweep(Date.now() + 7_200_000)).files, 0, 'the earlier files went at once');
  });

  it('is kept by another process where one has died', async () => {
    const { server } = school;
    const { attempt } = await school.answered(Buffer.from('x'));
    await server.application.db
      .updateTable('attempt_evidence')
      .set({ process_id: 1_000_000 })
      .where('attempt_id', '=', attempt)
      .execute();
    await Promise.all([school.collect(), school.collect()]);
    assert.equal((await school.summary(attempt)).status, 'kept');
  });

  it('is not kept where that is switched off', async () => {
    await using place = await School.open({ EVIDENCE_DAYS: '0' });
    const { attempt } = await place.answered(Buffer.from('x'));
    await place.collect();
    assert.equal((await place.summary(attempt)).status, 'none');
  });
});

describeLong('evidence beyond the room for it', { timeout: 600_000 }, () => {
  it('goes, the oldest first, with a notice to administrators and the instructors of the session', async () => {
    await using place = await School.open({ EVIDENCE_MB: '1' });
    const { server, admin } = place;
    const [teacher, other, student] = [
      await server.user('instructor'),
      await server.user('instructor'),
      await server.user(),
    ];
    const made = await place.make([file]);
    const class_id = await schoolClass(server, teacher, [student]);
    const session = await openSession(server, teacher, { class_id, exam_id: made.id, title: 'The session' });
    const large = Buffer.alloc(700_000, 'x');
    const { attempt: first } = await place.answered(large, student, made);
    await place.collect();
    const { attempt: second } = await place.answered(Buffer.from('small'));
    await place.collect();
    const noticesOf = async ({ token }: TestUser) => {
      const { body } = await server.get('/api/notifications', token);
      return body
        .filter(({ kind }: { kind: string }) => kind === 'evidence')
        .map(({ session_id, title }: { session_id: number | null; title: string }) => [session_id, title]);
    };
    assert.deepEqual(await noticesOf(admin), []);
    const { attempt: third } = await place.answered(large);
    await place.collect();
    const statuses = await Promise.all([first, second, third].map(async (id) => (await place.summary(id)).status));
    assert.deepEqual(statuses, ['none', 'kept', 'kept']);
    assert.deepEqual(await noticesOf(admin), [[null, '']]);
    assert.deepEqual(await noticesOf(teacher), [[session.id, session.title]]);
    assert.deepEqual([await noticesOf(other), await noticesOf(student)], [[], []]);
    // What was answered and graded is no part of it.
    assert.equal((await server.get(`/api/exams/attempts/${first}/results`, admin.token)).status, 200);
  });

  it('fails on a full disk, while attempts end and are graded as ever', async (context) => {
    const disk = await SmallDisk.mount(8);
    if ('reason' in disk) return context.skip(disk.reason);
    await using _disk = disk;
    await using place = await School.open({ DATA_DIR: disk.folder });
    await disk.fill();
    const { attempt, student, answers } = await place.answered(Buffer.alloc(100_000));
    await place.collect();
    const { status, notes, bytes } = await place.summary(attempt);
    assert.deepEqual([status, notes, bytes], ['failed', ['storage_failed'], 0]);
    const [{ task_id }] = (await place.server.get(answers, student.token)).body;
    const kept = await place.server.get(`${answers}/${task_id}/file`, place.admin.token);
    assert.equal(kept.bytes.length, 100_000, 'the answer is in the database');
    await disk.free();
    const { attempt: next } = await place.answered(Buffer.alloc(100_000));
    await place.collect();
    assert.equal((await place.summary(next)).status, 'kept');
    assert.deepEqual(await place.server.application.evidence.sweep(Date.now() + 7_200_000), { expired: 0, files: 0 });
  });

  it('fails on a full disk, and the machine goes as ever', { skip: engineSkip }, async (context) => {
    const disk = await SmallDisk.mount(8);
    if ('reason' in disk) return context.skip(disk.reason);
    await using _disk = disk;
    await using room = await Classroom.open({ DATA_DIR: disk.folder });
    const { server, admin } = room;
    const id = await room.make('exam', ['echo PASS']);
    await disk.fill();
    const end = async () => {
      const student = await server.user();
      const { attempt_id } = await room.start(student, 'exam', id);
      const { status, body } = await server.post(`/api/exams/${id}/submit`, student.token);
      assert.deepEqual([status, body.status, body.score], [200, 'finished', 1]);
      const rows = server.application.db.selectFrom('containers').selectAll();
      await until(async () => (await rows.execute()).length === 0, 'the removal');
      return await settledEvidence(server, admin, attempt_id);
    };
    const { status, notes } = await end();
    assert.deepEqual([status, notes], ['failed', ['storage_failed']]);
    await disk.free();
    assert.deepEqual((await end()).notes, []);
  });
});
