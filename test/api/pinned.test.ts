import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { currentState, deleteUnusedStates, recordState } from '../../src/database/catalogue/revisions.ts';
import type { Database } from '../../src/database/connection/connect.ts';
import type { AttemptKind } from '../../src/database/tables.ts';
import { RevisionStore } from '../../src/features/attempts/revision-store.ts';
import { StartStore } from '../../src/features/attempts/starts/store.ts';
import { lockCapacity } from '../../src/features/capacity/capacity-store.ts';
import type { Reserved } from '../../src/features/capacity/reservation-store.ts';
import { SetupStore } from '../../src/features/capacity/setup-store.ts';
import { Classroom } from '../classroom.ts';
import { isOnCluster } from '../cluster.ts';
import { assessmentPaths, warmContainers } from '../made-assessment.ts';
import { describeLong, itLong, rounds } from '../rounds.ts';
import { type Answer, engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

type ListedRevision = { revision: number; is_current: boolean; attempts: number };

/** Attempts are shown and graded by what they began with. */
describe('running attempts', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let db: Database;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '0' });
    db = room.server.application.db;
  });
  after(() => room[Symbol.asyncDispose]());

  const change = async (path: string, fields: object): Promise<Answer['body']> => {
    const changed = await room.server.put(`/api/admin/${path}`, room.admin.token, fields);
    assert.equal(changed.status, 200, changed.text);
    return changed.body;
  };
  const tasksOf = async (kind: AttemptKind, id: number): Promise<{ id: number }[]> =>
    (await room.server.get(`/api/admin/${assessmentPaths[kind]}/${id}/tasks`, room.admin.token)).body;
  const runningOf = async (id: number, kind: AttemptKind = 'exam') => {
    const path = `/api/admin/${assessmentPaths[kind]}/${id}/revisions?is_running=true`;
    const { body } = await room.server.get(path, room.admin.token);
    return (body as ListedRevision[]).map(({ is_current, attempts }) => [is_current, attempts]);
  };
  const upload = async (id: number, path: string, content: string) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = { token: room.admin.token, headers, body: Buffer.from(content) };
    const uploaded = await room.server.request('PUT', `/api/admin/exams/${id}/files?path=${path}`, sent);
    assert.ok(uploaded.status === 201 || uploaded.status === 200, uploaded.text);
  };

  // Long: one exam, changed in every way during an attempt, and seen by everybody afterwards.
  it('are shown and graded by the exam as it was at their start, and later ones by the changed exam', async () => {
    const { server, admin, instructor } = room;
    const [student, later] = [await server.user(), await server.user()];
    const id = await room.make('exam', ['echo PASS', 'echo PASS'], { conclusion: 'Before' });
    const { attempt_id } = await room.start(student, 'exam', id);
    assert.deepEqual(await runningOf(id), [[true, 1]]);
    const [first, second] = await tasksOf('exam', id);
    await change(`exams/${id}`, { title: 'Changed', passing_score: 50, conclusion: 'After' });
    const script = { title: 'Changed task', points: 50, verification_script: 'echo FAIL' };
    await change(`exams/${id}/tasks/${first?.id}`, script);
    assert.equal((await server.delete(`/api/admin/exams/${id}/tasks/${second?.id}`, admin.token)).status, 200);
    const added = { ...script, title: 'Added', points: 5 };
    assert.equal((await server.post(`/api/admin/exams/${id}/tasks`, admin.token, added)).status, 201);
    assert.deepEqual(await runningOf(id), [[false, 1]]);

    const shownTo = async (user: TestUser) => {
      const { body } = await server.get(`/api/exams/${id}`, user.token);
      assert.ok(!JSON.stringify(body).includes('echo '), 'no scripts');
      return [body.title, body.max_score, body.tasks.map(({ title }: { title: string }) => title)];
    };
    assert.deepEqual(await shownTo(student), ['Trial', 3, ['Task 1', 'Task 2']]);
    assert.deepEqual(await shownTo(later), ['Changed', 55, ['Changed task', 'Added']]);
    await room.start(later, 'exam', id);
    assert.deepEqual(await runningOf(id), [
      [true, 1],
      [false, 1],
    ]);
    const submit = async (user: TestUser) => {
      const { body } = await server.post(`/api/exams/${id}/submit`, user.token);
      return [body.score, body.max_score, body.passing_score, body.passed, body.conclusion, body.results.length];
    };
    assert.deepEqual(await submit(student), [3, 3, 1, true, 'Before', 2]);
    assert.deepEqual(await submit(later), [0, 55, 50, false, 'After', 2]);
    assert.deepEqual(await shownTo(student), ['Changed', 55, ['Changed task', 'Added']]);
    assert.deepEqual(await runningOf(id), []);

    const { body: seen } = await server.get(`/api/instructor/attempts/${attempt_id}`, instructor.token);
    assert.deepEqual([seen.state.title, seen.state.passing_score, seen.state.max_score], ['Trial', 1, 3]);
    const checks = seen.state.tasks.map((task: { verification_script: string }) => task.verification_script);
    assert.deepEqual(checks, ['echo PASS', 'echo PASS']);
    if (!isOnCluster) assert.match(seen.image_id, /^sha256:[0-9a-f]{64}$/);
    const { body: book } = await server.get(`/api/instructor/exams/${id}/grade-book`, instructor.token);
    const columns = book.tasks.map((task: { title: string; is_deleted: boolean }) => [task.title, task.is_deleted]);
    assert.deepEqual(columns, [
      ['Changed task', false],
      ['Added', false],
      ['Task 2', true],
    ]);
    const row = book.students.find(({ user_id }: { user_id: number }) => user_id === student.id);
    const points = row.results.map((result: { points_earned: number } | null) => result?.points_earned ?? null);
    assert.deepEqual(points, [1, null, 2]);
  });

  it('of laboratories open their tasks in the order of their start', async () => {
    const student = await room.server.user();
    const id = await room.make('laboratory', ['echo PASS', 'echo FAIL'], { is_sequential: true });
    const [first, second] = await tasksOf('laboratory', id);
    await room.start(student, 'laboratory', id);
    await change(`laboratories/${id}/tasks/order`, { task_ids: [second?.id, first?.id] });
    await change(`laboratories/${id}`, { is_sequential: false });
    assert.deepEqual(await runningOf(id, 'laboratory'), [[false, 1]]);
    const locked = async () => {
      const { body } = await room.server.get(`/api/laboratories/${id}`, student.token);
      return body.tasks.map((task: { id: number; is_locked?: boolean }) => [task.id, task.is_locked ?? false]);
    };
    assert.deepEqual(await locked(), [
      [first?.id, false],
      [second?.id, true],
    ]);
    const checkOf = async (task: number | undefined) =>
      await room.server.post(`/api/laboratories/${id}/check?task_id=${task}`, student.token);
    assert.equal((await checkOf(second?.id)).code, 'task_locked');
    assert.equal((await checkOf(first?.id)).body.score, 1);
    assert.deepEqual((await locked()).at(-1), [second?.id, false]);
    await room.server.delete(`/api/admin/laboratories/${id}/tasks/${first?.id}`, room.admin.token);
    const { body } = await room.server.post(`/api/laboratories/${id}/submit`, student.token);
    assert.deepEqual([body.score, body.max_score, body.results.length], [1, 3, 2]);
  });

  /** An attempt in the database as it is after its start. */
  const insertAttempt = async (examId: number, revision_id: number | null): Promise<number> => {
    const user = await room.server.user();
    const values = {
      kind: 'exam',
      assessment_id: examId,
      user_id: user.id,
      title: 'Trial',
      status: 'in_progress',
    } as const;
    const row = { ...values, container_name: `made-${user.id}`, max_score: 1, passing_score: 1, revision_id };
    const expires_at = new Date(Date.now() + 600_000);
    const inserted = db.insertInto('attempts').values({ ...row, expires_at });
    return (await inserted.returning('id').executeTakeFirstOrThrow()).id;
  };

  it('keep the set-up and the files of their start for containers that replace lost ones', async () => {
    const id = await room.make('exam', ['echo PASS'], { setup_script: 'echo first' });
    await upload(id, '/srv/file', 'as it was');
    const { id: state } = await recordState(db, 'exam', id);
    const attempt_id = await insertAttempt(id, state);
    const { key } = await db
      .selectFrom('assessments')
      .where('kind', '=', 'exam')
      .select(sql<string>`setup_key_of(kind, id)`.as('key'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await change(`exams/${id}`, { setup_script: 'echo second' });
    await upload(id, '/srv/file', 'as it is now');
    await sql`update setup_contents set created_at = now() - interval '1 day'`.execute(db);
    await sql`update assessment_revisions set created_at = now() - interval '1 day'`.execute(db);
    await deleteUnusedStates(db);
    const container = { attempt_id, status: 'creating', setup_key: null } as Parameters<SetupStore['of']>[0];
    const setup = await new SetupStore(db).of(container);
    assert.deepEqual([setup?.key, setup?.scripts], [key, ['echo first']]);
    assert.equal(await text(Readable.from(setup?.files[0]?.read() ?? [])), 'as it was');
  });

  it('of an older release get the state of the exam at the first round of the reconciler', async () => {
    const id = await room.make('exam', ['echo PASS']);
    const attempt = await insertAttempt(id, null);
    const states = new RevisionStore(db);
    assert.ok((await states.pinAll()) >= 1);
    const pinned = await db
      .selectFrom('attempts')
      .select(['revision_id', 'variant'])
      .where('id', '=', attempt)
      .executeTakeFirstOrThrow();
    assert.equal((await states.of(pinned))?.content.tasks[0]?.verification_script, 'echo PASS');
    assert.equal(await states.pinAll(), 0);
  });

  it('that were queued begin with the exam as it is when their container is reserved', async () => {
    const id = await room.make('exam', ['echo PASS'], { passing_score: 0 });
    const student = await room.server.user();
    const images: string[] = [];
    let hasRoom = false;
    const capacity = {
      lock: async () => undefined,
      place: async (_trx: unknown, { image }: { image: string }) => {
        images.push(image);
        return hasRoom ? ({ row: { image }, yielded: [] } as unknown as Reserved) : undefined;
      },
    };
    const starts = new StartStore({
      ...{ db, processId: 1, sessions: { admit: async () => null }, capacity },
      limits: { laboratoriesPerUser: 1, maxQueued: 10 },
    });
    const assessment = { kind: 'exam', id, title: 'Trial' } as const;
    const options = { entry: { address: '127.0.0.1' }, mayQueue: true, isNewAllowed: true };
    await db.transaction().execute(async (trx) => {
      // The queue of the service waits meanwhile.
      await lockCapacity(trx);
      const { attempt, placed } = await starts.reserve(assessment, student.id, options);
      assert.deepEqual([placed, images], [undefined, ['platform-exam-linux-basics']]);
      await change(`exams/${id}`, { container_image: 'another', passing_score: 1, time_limit_minutes: 7 });
      hasRoom = true;
      const begun = await starts.next(true);
      assert.deepEqual(
        [begun?.attempt.id, begun?.placed?.row.image, begun?.state.time_limit_minutes],
        [attempt.id, 'another', 7],
      );
      assert.equal(begun?.attempt.passing_score, 1);
      assert.notEqual(begun?.attempt.revision_id, attempt.revision_id);
      assert.ok(await starts.drop(attempt.id));
    });
  });

  const current = async (id: number) => await db.transaction().execute((trx) => currentState(trx, 'exam', id));

  it('share one state until something changes, also when they start at once', async () => {
    const id = await room.make('exam', ['echo PASS', 'echo PASS']);
    const record = async () => (await recordState(db, 'exam', id)).id;
    const [one, ...others] = await Promise.all(Array.from({ length: 10 }, record));
    assert.deepEqual(new Set(others), new Set([one]));
    const [first, second] = await tasksOf('exam', id);
    const order = (...ids: unknown[]) => change(`exams/${id}/tasks/order`, { task_ids: ids });
    const changes = [
      () => change(`exams/${id}`, { introduction: 'New' }),
      () => change(`exams/${id}/tasks/${first?.id}`, { points: 7 }),
      () => upload(id, '/srv/new', 'new'),
      () => upload(id, '/srv/new', 'changed'),
      () => order(second?.id, first?.id),
    ];
    const known = new Set([one]);
    for (const [index, act] of changes.entries()) {
      await act();
      assert.equal(await current(id), undefined, `change ${index}`);
      known.add(await record());
      assert.equal(known.size, index + 2);
    }
    await order(first?.id, second?.id);
    const last = await record();
    assert.ok(!known.has(last), 'also one that is as an earlier one');
    await change(`exams/${id}`, { is_active: false, introduction: 'New' });
    assert.equal(await record(), last, 'nothing that concerns an attempt has changed');
  });

  it('never start with a state of before a change that was saved earlier', async () => {
    const id = await room.make('exam', ['echo PASS']);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await change(`exams/${id}`, { introduction: `Version ${index}` });
        const state = await recordState(db, 'exam', id);
        return state;
      }),
    );
    const { id: revision_id } = await recordState(db, 'exam', id);
    const shown = (await new RevisionStore(db).of({ revision_id, variant: null }))?.content.introduction;
    const { body } = await room.server.get(`/api/admin/exams/${id}`, room.admin.token);
    assert.equal(shown, body.introduction);
  });

  // Long: one exam, its numbers in every answer, after each kind of change, for each kind of caller.
  it('have the number of their revision, and staff read each', async () => {
    const { server, admin, instructor } = room;
    const id = await room.make('exam', ['echo PASS']);
    const made = (await server.get(`/api/exams/${id}`, admin.token)).body.revision;
    const revisionNow = async () => (await server.get(`/api/admin/exams/${id}`, admin.token)).body.revision - made;
    const [task] = await tasksOf('exam', id);
    const changed = await change(`exams/${id}`, { introduction: 'Second' });
    assert.deepEqual([changed.revision - made, await revisionNow()], [1, 1]);
    await change(`exams/${id}/tasks/${task?.id}`, { title: 'Renamed', points: 3 });
    assert.equal(await revisionNow(), 2);
    await change(`exams/${id}/tasks/${task?.id}`, { solution_script: 'echo never shown' });
    await change(`exams/${id}`, { order_index: 77, introduction: 'Second' });
    assert.equal(await revisionNow(), 2, 'nothing that is shown or graded has changed');
    await upload(id, '/srv/file', 'content');
    assert.equal(await revisionNow(), 3);

    const student = await server.user();
    const { attempt_id } = await room.start(student, 'exam', id);
    await change(`exams/${id}/tasks/${task?.id}`, { verification_script: 'echo FAIL' });
    const shownTo = async ({ token }: TestUser) => (await server.get(`/api/exams/${id}`, token)).body.revision - made;
    assert.deepEqual([await shownTo(student), await shownTo(instructor)], [3, 4]);
    const submitted = await server.post(`/api/exams/${id}/submit`, student.token);
    assert.deepEqual([submitted.body.passed, submitted.body.revision - made], [true, 3]);
    const { body: seen } = await server.get(`/api/instructor/attempts/${attempt_id}`, instructor.token);
    assert.deepEqual([seen.revision, seen.state.revision], [made + 3, made + 3]);

    const path = `/api/exams/${id}/revisions`;
    const list = await server.get(path, instructor.token);
    assert.deepEqual(
      list.body.map(({ revision, is_current, attempts }: ListedRevision) => [revision - made, is_current, attempts]),
      [
        [4, true, 0],
        [3, false, 0],
      ],
    );
    const checksOf = async (revision: number) =>
      (await server.get(`${path}/${made + revision}`, instructor.token)).body.tasks[0].verification_script;
    assert.deepEqual([await checksOf(4), await checksOf(3)], ['echo FAIL', 'echo PASS']);
    for (const revision of [made + 5, made + 2])
      assert.equal((await server.get(`${path}/${revision}`, instructor.token)).status, 404);
    assert.equal((await server.get(path, student.token)).status, 403);
    assert.equal((await server.get(`${path}/0`, instructor.token)).status, 422);
    const copy = await server.post(`/api/admin/exams/${id}/copy`, admin.token, {});
    assert.equal(copy.body.revision, 1, copy.text);
  });

  const leastEdits = rounds(200, 1000);
  // Long: attempts start, are changed under and end, all at once; what each was shown is compared with what graded it.
  itLong(`are graded by their own revision while the exam is edited ${leastEdits} times`, async () => {
    const { server, admin } = room;
    const id = await room.make('exam', ['echo 0; echo PASS'], { passing_score: 1 });
    const [task] = await tasksOf('exam', id);
    const students = await Promise.all(Array.from({ length: rounds(15, 50) }, () => server.user()));
    let edits = 0;
    let isOver = false;
    const edit = async (): Promise<void> => {
      while (edits < leastEdits || !isOver) {
        edits += 1;
        const script = `echo ${edits}; echo ${edits % 2 === 0 ? 'PASS' : 'FAIL'}`;
        await change(`exams/${id}/tasks/${task?.id}`, { title: `Edit ${edits}`, verification_script: script });
      }
    };
    const take = async (student: TestUser): Promise<void> => {
      const { attempt_id } = await room.start(student, 'exam', id);
      const shown = (await server.get(`/api/exams/${id}`, student.token)).body;
      const { body, text } = await server.post(`/api/exams/${id}/submit`, student.token);
      const [result] = body.results;
      const number = /^Edit (\d+)$/.exec(result.title)?.[1] ?? '0';
      assert.equal(result.output.split('\n')[0], number, text);
      assert.deepEqual([shown.revision, shown.tasks[0].title], [body.revision, result.title]);
      const { state } = (await server.get(`/api/instructor/attempts/${attempt_id}`, admin.token)).body;
      assert.deepEqual([state.revision, state.tasks[0].title], [body.revision, result.title]);
    };
    const takeAll = async (): Promise<void> => {
      // As many at once as one machine starts in a few seconds.
      for (let first = 0; first < students.length; first += 5)
        await Promise.all(students.slice(first, first + 5).map(take));
    };
    const taking = takeAll().finally(() => {
      isOver = true;
    });
    await Promise.all([edit(), taking]);
    const { body } = await server.get(`/api/admin/exams/${id}`, admin.token);
    assert.equal(body.tasks[0].title, `Edit ${edits}`);
  });

  it('need an assessment that exists', async () => {
    await assert.rejects(recordState(db, 'exam', 2_000_000_000), { code: 'not_found' });
    const { status } = await room.server.get('/api/admin/exams/2000000000/revisions', room.admin.token);
    assert.equal(status, 404);
  });

  it('are not deleted with unused states', async () => {
    const id = await room.make('exam', ['echo PASS']);
    const used = await recordState(db, 'exam', id);
    await insertAttempt(id, used.id);
    await change(`exams/${id}`, { introduction: 'Unused' });
    const unused = await recordState(db, 'exam', id);
    await change(`exams/${id}`, { introduction: 'Current' });
    const last = await recordState(db, 'exam', id);
    await deleteUnusedStates(db);
    const left = async () => {
      const rows = await db
        .selectFrom('assessment_revisions')
        .select('id')
        .where('assessment_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map((row) => row.id);
    };
    assert.deepEqual(await left(), [used.id, unused.id, last.id], 'they are too young');
    await sql`update assessment_revisions set created_at = now() - interval '61 minutes'`.execute(db);
    await deleteUnusedStates(db);
    assert.deepEqual(await left(), [used.id, last.id]);
  });
});

