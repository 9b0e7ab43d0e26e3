import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { isOnCluster } from '../cluster.ts';
import { EventReader } from '../event-reader.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { until } from '../until.ts';

/** Notifications of what is due by time alone are left out: they come in between. */
const ofProcess = { examRoomSeconds: 1, notificationSeconds: 3600 };

describeLong('the silent checks of an exam session', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  let tutor: TestUser;
  let exam_id: number;
  let class_id: number;
  let id: number;
  let at: string;
  before(async () => {
    server = await TestServer.start(ofProcess);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    [student, tutor] = [await server.user(), await server.user()];
    exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    class_id = await schoolClass(server, teacher, [student]);
    const member = { user_id: tutor.id, role: 'instructor' };
    assert.equal((await server.post(`/api/classes/${class_id}/members`, admin.token, member)).status, 201);
    ({ id } = await openSession(server, teacher, { exam_id, class_id }));
    at = `/api/exam-sessions/${id}`;
  });
  after(() => server?.[Symbol.asyncDispose]());

  const start = (by = teacher, interval_minutes = 5, path = at) =>
    server.put(`${path}/silent-checks`, by.token, { interval_minutes });
  const every = async (by = teacher) => (await server.get(`${at}/room`, by.token)).body.session.silent_check_minutes;
  const setChecks = async (set: string) => {
    await sql.raw(`update silent_checks set ${set}`).execute(server.application.db);
  };

  it('are switched by staff who act in the room', async () => {
    assert.deepEqual((await start()).body, { interval_minutes: 5 });
    assert.deepEqual((await start(admin, 15)).body, { interval_minutes: 15 });
    assert.equal(await every(), 15);
    assert.equal(await every(tutor), null, 'a student who supervises does not know');
    for (const minutes of [2, 61, 3.5, null]) assert.equal((await start(teacher, minutes as number)).status, 422);
    const outsider = await server.user('instructor');
    for (const [by, status] of [
      [student, 403],
      [tutor, 403],
      [outsider, 403],
    ] as const) {
      assert.equal((await start(by)).status, status);
      assert.equal((await server.delete(`${at}/silent-checks`, by.token)).status, status);
    }
    assert.equal((await server.put(`${at}/silent-checks`, undefined, { interval_minutes: 5 })).status, 401);
    const none = await start(teacher, 5, '/api/exam-sessions/2000000');
    assert.deepEqual([none.status, none.code], [404, 'not_found']);
    const later = { opens_at: minutes(10), closes_at: minutes(20) };
    const closed = await openSession(server, teacher, { exam_id, class_id, ...later });
    const refused = await start(teacher, 5, `/api/exam-sessions/${closed.id}`);
    assert.deepEqual([refused.status, refused.code], [409, 'session_not_running']);
    for (const _ of [1, 2]) assert.equal((await server.delete(`${at}/silent-checks`, teacher.token)).status, 200);
    assert.equal(await every(), null);
    const log = (await server.get('/api/admin/activity?type=exam_session_silent_checks', admin.token)).body;
    assert.deepEqual(
      log.map(({ details }: { details: { minutes: number | null } }) => details.minutes),
      [null, 15, 5],
    );
  });

  it('are in the stream of the room, and their marks go with them', async () => {
    const attempt = await runAttempt(server, student, { id, exam_id });
    await using stream = await EventReader.open(server, `${at}/room/events`, teacher.token);
    await using ofTutor = await EventReader.open(server, `${at}/room/events`, tutor.token);
    await start();
    await stream.until(({ session }) => session?.silent_check_minutes === 5);
    await sql`insert into silent_looks (attempt_id, session_id, began_at, ended_at, checked_at, marks_changed_at, marks)
      values (${attempt}, ${id}, now(), now(), now(), now(), '[{"task_id": 1, "title": "Canary", "state": "passed"}]')`.execute(
      server.application.db,
    );
    const shown = (await server.get(`${at}/room`, teacher.token)).body.students[0];
    assert.deepEqual(shown.task_marks, [{ task_id: 1, title: 'Canary', state: 'passed' }]);
    assert.ok(shown.checked_at && shown.marks_changed_at);
    assert.ok(!(await server.get(`${at}/room`, tutor.token)).text.includes('Canary'));
    await server.delete(`${at}/silent-checks`, teacher.token);
    await stream.until(({ session }) => session?.silent_check_minutes === null);
    await start();
    assert.equal((await server.get(`${at}/room`, teacher.token)).body.students[0].task_marks, null);
    await server.post(`${at}/message`, teacher.token, { text: 'Ten minutes left' });
    await server.post(`${at}/pause`, teacher.token);
    const seen = await ofTutor.until(({ session }) => session?.is_paused);
    assert.equal(seen.session.silent_check_minutes, null);
    await server.post(`${at}/resume`, teacher.token);
  });

  it('end without a watched room, after their longest time, and with the session', async () => {
    const round = () => server.application.silentChecks.run();
    for (const old of ["watched_at = now() - interval '11 minutes'", "started_at = now() - interval '481 minutes'"]) {
      await start();
      await round();
      assert.equal(await every(), 5);
      await setChecks(old);
      await round();
      assert.equal(await every(), null, old);
    }
    await start();
    await setChecks("watched_at = now() - interval '9 minutes'");
    {
      await using stream = await EventReader.open(server, `${at}/room/events`, tutor.token);
      await stream.next();
      await using own = await EventReader.open(server, `${at}/room/events`, teacher.token);
      await own.next();
      const isRenewed = async () =>
        (
          await sql`select from silent_checks where watched_at > now() - interval '1 minute'`.execute(
            server.application.db,
          )
        ).rows.length === 1;
      await until(isRenewed, 'the report that the room is watched');
    }
    await server.application.db.updateTable('attempts').set({ status: 'abandoned' }).execute();
    await server.post(`${at}/end`, teacher.token, {});
    await round();
    assert.equal(await every(), null);
  });
});

