import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { ApiDocument } from '../documented-answers.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const path = '/api/exam-sessions';
/** Values that no other part of an answer has. */
const score = 864_213;
const output = 'canary of an output';
const conclusion = 'canary of a conclusion';

describeLong('results of an exam session', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let reads: string[];
  before(async () => {
    server = await TestServer.start();
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    const { paths } = (await server.get('/api/openapi.json')).body as ApiDocument;
    reads = Object.keys(paths).filter((at) => at.startsWith('/api/') && paths[at]?.['get']);
  });
  after(() => server[Symbol.asyncDispose]());

  type Taken = { student: TestUser; session: { id: number }; ids: number[]; attempt: number };

  /** A student who has passed an exam in a session with the given fields. */
  async function taken(fields: object): Promise<Taken> {
    const student = await server.user();
    const course_id = (await server.post('/api/admin/lessons/courses', admin.token, { name: 'Course' })).body.id;
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id, conclusion });
    const class_id = await schoolClass(server, teacher, [student]);
    await server.put(`/api/classes/${class_id}`, teacher.token, { course_ids: [course_id] });
    await server.put(`/api/classes/${class_id}/grade-book`, teacher.token, { is_visible: true });
    const session = await openSession(server, teacher, { exam_id, class_id, ...fields });
    const attempt = await finishAttempt(server, student, 'exam', exam_id, [true]);
    const { db } = server.application;
    await db
      .updateTable('attempts')
      .set({ session_id: session.id, score, max_score: score + 1 })
      .where('id', '=', attempt)
      .execute();
    const result = { points: score, points_earned: score, output, remark: output };
    await db.updateTable('task_results').set(result).where('attempt_id', '=', attempt).execute();
    return { student, session, attempt, ids: [attempt, session.id, exam_id, class_id, course_id, student.id] };
  }

  const results = ({ attempt }: Taken, user: TestUser): Promise<Answer> =>
    server.get(`/api/exams/attempts/${attempt}/results`, user.token);
  /** What a student sees: nothing, the results without their output, or all. */
  async function seen(of: Taken): Promise<'nothing' | 'without output' | 'all'> {
    const { status, body } = await results(of, of.student);
    assert.equal(status, 200);
    const stats = (await server.get('/api/dashboard/stats', of.student.token)).body;
    const { scores } = (await server.get('/api/dashboard/analytics', of.student.token)).body;
    if (body.score === null) {
      assert.deepEqual([body.passed, body.results, body.conclusion, body.status], [null, [], null, 'finished']);
      assert.deepEqual(
        [stats.exams_passed, stats.average_score_percent, stats.exams_attempted, scores],
        [0, null, 1, []],
      );
      return 'nothing';
    }
    assert.deepEqual([body.score, body.passed, body.results[0].points_earned], [score, true, score]);
    assert.equal(body.conclusion, conclusion);
    assert.deepEqual([stats.exams_passed, scores.length, scores[0].score], [1, 1, score]);
    return body.results[0].output === '' ? 'without output' : 'all';
  }
  const change = (of: Taken, json: object) => server.put(`${path}/${of.session.id}`, teacher.token, json);

  it('that are withheld are in no answer to the student', async () => {
    const of = await taken({ results_visible: 'never' });
    let read = 0;
    for (const template of reads) {
      for (const id of template.includes('{') ? of.ids : [0]) {
        const at = template.replace(/\{[^}]+\}/g, String(id));
        const answer = await server.get(at, of.student.token);
        if (answer.status === 200) read += 1;
        const text = answer.text.toLowerCase();
        assert.ok(!text.includes(String(score)) && !text.includes('canary'), `${at}: ${text.slice(0, 500)}`);
        assert.ok(!/"passed": ?true/.test(text), at);
      }
    }
    assert.ok(read > 20, `${read} answers`);
    assert.equal(await seen(of), 'nothing');
    const forTeacher = (await results(of, teacher)).body;
    assert.deepEqual([forTeacher.score, forTeacher.passed, forTeacher.results[0].output], [score, true, output]);
    const progress = await server.get(`/api/classes/${of.ids[3]}/progress`, teacher.token);
    assert.equal(progress.body.students[0].results[0].score, score);
  });

  it('are shown at the end, after the close, or when they are released', async () => {
    const atEnd = await taken({});
    assert.equal(await seen(atEnd), 'all');
    await change(atEnd, { is_output_visible: false });
    assert.equal(await seen(atEnd), 'without output');

    const afterClose = await taken({ results_visible: 'after_close' });
    assert.equal(await seen(afterClose), 'nothing');
    await change(afterClose, { closes_at: minutes(-1) });
    assert.equal(await seen(afterClose), 'all');
    const own = `${path}/${afterClose.session.id}/accommodations/${afterClose.student.id}`;
    await server.put(own, teacher.token, { closes_at: minutes(30) });
    assert.equal(await seen(afterClose), 'nothing', "until the student's own close");
    await server.post(`${path}/${afterClose.session.id}/release`, teacher.token);
    assert.equal(await seen(afterClose), 'all');

    const released = await taken({
      results_visible: 'when_released',
      is_output_visible: false,
      closes_at: minutes(-1),
    });
    assert.equal(await seen(released), 'nothing');
    const answer = await server.post(`${path}/${released.session.id}/release`, teacher.token);
    assert.deepEqual([answer.status, answer.body.is_released], [200, true]);
    assert.equal((await server.post(`${path}/${released.session.id}/release`, teacher.token)).status, 200);
    assert.equal(await seen(released), 'without output');

    const never = await taken({ results_visible: 'never' });
    const refused = await server.post(`${path}/${never.session.id}/release`, teacher.token);
    assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
  });

  it('show no more after the deletion of the session, or of its class', async () => {
    const never = await taken({ results_visible: 'never' });
    assert.equal((await server.delete(`${path}/${never.session.id}`, teacher.token)).status, 200);
    assert.equal(await seen(never), 'nothing');
    const unreleased = await taken({ results_visible: 'when_released' });
    assert.equal((await server.delete(`/api/classes/${unreleased.ids[3]}`, teacher.token)).status, 200);
    assert.equal(await seen(unreleased), 'nothing');
    const partly = await taken({ is_output_visible: false });
    assert.equal((await server.delete(`${path}/${partly.session.id}`, teacher.token)).status, 200);
    assert.equal(await seen(partly), 'without output');
    const open = await taken({});
    assert.equal((await server.delete(`${path}/${open.session.id}`, teacher.token)).status, 200);
    assert.equal(await seen(open), 'all');
  });

  it('count by the best, the last or the first attempt in the progress of the class and in grade books', async () => {
    const of = await taken({});
    const { db } = server.application;
    const [, , exam_id = 0, class_id] = of.ids;
    const second = await finishAttempt(server, of.student, 'exam', exam_id, [false]);
    await db.updateTable('attempts').set({ session_id: of.session.id }).where('id', '=', second).execute();
    for (const [counted_attempt, expected] of [
      ['best', score],
      ['last', 0],
      ['first', score],
    ] as const) {
      await change(of, { counted_attempt });
      for (const figures of ['progress', 'grades']) {
        const [student] = (await server.get(`/api/classes/${class_id}/${figures}`, teacher.token)).body.students;
        assert.deepEqual(
          [student.results[0].score, student.results[0].passed, student.results[0].attempts],
          [expected, expected > 0, 2],
          `${figures}, ${counted_attempt}`,
        );
      }
      const book = await server.get(`/api/instructor/exams/${exam_id}/grade-book`, teacher.token);
      assert.equal(book.body.students[0].score, expected, counted_attempt);
    }
  });
});