describeLong('images that are replaced', { skip: engineSkip || isOnCluster, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '1' });
  });
  after(() => room[Symbol.asyncDispose]());

  // Long: one image, replaced while an attempt and a warm container need it, and deleted.
  it('stay while attempts need them, and later starts get the new one', async () => {
    const { server, docker } = room;
    const name = `pinned-test-${process.pid}`;
    const tag = async (from: string) => await docker.getImage(from).tag({ repo: name, tag: 'latest' });
    /** A new image: an existing one with another label. */
    const derive = async (label: string): Promise<string> => {
      const container = await docker.createContainer({ Image: 'platform-exam-linux-basics' });
      const made: { Id: string } = await container.commit({ changes: `LABEL pinned=${label}` });
      await container.remove();
      return made.Id;
    };
    const [old, fresh] = [await derive('old'), await derive('fresh')];
    try {
      await tag(old);
      const id = await room.make('exam', ['echo PASS'], { container_image: name });
      const [student, later] = [await server.user(), await server.user()];
      const imageOf = async (attempt: number) =>
        (await server.get(`/api/instructor/attempts/${attempt}`, room.instructor.token)).body.image_id;
      const warm = async () => (await warmContainers(server)).filter(({ image }) => image === name);
      const first = await room.start(student, 'exam', id);
      assert.equal(await imageOf(first.attempt_id), old);
      await until(async () => (await warm()).length === 1, 'the warm container', 120_000);
      await tag(fresh);
      await server.application.reconciler.run();
      await until(async () => (await warm())[0]?.image_id === fresh, 'a warm container of the new image', 120_000);
      await assert.rejects(docker.getImage(old).remove(), { statusCode: 409 });
      const second = await room.start(later, 'exam', id);
      assert.equal(await imageOf(second.attempt_id), fresh);
      const submitted = await server.post(`/api/exams/${id}/submit`, student.token);
      assert.equal(submitted.body.passed, true, submitted.text);

      await server.put(`/api/admin/exams/${id}`, room.admin.token, { container_image: `${name}-missing` });
      const refused = await server.post(`/api/exams/${id}/start`, student.token);
      assert.deepEqual([refused.status, refused.code], [503, 'image_missing']);
    } finally {
      await room[Symbol.asyncDispose]();
      for (const image of [old, fresh]) await docker.getImage(image).remove({ force: true });
    }
  });
});
