import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const services = 'platform-exam-linux-services';

describeLong('an attempt that is given back', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<Classroom['server']['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  const asRoot = (name: string, script: string) => room.asRoot(name, script);
  const instructing = (attempt: number) => `/api/instructor/attempts/${attempt}`;
  const reopen = (attempt: number, user: TestUser = room.admin, sent: object = {}) =>
    room.server.post(`${instructing(attempt)}/reopen`, user.token, sent);
  const isKept = (attempt: number) =>
    until(
      async () =>
        (await room.server.get(`${instructing(attempt)}/evidence/summary`, room.admin.token)).body.status === 'kept',
      'the evidence',
      60_000,
    );
  const removed = () =>
    until(
      async () =>
        (
          await room.server.application.db
            .selectFrom('containers')
            .selectAll()
            .where('status', '=', 'removing')
            .execute()
        ).length === 0,
      'the removal',
    );

  /** An attempt that its student has submitted after a script of root. */
  async function submitted(checks: readonly string[], script = 'true', more: object = {}) {
    const student = await room.server.user();
    const id = await room.make('exam', checks, more);
    const { attempt_id: attempt, container_name } = await room.start(student, 'exam', id);
    await asRoot(container_name, script);
    const first = await good(room.server.post(`/api/exams/${id}/submit`, student.token));
    await isKept(attempt);
    await removed();
    return { student, id, attempt, container_name, first };
  }

  // Long: the whole way of one attempt, from a first submission to the second.
  it('has its files on a new machine, its time, and its history', async () => {
    const check =
      '[ -e /srv/mine ] && [ ! -e /etc/issue ] && systemctl is-active nginx && [ -e /srv/later ] && echo PASS';
    const script = `echo mine >/srv/mine; chown student /srv/mine; rm /etc/issue; systemctl enable --now nginx
      [ "$(cat /srv/setups)" = 1 ]`;
    const setup_script = 'echo $(( $(cat /srv/setups 2>/dev/null || echo 0) + 1 )) >/srv/setups';
    const { student, id, attempt, container_name, first } = await submitted([check, 'echo FAIL'], script, {
      ...{ container_image: services, setup_script },
    });
    assert.equal(first.score, 0);
    const before = await room.server.application.db
      .selectFrom('attempts')
      .selectAll()
      .where('id', '=', attempt)
      .executeTakeFirstOrThrow();
    const back = await good(reopen(attempt, room.instructor));
    assert.deepEqual([back.id, back.status, back.score, back.submitted_at], [attempt, 'in_progress', null, null]);
    const left = Number(before.expires_at) - Number(before.submitted_at);
    const now = new Date(back.expires_at).getTime() - Date.now();
    assert.ok(Math.abs(now - left) < 30_000, `${now} instead of ${left}`);
    const active = await good(room.server.get('/api/exams/attempts/active', student.token));
    assert.deepEqual([active.id, active.results, active.container_id], [attempt, [], back.container_id]);
    const found = await asRoot(
      container_name,
      'cat /srv/mine /srv/setups; stat -c %U /srv/mine; [ ! -e /etc/issue ] && systemctl is-active nginx',
    );
    assert.equal(found, 'mine\n1\nstudent\nactive\n', 'set up once, and booted with the service that was enabled');
    const kinds = (await good(room.server.get('/api/notifications', student.token))).map(
      ({ kind }: { kind: string }) => kind,
    );
    assert.deepEqual(kinds, ['reopened']);
    await asRoot(container_name, 'touch /srv/later');
    const second = await good(room.server.post(`/api/exams/${id}/submit`, student.token));
    assert.deepEqual([second.score, second.results[0].passed], [1, true]);
    const endings = await good(room.server.get(`${instructing(attempt)}/endings`, room.instructor.token));
    assert.deepEqual(
      endings.map(({ status, score, reopened_by, minutes, results }: Record<string, unknown>) => [
        ...[status, score, reopened_by, minutes],
        (results as { passed: boolean }[]).map(({ passed }) => passed),
      ]),
      [['finished', 0, room.instructor.username, null, [false, false]]],
    );
    // What it leaves now takes the place of the first.
    await isKept(attempt);
    await removed();
    const again = await good(reopen(attempt));
    assert.equal(again.status, 'in_progress');
    assert.equal(await asRoot(container_name, 'ls /srv'), 'later\nmine\nsetups\n');
    await good(room.server.post(`/api/exams/attempts/${attempt}/abandon`, student.token));
  });

  it('needs time', async () => {
    const { attempt, student } = await submitted(['echo PASS']);
    const { db } = room.server.application;
    await db
      .updateTable('attempts')
      .set((eb) => ({ expires_at: eb.ref('submitted_at'), status: 'expired' }))
      .where('id', '=', attempt)
      .execute();
    assert.equal((await reopen(attempt)).status, 422);
    assert.equal((await reopen(attempt, room.admin, { minutes: 0 })).status, 422);
    const back = await good(reopen(attempt, room.admin, { minutes: 7 }));
    const seconds = (new Date(back.expires_at).getTime() - Date.now()) / 1000;
    assert.ok(seconds > 380 && seconds <= 425, `${seconds}`);
    await good(room.server.post(`/api/exams/attempts/${attempt}/abandon`, student.token));
  });

  it('is refused where it cannot be, and nothing has changed', async () => {
    const { attempt, student, id } = await submitted(['echo PASS']);
    const code = async (answer: ReturnType<typeof reopen>) => (await answer).code;
    assert.equal(await code(reopen(2_000_000_000)), 'not_found');
    assert.equal((await reopen(attempt, student)).status, 403);
    const other = await room.make('exam', ['echo PASS']);
    const running = await room.start(student, 'exam', other);
    assert.equal(await code(reopen(attempt)), 'attempt_active');
    assert.equal(await code(reopen(running.attempt_id)), 'attempt_not_reopenable');
    await good(room.server.post(`/api/exams/attempts/${running.attempt_id}/abandon`, student.token));
    const { db } = room.server.application;
    const evidence = (change: { status?: 'keeping' | 'kept'; layer_bytes?: number }) =>
      db.updateTable('attempt_evidence').set(change).where('attempt_id', '=', attempt).execute();
    await evidence({ status: 'keeping' });
    assert.equal(await code(reopen(attempt)), 'changed_meanwhile', 'it is still being kept');
    await evidence({ status: 'kept', layer_bytes: 0 });
    const gone = await reopen(attempt);
    assert.deepEqual([gone.status, gone.code], [409, 'evidence_gone']);
    const result = await good(room.server.get(`/api/exams/attempts/${attempt}/results`, student.token));
    assert.deepEqual([result.status, result.score, result.exam_id], ['finished', 1, id]);
    assert.deepEqual(
      await db.selectFrom('attempt_endings').selectAll().where('attempt_id', '=', attempt).execute(),
      [],
    );
  });

  it('comes once, however often it is asked for at the same time', async () => {
    const { attempt, student } = await submitted(['echo PASS']);
    const answers = await Promise.all([1, 2, 3].map(() => reopen(attempt)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409, 409], answers.map(({ text }) => text).join('\n'));
    const { db } = room.server.application;
    const rows = await db.selectFrom('containers').selectAll().where('attempt_id', '=', attempt).execute();
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['running'],
    );
    await good(room.server.post(`/api/exams/attempts/${attempt}/abandon`, student.token));
  });

  it('keeps its container from a round that has seen it before the attempt was reopened', async () => {
    const { attempt, student } = await submitted(['echo PASS']);
    const { db } = room.server.application;
    const container = db.selectFrom('containers').selectAll().where('attempt_id', '=', attempt);
    const is = async (status: string) => (await container.executeTakeFirst())?.status === status;
    const areWaiting = async (count: number) => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length === count;
    };
    const reopened = reopen(attempt);
    await until(() => is('creating'), 'the reservation', 60_000);
    const ofAttempt = await db.startTransaction().execute();
    await ofAttempt.selectFrom('attempts').select('id').where('id', '=', attempt).forUpdate().execute();
    await until(() => is('running'), 'the machine', 60_000);
    const ofContainer = await db.startTransaction().execute();
    await ofContainer.selectFrom('containers').select('id').where('attempt_id', '=', attempt).forUpdate().execute();
    await ofAttempt.commit().execute();
    await until(() => areWaiting(1), 'the reopening');
    const round = room.server.reconcile();
    await until(() => areWaiting(2), 'the round');
    await ofContainer.commit().execute();
    assert.equal((await reopened).status, 200);
    await round;
    assert.ok(await is('running'));
    await good(room.server.post(`/api/exams/attempts/${attempt}/abandon`, student.token));
  });

  it('has its results and decisions where the machine cannot be restored', async () => {
    const { attempt, student } = await submitted(['echo PASS']);
    const { db } = room.server.application;
    // The list of the paths is cut.
    await db.updateTable('attempt_evidence').set({ path_bytes: 5 }).where('attempt_id', '=', attempt).execute();
    const failed = await reopen(attempt);
    assert.deepEqual([failed.status, failed.code], [503, 'setup_failed']);
    const result = await good(room.server.get(`/api/exams/attempts/${attempt}/results`, student.token));
    assert.deepEqual([result.status, result.score], ['finished', 1]);
    await until(
      async () =>
        (await db.selectFrom('containers').selectAll().where('attempt_id', '=', attempt).execute()).length === 0,
      'the removal of the container',
    );
    assert.equal(
      (await db.selectFrom('attempt_evidence').selectAll().where('attempt_id', '=', attempt).execute())[0]?.status,
      'kept',
    );
  });

  // Long: the way of one request through the queue of the staff, and each of its refusals.
  it('can be asked for by its student, once', async () => {
    const student = await room.server.user();
    const classId = await schoolClass(room.server, room.instructor, [student]);
    const exam = await room.make('exam', ['echo PASS']);
    const session = await openSession(room.server, room.instructor, {
      exam_id: exam,
      class_id: classId,
      closes_at: minutes(60),
    });
    const { attempt_id: attempt } = await good(
      room.server.post(`/api/exams/${exam}/start`, student.token, { session_id: session.id }),
    );
    const own = `/api/exams/attempts/${attempt}/reopen-request`;
    assert.equal((await good(room.server.get(own, student.token))).can_ask, false);
    await good(room.server.post(`/api/exams/${exam}/submit`, student.token));
    await isKept(attempt);
    await removed();
    assert.equal((await good(room.server.get(own, student.token))).can_ask, true);
    const stranger = await room.server.user();
    assert.equal((await room.server.post(own, stranger.token)).status, 404);
    const asked = await good(room.server.post(own, student.token));
    assert.deepEqual([asked.can_ask, asked.is_declined], [false, false]);
    assert.equal((await room.server.post(own, student.token)).code, 'reopen_requested');
    const queue = async () =>
      (await good(room.server.get('/api/instructor/reopen-requests', room.instructor.token))).map(
        (one: { attempt_id: number; username: string }) => [one.attempt_id, one.username],
      );
    assert.deepEqual(await queue(), [[attempt, student.username]]);
    const kinds = async (user: TestUser) =>
      (await good(room.server.get('/api/notifications', user.token))).map(({ kind }: { kind: string }) => kind);
    assert.ok((await kinds(room.instructor)).includes('reopen'));
    const decline = () =>
      room.server.request('DELETE', `${instructing(attempt)}/reopen-request`, { token: room.instructor.token });
    await good(decline());
    assert.equal((await decline()).status, 404);
    assert.deepEqual(await queue(), []);
    assert.ok((await kinds(student)).includes('reopen_declined'));
    assert.equal((await good(room.server.get(own, student.token))).is_declined, true);
    // The close of the session moves for this student.
    const back = await good(reopen(attempt, room.instructor, { minutes: 90 }));
    assert.ok(new Date(back.expires_at).getTime() > Date.now() + 85 * 60_000);
    await good(room.server.post(`/api/exam-sessions/${session.id}/extend`, room.instructor.token, { minutes: 5 }));
    const active = await good(room.server.get('/api/exams/attempts/active', student.token));
    assert.ok(new Date(active.expires_at).getTime() > Date.now() + 85 * 60_000);
    await good(room.server.post(`/api/exams/attempts/${attempt}/abandon`, student.token));
  });
});