const skip = engineSkip || (isOnCluster && 'looks into containers through Docker');

describeLong('silent checks in running containers', { skip, timeout: 600_000 }, () => {
  let server: TestServer;
  let docker: Docker;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start({ ...ofProcess, gradingConcurrency: 4 }, {}, 2);
    const engine = await testEngine();
    if (!('options' in engine)) throw new Error(engine.reason);
    docker = new Docker(engine.options);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** Students who have started an exam with these checks, which are on. */
  async function examOf(scripts: readonly string[], count = 1) {
    const students = await Promise.all(Array.from({ length: count }, () => server.user()));
    const exam_id = await makeAssessment(server, admin, 'exam', scripts);
    const class_id = await schoolClass(server, teacher, students);
    const { id } = await openSession(server, teacher, { exam_id, class_id });
    const at = `/api/exam-sessions/${id}`;
    const takers = [];
    for (const student of students) {
      const headers = { authorization: `Bearer ${student.token}` };
      // The process of the rounds has the connection of the grader, as the only process always has.
      const started = await fetch(`${server.urls[0]}/api/exams/${exam_id}/start`, { method: 'POST', headers });
      // biome-ignore lint/suspicious/noExplicitAny: an answer
      const body = (await started.json()) as any;
      assert.equal(started.status, 201);
      const ref = server.config.engine.namePrefix + body.container_name;
      const run = async (script: string) => (await runInContainer(docker, ref, script, 'root')).output;
      takers.push({ ...student, attempt: body.attempt_id as number, container: body.container_id as number, run });
    }
    assert.equal((await server.put(`${at}/silent-checks`, teacher.token, { interval_minutes: 3 })).status, 200);
    const room = async () => (await server.get(`${at}/room`, teacher.token)).body.students;
    const states = async () =>
      (await room())[0].task_marks?.map(({ state }: { state: string }) => state) as string[] | undefined;
    /** The next look is due now. */
    const makeDue = () =>
      sql`update silent_looks set began_at = began_at - interval '3 minutes'`.execute(server.application.db);
    const [first] = takers as [(typeof takers)[number]];
    return { at, id, exam_id, class_id, takers, first, room, states, makeDue };
  }

  const round = () => server.application.silentChecks.run();
  const rows = async (table: string, where: string) =>
    (await sql.raw(`select * from ${table} where ${where} order by 1`).execute(server.application.db)).rows;

  // Long: what a student could see is compared as a whole, before and after.
  it('show staff what each task stands at, and change nothing for the student', async () => {
    const scripts = ['[ -f /home/student/done ] && echo PASS || echo FAIL', 'echo canary; echo PASS', 'kill -9 $PPID'];
    const { at, id, exam_id, class_id, first, room, states, makeDue } = await examOf(scripts);
    const ids = { id, exam_id, class_id, attempt_id: first.attempt, container_id: first.container };
    const before = await allThatIsSeen(server, first, ids);
    assert.ok(before.size > 30, 'the answers are compared');
    const kept = async () => [
      await rows('attempts', `id = ${first.attempt}`),
      await rows('task_results', `attempt_id = ${first.attempt}`),
      await rows('containers', `attempt_id = ${first.attempt}`),
      await rows('notifications', `user_id = ${first.id}`),
      await rows('activity_log', `user_id = ${first.id} or actor_id = ${first.id}`),
    ];
    const records = await kept();
    await using stream = await EventReader.open(server, `${at}/room/events`, teacher.token, server.urls[1]);
    await round();
    assert.deepEqual(await states(), ['failed', 'passed', 'none']);
    const [{ checked_at, marks_changed_at, status, score }] = await room();
    assert.deepEqual([marks_changed_at, status, score], [checked_at, 'in_progress', null]);
    await stream.until(({ students }) => students[0]?.task_marks?.length === 3);
    assert.deepEqual(await kept(), records);
    for (const [path, answer] of await allThatIsSeen(server, first, ids)) assert.equal(answer, before.get(path), path);

    await first.run('touch /home/student/done');
    await round();
    assert.equal((await room())[0].checked_at, checked_at, 'the interval is not over');
    await makeDue();
    await round();
    assert.deepEqual(await states(), ['passed', 'passed', 'none']);
    const [later] = await room();
    assert.ok(later.checked_at > checked_at && later.marks_changed_at === later.checked_at);
    await makeDue();
    await round();
    assert.equal((await room())[0].marks_changed_at, later.marks_changed_at);
    const result = await server.post(`/api/exams/${exam_id}/submit`, first.token);
    assert.deepEqual([result.body.status, result.body.score], ['finished', 3]);
    assert.equal((await room())[0].task_marks, null, 'the result counts from now on');
  });

  it('look in the container like a grading', async () => {
    const { exam_id, first, makeDue } = await examOf(['/.grader/bin/busybox sleep 3; echo PASS']);
    const commands = async (work: Promise<unknown>) => {
      let isOver = false;
      void work.finally(() => (isOver = true)).catch(() => undefined);
      const seen = new Set<string>();
      while (!isOver) {
        const all = await first.run('ps -eo args').catch(() => '');
        // What comes and goes before and after the script is seen by chance.
        if (!all.includes('busybox sleep 3')) continue;
        // The server changes the end of its title.
        for (const line of all.split('\n')) seen.add(line.trim().replace(/^(sshd: grader).*/, '$1'));
      }
      await work;
      return [...seen].filter((line) => line !== '' && !line.startsWith('OCI') && !line.includes('ps -eo')).sort();
    };
    // The connection that the start opens stays.
    const hasConnected = async () => {
      const all = await first.run('ps -eo args');
      return all.includes('sshd: grader') && !/\/connect|\[net\]|\[priv\]/.test(all);
    };
    await until(hasConnected, 'the connection of the grader');
    const silent = await commands(round());
    assert.ok(
      silent.some((line) => line.includes('sleep 3')),
      silent.join('\n'),
    );
    await makeDue();
    const graded = await commands(server.post(`/api/exams/${exam_id}/submit`, first.token));
    assert.deepEqual(
      silent.filter((line) => !graded.includes(line)),
      [],
    );
  });

  /** Its first run waits for the second, so that it ends only where it is not broken off. */
  const slow = `id=$BASHPID; echo "begin $id" >> /root/log
    if mkdir /root/first 2>/dev/null; then until [ -e /root/second ]; do sleep 0.1; done; else touch /root/second; sleep 1; fi
    echo "end $id" >> /root/log; cat /root/log; echo PASS`;

  it('are broken off by a submission in another process, whose checks run alone', async () => {
    const { exam_id, first, states } = await examOf([slow]);
    const look = round();
    await until(async () => (await first.run('cat /root/log')).includes('begin'), 'the silent check');
    const response = await fetch(`${server.urls[1]}/api/exams/${exam_id}/submit`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${first.token}` } },
    });
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    const { status, score, results } = (await response.json()) as any;
    assert.deepEqual([status, score], ['finished', 1]);
    const words = results[0].output.match(/begin|end/g);
    assert.deepEqual(words, ['begin', 'begin', 'end'], 'the silent check was killed');
    await look;
    assert.equal(await states(), undefined);
  });

  it('are broken off by a pause, and look at nobody whose clock is stopped', async () => {
    const { at, first, states, makeDue } = await examOf([slow]);
    const look = round();
    await until(async () => (await first.run('cat /root/log')).includes('begin'), 'the silent check');
    assert.equal((await server.post(`${at}/pause`, teacher.token)).status, 200);
    await look;
    assert.equal(await states(), undefined, 'it has found nothing');
    await makeDue();
    await round();
    assert.equal(await states(), undefined);
    assert.equal((await server.post(`${at}/resume`, teacher.token)).status, 200);
    await round();
    assert.deepEqual(await states(), ['passed']);
    assert.deepEqual((await first.run('cat /root/log')).match(/begin|end/g), ['begin', 'begin', 'end']);
  });

  it('are two at once in all processes, one of an attempt, and leave the way to gradings', async () => {
    const { takers, room } = await examOf(['sleep 1; echo PASS'], 3);
    const { db } = server.application;
    let most = 0;
    let isOver = false;
    const rounds = Promise.all([round(), round(), round()]).finally(() => (isOver = true));
    while (!isOver) {
      const running = await db.selectFrom('silent_looks').select('attempt_id').where('ended_at', 'is', null).execute();
      most = Math.max(most, running.length);
    }
    await rounds;
    assert.equal(most, 2);
    const all = await room();
    assert.deepEqual(
      all.map(({ task_marks }: { task_marks: { state: string }[] }) => task_marks[0]?.state),
      takers.map(() => 'passed'),
    );
  });

  it('begin nothing while gradings need the capacity, and end with the service', async () => {
    const { first, states } = await examOf([slow]);
    const { db } = server.application;
    const others = await Promise.all([1, 2].map(() => server.user()));
    const session = await db
      .selectFrom('exam_sessions')
      .select(['id', 'exam_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const busy: number[] = [];
    for (const other of others) busy.push(await runAttempt(server, other, session));
    const set = (status: 'grading' | 'abandoned') =>
      db.updateTable('attempts').set({ status }).where('id', 'in', busy).execute();
    await set('grading');
    await round();
    assert.equal(
      (await db.selectFrom('silent_looks').select('attempt_id').where('attempt_id', '=', first.attempt).execute())
        .length,
      0,
    );
    await set('abandoned');
    const look = round();
    await until(async () => (await first.run('cat /root/log')).includes('begin'), 'the silent check');
    await server.application.silentChecks[Symbol.asyncDispose]();
    await look;
    assert.equal(await states(), undefined);
    const left = await db
      .selectFrom('silent_looks')
      .select('ended_at')
      .where('attempt_id', '=', first.attempt)
      .execute();
    assert.ok(left[0]?.ended_at, 'no grading waits for it');
  });
});

/** Every answer that a student gets to a read, by its path. */
async function allThatIsSeen(server: TestServer, student: TestUser, ids: Record<string, number>) {
  const { paths } = (await server.get('/api/openapi.json')).body as { paths: Record<string, object> };
  const seen = new Map<string, string>();
  for (const [path, methods] of Object.entries(paths)) {
    // A list of withdrawn certificates is signed with the time of its answer.
    if (!('get' in methods) || !path.startsWith('/api/') || path.startsWith('/api/certificates/status/')) continue;
    for (const id of new Set(Object.values(ids))) {
      const made = path.replaceAll(/\{\w+\}/g, `${id}`);
      const { status, text } = await server.get(made, student.token);
      // A calendar and the files of an archive have the time of their answer.
      seen.set(made, `${status} ${text.replaceAll(/DTSTAMP:\w+|[0-7]{11}\0[0-7]{6}\0 0/g, '')}`);
    }
  }
  return seen;
}
