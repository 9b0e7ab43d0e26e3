import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describeLong('attempts that are graded again', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(() => room?.[Symbol.asyncDispose]());

  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<Classroom['server']['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok([200, 201, 202].includes(status), `${status} ${text}`);
    return body;
  }
  const db = () => room.server.application.db;
  const attemptPath = (attempt: number) => `/api/instructor/attempts/${attempt}`;
  const resultOf = (attempt: number) => good(room.server.get(attemptPath(attempt), room.admin.token));

  /** Students who have run a script as root and submitted. */
  async function submitted(exam: number, scripts: readonly string[], students: readonly TestUser[] = []) {
    const made: { student: TestUser; attempt: number }[] = [];
    for (const [index, script] of scripts.entries()) {
      const student = students[index] ?? (await room.server.user());
      const { attempt_id: attempt, container_name } = await room.start(student, 'exam', exam);
      await room.asRoot(container_name, script);
      await good(room.server.post(`/api/exams/${exam}/submit`, student.token));
      made.push({ student, attempt });
    }
    for (const { attempt } of made)
      await until(
        async () =>
          (await room.server.get(`${attemptPath(attempt)}/evidence/summary`, room.admin.token)).body.status === 'kept',
        'the evidence',
        60_000,
      );
    return made;
  }
  const tasksOf = async (exam: number): Promise<{ id: number }[]> =>
    (await good(room.server.get(`/api/admin/exams/${exam}`, room.admin.token))).tasks;
  const correct = async (exam: number, index: number, verification_script: string) => {
    const task = (await tasksOf(exam))[index];
    await good(
      room.server.put(`/api/admin/exams/${exam}/tasks/${task?.id}`, room.admin.token, { verification_script }),
    );
    return (await good(room.server.get(`/api/admin/exams/${exam}`, room.admin.token))).revision as number;
  };
  const regrade = (path: string, sent: object = {}, user = room.admin) =>
    good(room.server.post(`${path}/regrade`, user.token, sent));
  async function ready(id: number, user = room.admin) {
    await until(
      async () => {
        const { status } = await good(room.server.get(`/api/instructor/regrades/${id}`, user.token));
        return status === 'ready';
      },
      'the regrade',
      120_000,
    );
    return await good(room.server.get(`/api/instructor/regrades/${id}`, user.token));
  }
  const verdicts = (differences: Record<string, { points_earned: number }>[]) =>
    differences.map(({ attempt_id, before, after }) => [attempt_id, before?.points_earned, after?.points_earned]);

  it('have identical verdicts where nothing has changed', async () => {
    const checks = ['grep -q 42 /srv/answer && echo PASS', '[ ! -e /etc/issue ] && echo PASS', 'ps; echo FAIL'];
    const exam = await room.make('exam', checks);
    const made = await submitted(exam, ['echo 42 >/srv/answer', 'rm /etc/issue', 'true']);
    const begun = await regrade(`/api/admin/exams/${exam}`);
    assert.deepEqual([begun.status, begun.total, begun.differences], ['running', 3, []]);
    assert.equal(
      (await room.server.post(`/api/instructor/regrades/${begun.id}/apply`, room.admin.token)).code,
      'regrade_not_ready',
    );
    const end = await ready(begun.id);
    assert.deepEqual([end.done, end.skipped, end.differences], [3, [], []]);
    await good(room.server.post(`/api/instructor/regrades/${begun.id}/apply`, room.admin.token));
    assert.equal((await resultOf(made[0]?.attempt ?? 0)).score, 1);
    await until(
      async () => (await db().selectFrom('containers').selectAll().execute()).length === 0,
      'the removal of all machines',
    );
  });

  it('wait for what is still being kept', async () => {
    const exam = await room.make('exam', ['[ -e /srv/answer ] && echo PASS']);
    const [made] = await submitted(exam, ['touch /srv/answer']);
    const evidence = db()
      .updateTable('attempt_evidence')
      .where('attempt_id', '=', made?.attempt ?? 0);
    await evidence.set({ status: 'keeping' }).execute();
    const begun = await regrade(`/api/admin/exams/${exam}`);
    const { regrades } = room.server.application;
    await regrades.run();
    const { status, done } = await good(room.server.get(`/api/instructor/regrades/${begun.id}`, room.admin.token));
    assert.deepEqual([status, done], ['running', 0]);
    await evidence.set({ status: 'kept' }).execute();
    // A round that is on its way has passed it.
    await until(async () => {
      await regrades.run();
      return (await good(room.server.get(`/api/instructor/regrades/${begun.id}`, room.admin.token))).status === 'ready';
    }, 'the next round');
    const end = await ready(begun.id);
    assert.deepEqual([end.done, end.skipped, end.differences], [1, [], []]);
  });

  // Long: a wrong check is corrected for a session, with everything that follows for its students.
  it('get the verdicts of a corrected check, after a look', async () => {
    const exam = await room.make('exam', ['grep -qx 41 /srv/answer && echo PASS', 'echo PASS']);
    const students = [await room.server.user(), await room.server.user(), await room.server.user()];
    const classId = await schoolClass(room.server, room.instructor, students);
    const session = await openSession(room.server, room.instructor, { exam_id: exam, class_id: classId });
    const made = await submitted(
      exam,
      ['echo 42 >/srv/answer', 'echo 41 >/srv/answer', 'echo 42 >/srv/answer'],
      students,
    );
    const [gains, loses, decided] = made.map(({ attempt }) => attempt);
    const task = (await tasksOf(exam))[0]?.id;
    await good(
      room.server.put(`${attemptPath(decided ?? 0)}/results/${task}`, room.instructor.token, {
        ...{ points_earned: 0.5, reason: 'Half', revision: 0 },
      }),
    );
    const revision = await correct(exam, 0, 'cat /srv/answer; grep -qx 42 /srv/answer && echo PASS');
    const begun = await regrade(
      `/api/exam-sessions/${session.id}`,
      { revision, reason: 'The check was wrong' },
      room.instructor,
    );
    const end = await ready(begun.id, room.instructor);
    assert.deepEqual(verdicts(end.differences), [
      [gains, 0, 1],
      [loses, 1, 0],
    ]);
    const [first] = end.differences;
    assert.deepEqual(
      [first.is_deterministic, first.after.output, first.username],
      [true, '42\nPASS\n', students[0]?.username],
    );
    assert.equal((await resultOf(gains ?? 0)).score, 2, 'nothing has changed yet');
    const applied = await good(room.server.post(`/api/instructor/regrades/${begun.id}/apply`, room.instructor.token));
    assert.deepEqual(
      [applied.status, applied.differences.map(({ is_applied }: { is_applied: boolean }) => is_applied)],
      ['applied', [true, true]],
    );
    const scores = [];
    for (const { attempt } of made) scores.push((await resultOf(attempt)).score);
    assert.deepEqual(scores, [3, 2, 2.5]);
    for (const [index, student] of students.entries()) {
      const notices = await good(room.server.get('/api/notifications', student.token));
      const grades = notices.filter(({ kind }: { kind: string }) => kind === 'grade');
      assert.equal(grades.length, 1, `${index}`);
    }
    const log = await good(room.server.get('/api/admin/activity?type=admin_attempt_regrade', room.admin.token));
    assert.deepEqual(
      log.map(({ details }: { details: { reason: string } }) => details.reason),
      ['The check was wrong', 'The check was wrong'],
    );
    const again = await room.server.post(`/api/instructor/regrades/${begun.id}/apply`, room.instructor.token);
    assert.equal(again.code, 'regrade_not_ready');
  });

  it('show a check that is not deterministic, and change nothing where that is dropped', async () => {
    const exam = await room.make('exam', ['[ ! -e /root/again ] && touch /root/again && echo PASS']);
    const [made] = await submitted(exam, ['true']);
    const { id } = await regrade(attemptPath(made?.attempt ?? 0), { reason: 'A look' });
    const end = await ready(id);
    assert.deepEqual(verdicts(end.differences), [[made?.attempt, 1, 0]]);
    assert.equal(end.differences[0].is_deterministic, false);
    await good(room.server.post(`/api/instructor/regrades/${id}/drop`, room.admin.token));
    assert.equal((await resultOf(made?.attempt ?? 0)).score, 1);
  });

  it('keep their results where what they left is gone', async () => {
    const exam = await room.make('exam', ['echo PASS']);
    const [made] = await submitted(exam, ['true']);
    const machine = db()
      .selectFrom('containers')
      .select('id')
      .where('attempt_id', '=', made?.attempt ?? 0);
    await until(async () => (await machine.execute()).length === 0, 'the end of the machine');
    await db().deleteFrom('attempt_evidence').execute();
    const { id } = await regrade(`/api/admin/exams/${exam}`);
    const end = await ready(id);
    assert.deepEqual(end.skipped, [{ attempt_id: made?.attempt, reason: 'evidence_gone' }]);
  });

  it('are refused where there is nothing to grade, or no such revision', async () => {
    const exam = await room.make('exam', ['echo PASS']);
    const path = `/api/admin/exams/${exam}/regrade`;
    assert.equal((await room.server.post(path, room.admin.token, {})).code, 'attempt_not_graded');
    const student = await room.server.user();
    const attempt = await room.finish(student, 'exam', exam, [true]);
    assert.equal((await room.server.post(path, room.admin.token, { revision: 99 })).code, 'not_found');
    assert.equal((await room.server.post(`${attemptPath(attempt)}/regrade`, student.token, {})).status, 403);
    assert.equal(
      (await room.server.post('/api/instructor/attempts/2000000000/regrade', room.admin.token, {})).status,
      404,
    );
  });

  it('are graded by another process where the first one has died', async () => {
    const exam = await room.make('exam', ['echo PASS']);
    const [made] = await submitted(exam, ['true']);
    // As a process leaves it that is killed after the request.
    const { id } = await db()
      .insertInto('regrades')
      .values({ kind: 'exam', assessment_id: exam, reason: 'x', requested_by: room.admin.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('regrade_attempts')
      .values({ regrade_id: id, attempt_id: made?.attempt ?? 0 })
      .execute();
    await room.server.application.regrades.run();
    assert.deepEqual((await ready(id)).differences, []);
  });

  /** Attempts of answers alone, by their texts. */
  async function answered(exam: number, task: number, texts: readonly string[]): Promise<number[]> {
    const attempts: number[] = [];
    for (const text of texts) {
      const { token } = await room.server.user();
      const { attempt_id } = await good(room.server.post(`/api/exams/${exam}/start`, token));
      await good(room.server.put(`/api/exams/attempts/${attempt_id}/answers/${task}`, token, { text }));
      await good(room.server.post(`/api/exams/${exam}/submit`, token));
      attempts.push(attempt_id);
    }
    return attempts;
  }
  const answerTask = { title: 'Name', points: 2, kind: 'answer', accepted: ['ssh'] };

  // Long: a wrong accepted answer is corrected, and one result was given by a person.
  it('of answers alone get the points of a corrected answer, without a machine', async () => {
    const exam = await room.make('exam', [], { passing_score: 1 });
    const tasks = `/api/admin/exams/${exam}/tasks`;
    const { id: task } = await good(room.server.post(tasks, room.admin.token, answerTask));
    const [gains, stays, loses, decided] = await answered(exam, task, ['telnet', 'ftp', 'ssh', 'telnet']);
    await good(
      room.server.put(`${attemptPath(decided ?? 0)}/results/${task}`, room.admin.token, {
        ...{ points_earned: 0.5, reason: 'Nearly', revision: 0 },
      }),
    );
    const same = await regrade(`/api/admin/exams/${exam}`);
    assert.deepEqual((await ready(same.id)).differences, [], 'nothing has changed');
    await good(room.server.put(`${tasks}/${task}`, room.admin.token, { accepted: ['telnet'] }));
    const { revision } = await good(room.server.get(`/api/admin/exams/${exam}`, room.admin.token));
    const { id } = await regrade(`/api/admin/exams/${exam}`, { revision });
    const end = await ready(id);
    assert.deepEqual(verdicts(end.differences), [
      [gains, 0, 2],
      [loses, 2, 0],
    ]);
    assert.deepEqual([end.skipped, end.gain_count, end.lose_count, end.total], [[], 1, 1, 4]);
    assert.ok(end.differences.every(({ is_deterministic: is }: { is_deterministic: boolean }) => is));
    await good(room.server.post(`/api/instructor/regrades/${id}/apply`, room.admin.token));
    const scores = [];
    for (const attempt of [gains, stays, loses, decided]) scores.push((await resultOf(attempt ?? 0)).score);
    assert.deepEqual(scores, [2, 0, 0, 0.5]);
  });

  it('get the points of answers where what they left on the machine is gone', async () => {
    const exam = await room.make('exam', ['echo PASS']);
    const tasks = `/api/admin/exams/${exam}/tasks`;
    const { id: task } = await good(room.server.post(tasks, room.admin.token, answerTask));
    const [attempt] = await answered(exam, task, ['telnet']);
    await until(
      async () => (await db().selectFrom('containers').selectAll().execute()).length === 0,
      'the end of the machine',
    );
    await db().deleteFrom('attempt_evidence').execute();
    await good(room.server.put(`${tasks}/${task}`, room.admin.token, { accepted: ['telnet'] }));
    const { revision } = await good(room.server.get(`/api/admin/exams/${exam}`, room.admin.token));
    const sameCheck = await ready((await regrade(attemptPath(attempt ?? 0), { revision })).id);
    assert.deepEqual([verdicts(sameCheck.differences), sameCheck.skipped], [[[attempt, 0, 2]], []]);
    const other = await correct(exam, 0, 'echo FAIL');
    const { differences, skipped } = await ready((await regrade(attemptPath(attempt ?? 0), { revision: other })).id);
    assert.deepEqual(verdicts(differences), [[attempt, 0, 2]]);
    assert.deepEqual(skipped, [{ attempt_id: attempt, reason: 'evidence_gone' }]);
  });

  it('keep results whose checks miss processes that are not restored, unless the check is stricter', async () => {
    const exam = await room.make('exam', ['pgrep -x -f "sleep 4242" && echo PASS', '[ -e /srv/made ] && echo PASS']);
    const [made] = await submitted(exam, ['touch /srv/made; setsid sleep 4242 </dev/null >/dev/null 2>&1 &']);
    const attempt = made?.attempt ?? 0;
    assert.equal((await resultOf(attempt)).score, 3);
    const own = await ready((await regrade(attemptPath(attempt))).id);
    assert.deepEqual([own.differences, own.kept.length, own.lose_count], [[], 1, 0]);
    await correct(exam, 0, 'pgrep -x -f "sleep 4243" && echo PASS');
    const revision = await correct(exam, 1, '[ -e /srv/other ] && echo PASS');
    const other = await ready((await regrade(attemptPath(attempt), { revision })).id);
    assert.deepEqual([verdicts(other.differences), other.kept.length], [[[attempt, 2, 0]], 1]);
    await good(room.server.post(`/api/instructor/regrades/${other.id}/apply`, room.admin.token));
    assert.equal((await resultOf(attempt)).score, 1);
  });

  it('keep results that a service gives which reads its files anew', async () => {
    // The service has not read what was written after its start, so the check fails until the machine is made again.
    const check = 'cmp -s /srv/read /srv/written && echo PASS';
    const exam = await room.make('exam', [check], { container_image: 'platform-exam-linux-services' });
    const unit = '[Service]\nExecStart=/bin/bash -c "cat /srv/written >/srv/read; exec sleep infinity"';
    const [made] = await submitted(exam, [
      `echo 1 >/srv/written; printf '${unit}\n' >/etc/systemd/system/reader.service; systemctl start reader; until [ -s /srv/read ]; do sleep 0.1; done; echo 2 >/srv/written`,
    ]);
    assert.equal((await resultOf(made?.attempt ?? 0)).score, 0);
    const again = await ready((await regrade(attemptPath(made?.attempt ?? 0))).id);
    assert.deepEqual([again.differences, again.kept.length], [[], 1]);
  });

  // Long: who sees which regrades.
  it('are listed for who may see them, newest first', async () => {
    const exam = await room.make('exam', []);
    const path = `/api/admin/exams/${exam}/tasks`;
    const { id: task } = await good(room.server.post(path, room.admin.token, answerTask));
    await answered(exam, task, ['ssh']);
    const ids: number[] = [];
    for (const reason of ['First', 'Second']) {
      const { id } = await regrade(`/api/admin/exams/${exam}`, { reason });
      await ready(id);
      ids.unshift(id);
    }
    const list = (query: string, { token } = room.admin) =>
      good(room.server.get(`/api/instructor/regrades?${query}`, token));
    const [second, first] = await list(`exam_id=${exam}`);
    assert.deepEqual([second.id, first.id], ids);
    assert.deepEqual(
      [first.reason, first.requested_by, first.total, first.done, first.status, first.is_decider],
      ['First', room.admin.username, 1, 1, 'ready', true],
    );
    assert.equal((await list(`exam_id=${exam}&page=2&page_size=1`))[0].id, first.id);
    assert.deepEqual(await list(`laboratory_id=${exam}`), []);
    assert.deepEqual(await list('session_id=2000000000'), []);
    // An instructor who sees all attempts sees what others have requested, and does not decide about it.
    const [seen] = await list(`exam_id=${exam}`, room.instructor);
    assert.deepEqual([seen.id, seen.is_decider], [second.id, false]);
    const one = `/api/instructor/regrades/${seen.id}`;
    assert.equal((await good(room.server.get(one, room.instructor.token))).is_decider, false);
    assert.equal((await room.server.post(`${one}/drop`, room.instructor.token)).status, 404);
    assert.equal((await room.server.get('/api/instructor/regrades', (await room.server.user()).token)).status, 403);
  });

  it('are hidden from instructors who do not see all of their attempts', async () => {
    await using narrow = await Classroom.open({ INSTRUCTOR_SCOPE: 'classes' });
    const { server, admin, instructor } = narrow;
    const exam = await narrow.make('exam', ['echo PASS']);
    const students = [await server.user(), await server.user()];
    const classId = await schoolClass(server, instructor, []);
    const member = { user_id: students[0]?.id };
    await good(server.post(`/api/classes/${classId}/members`, admin.token, member));
    const { db: own } = server.application;
    const seen: number[][] = [];
    for (const some of [students.slice(0, 1), students]) {
      for (const student of some) await narrow.finish(student, 'exam', exam, [true]);
      const { id } = await good(server.post(`/api/admin/exams/${exam}/regrade`, admin.token, {}));
      const { status } = await server.get(`/api/instructor/regrades/${id}`, instructor.token);
      const listed = await good(server.get('/api/instructor/regrades', instructor.token));
      seen.push([status, listed.length]);
    }
    assert.deepEqual(seen, [
      [200, 1],
      [404, 1],
    ]);
    await own.deleteFrom('users').where('id', '=', admin.id).execute();
    const [{ requested_by, reason }] = await good(server.get('/api/instructor/regrades', instructor.token));
    assert.deepEqual([requested_by, reason], [null, 'Graded again'], 'the history outlives its account');
  });
});
