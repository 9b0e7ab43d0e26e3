import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { settledEvidence } from '../evidence-archive.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { good } from '../grading-class.ts';
import { describeLong } from '../rounds.ts';
import { runCommand } from '../run-command.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { tasksOfKinds } from '../task-kinds.ts';
import { until } from '../until.ts';

type Task = { id: number; title: string; points: number };
type Result = { task_id: number; points_earned: number; output: string };

/** Half of its points for the file that each student gets another name of, and half for a second one. */
const script = `n=0
[ -f "/home/student/$PARAM_NAME" ] && n=$((n + 1))
[ -f /home/student/second ] && n=$((n + 1))
echo "SCORE $n/2"`;
/** The same, corrected: an empty name was meant to be right as well. */
const corrected = script.replace('/second ]', '/second ] || [ -f /home/student/other ]');

describeLong('an exam with tasks of each kind', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let folder: string;
  before(async () => {
    room = await Classroom.open();
    folder = await mkdtemp(join(tmpdir(), 'graded-exam-'));
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const makeExam = async (): Promise<{ exam: number; tasks: Record<string, Task> }> => {
    const exam = await room.make('exam', [script], { passing_score: 9 });
    const path = `/api/admin/exams/${exam}/tasks`;
    const [check] = (await good(room.server.get(path, room.admin.token))) as [Task];
    const parameters = { name: { choice: ['apple', 'plum', 'pear'] } };
    await good(
      room.server.put(`${path}/${check.id}`, room.admin.token, {
        ...{ title: 'Files', description: 'Create `{{name}}`.', points: 4, has_partial_credit: true, parameters },
      }),
    );
    const { choice, answer, file, essay } = tasksOfKinds;
    for (const task of [choice, answer, file, essay]) await good(room.server.post(path, room.admin.token, task));
    const made: Task[] = await good(room.server.get(path, room.admin.token));
    return { exam, tasks: Object.fromEntries(made.map((task) => [task.title, task])) };
  };

  /** Each kind of work: all of it for every third student, and nothing in the file task of every fourth. */
  const take = async (student: TestUser, index: number, exam: number, session_id: number): Promise<number> => {
    const { server } = room;
    const start = await server.post(`/api/exams/${exam}/start`, student.token, { session_id });
    assert.equal(start.status, 201, start.text);
    const { attempt_id, container_name } = start.body;
    const shown = await good(server.get(`/api/exams/${exam}`, student.token));
    const name = /`(\w+)`/.exec(shown.tasks[0].description)?.[1];
    await room.asStudent(container_name, `cd /home/student; touch ${name}${index % 3 === 0 ? ' second' : ' other'}`);
    const path = `/api/exams/attempts/${attempt_id}/answers`;
    const answers = await good(server.get(path, student.token));
    for (const { task_id, kind, choices } of answers) {
      if (kind === 'choice') {
        const right = choices.filter(({ text }: { text: string }) => /^(chmod|umask)$/.test(text));
        const choice_ids = right.map(({ id }: { id: number }) => id).slice(0, index % 2 === 0 ? 2 : 1);
        await good(server.put(`${path}/${task_id}`, student.token, { choice_ids }));
      }
      if (kind === 'answer') await good(server.put(`${path}/${task_id}`, student.token, { text: '42.4 GiB' }));
      if (kind === 'essay') await good(server.put(`${path}/${task_id}`, student.token, { text: `# Text ${index}` }));
      if (kind === 'file' && index % 4 !== 0) {
        const form = new FormData();
        form.append('file', new Blob([`report ${index}`]), 'report.txt');
        const sent = await server.request('PUT', `${path}/${task_id}`, { token: student.token, body: form });
        assert.equal(sent.status, 200, sent.text);
      }
    }
    const submitted = await good(server.post(`/api/exams/${exam}/submit`, student.token));
    assert.deepEqual(
      [submitted.status, submitted.is_awaiting_grading, submitted.score, submitted.passed],
      ['finished', true, null, null],
    );
    return attempt_id;
  };

  // Long: the whole way of one exam, as a class, its graders and an administrator go it.
  it('is taken by twelve, graded by two, corrected, reviewed and proven', async () => {
    const { server, admin, instructor: teacher } = room;
    const colleague = await server.user('instructor');
    const students = await Promise.all(Array.from({ length: 12 }, () => server.user()));
    const { exam, tasks } = await makeExam();
    const classId = await schoolClass(server, teacher, students);
    const member = { user_id: colleague.id, role: 'instructor' };
    await good(server.post(`/api/classes/${classId}/members`, admin.token, member));
    const plan = { exam_id: exam, class_id: classId, results_visible: 'at_end', review_days: 7 };
    const session = await openSession(server, teacher, plan);
    const attempts: number[] = [];
    for (let first = 0; first < students.length; first += 4) {
      const some = students.slice(first, first + 4);
      attempts.push(...(await Promise.all(some.map((one, index) => take(one, first + index, exam, session.id)))));
    }
    const seenBy = async (attempt: number, { token }: TestUser) =>
      await good(server.get(`/api/instructor/attempts/${attempt}`, token));
    const states = await Promise.all(attempts.map(async (attempt) => (await seenBy(attempt, teacher)).state));
    assert.equal(new Set(states.map(({ revision }) => revision)).size, 1, 'they have one revision');
    assert.equal(new Set(states.map((state) => state.tasks[0].description)).size, 3, 'in three variants');

    // Two people grade at the same time, and meet at one result.
    const decide = (attempt: number, task: string, by: TestUser, points_earned: number, revision = 0) =>
      server.put(`/api/instructor/attempts/${attempt}/results/${tasks[task]?.id}`, by.token, {
        ...{ points_earned, reason: 'Read', revision },
      });
    const [met = 0] = attempts;
    const both = await Promise.all([decide(met, 'Explain', teacher, 4), decide(met, 'Explain', colleague, 3)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.ok(both.some(({ code }) => code === 'graded_meanwhile'));
    await Promise.all([
      (async () => {
        for (const attempt of attempts.slice(1)) await good(decide(attempt, 'Explain', teacher, 4));
      })(),
      (async () => {
        for (const attempt of attempts) await good(decide(attempt, 'Upload', colleague, 3));
      })(),
    ]);
    const scoreOf = async (attempt: number): Promise<number> => (await seenBy(attempt, teacher)).score;
    for (const attempt of attempts) assert.equal((await seenBy(attempt, teacher)).is_awaiting_grading, false);
    const before = await Promise.all(attempts.map(scoreOf));
    // Files 2 of 4 (all of it: 4), choice 4 or 2, answer 2, upload 3, essay 4.
    assert.deepEqual([before[2], before[3]], [2 + 4 + 2 + 3 + 4, 4 + 2 + 2 + 3 + 4]);

    // One attempt is given back, with its files.
    const [again = 0] = attempts.slice(1);
    const [, returned] = students as [TestUser, TestUser];
    await until(async () => {
      const evidence = await server.get(`/api/instructor/attempts/${again}`, teacher.token);
      return evidence.body.container_id === null;
    }, 'the end of the machine');
    const reopened = await good(
      server.post(`/api/instructor/attempts/${again}/reopen`, teacher.token, { minutes: 10 }),
    );
    assert.equal(reopened.status, 'in_progress');
    await room.asStudent(
      reopened.container_name,
      'cd /home/student; ls | grep -qE "^(apple|plum|pear)$" && touch second',
    );
    await good(server.post(`/api/exams/${exam}/submit`, returned.token));
    await good(decide(again, 'Explain', teacher, 4));
    await good(decide(again, 'Upload', colleague, 3));
    assert.equal(await scoreOf(again), (before[1] ?? 0) + 2);

    // The check is corrected, and all are graded again by it.
    const change = { verification_script: corrected };
    await good(server.put(`/api/admin/exams/${exam}/tasks/${tasks['Files']?.id}`, admin.token, change));
    const { revision } = await good(server.get(`/api/admin/exams/${exam}`, admin.token));
    // Until then an attempt would be left out.
    for (const attempt of attempts) await settledEvidence(server, teacher, attempt);
    const asked = await server.post(`/api/exam-sessions/${session.id}/regrade`, teacher.token, { revision });
    assert.equal(asked.status, 202, asked.text);
    const regrade = async () => await good(server.get(`/api/instructor/regrades/${asked.body.id}`, teacher.token));
    await until(async () => (await regrade()).status === 'ready', 'the comparison', 300_000);
    const { differences, skipped } = await regrade();
    assert.deepEqual(skipped, []);
    const gains = attempts.filter((attempt, index) => index % 3 !== 0 && attempt !== again);
    assert.deepEqual(
      differences.map(
        ({ attempt_id, before: was, after: is }: { attempt_id: number; before: Result; after: Result }) => [
          ...[attempt_id, was.points_earned, is.points_earned],
        ],
      ),
      gains.toSorted((one, other) => one - other).map((attempt) => [attempt, 2, 4]),
    );
    await good(server.post(`/api/instructor/regrades/${asked.body.id}/apply`, teacher.token));
    for (const [index, attempt] of attempts.entries())
      assert.equal(await scoreOf(attempt), (before[index] ?? 0) + (index % 3 === 0 ? 0 : 2), `attempt ${index}`);

    // One asks for a review, which is granted.
    const [, , reviewed] = students as [TestUser, TestUser, TestUser];
    const [, , attempt = 0] = attempts;
    const request = { text: 'I think the text deserves more' };
    await good(server.post(`/api/exams/attempts/${attempt}/review-request`, reviewed.token, request));
    const [open] = await good(server.get('/api/instructor/review-requests', teacher.token));
    await good(decide(attempt, 'Explain', teacher, 5, 1));
    const answer = { outcome: 'granted', text: 'Right' };
    await good(server.put(`/api/instructor/review-requests/${open.id}`, teacher.token, answer));
    const mine = await good(server.get(`/api/exams/attempts/${attempt}/results`, reviewed.token));
    assert.equal(mine.score, (before[2] ?? 0) + 2 + 1);

    // What is left of it is proven elsewhere, without the database.
    const csv = await server.get(`/api/instructor/exams/${exam}/grade-book/export`, teacher.token);
    assert.equal(csv.status, 200, csv.text);
    for (const { username } of students) assert.ok(csv.text.includes(username), username);
    const kept = await server.request('GET', `/api/instructor/attempts/${attempt}/evidence`, { token: teacher.token });
    const file = join(folder, 'evidence.tar');
    await writeFile(file, kept.bytes);
    const verified = await runCommand('verify-evidence', file);
    assert.equal(verified.code, 0, verified.output);
    assert.match(verified.output, /complete and unchanged/);
  });
});
