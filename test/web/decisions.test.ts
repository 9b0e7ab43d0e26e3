import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('decisions about results in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let [student, teacher]: TestUser[] = [];
  let attempt: number;

  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    const admin = await server.user('admin');
    [student, teacher] = [await server.user(), await server.user('instructor')];
    const classId = await schoolClass(server, teacher, [student]);
    const exam = await makeAssessment(server, admin, 'exam', ['echo FAIL', 'echo PASS'], { title: 'Services' });
    const plan = { exam_id: exam, class_id: classId, results_visible: 'at_end', review_days: 7 };
    const session = await openSession(server, teacher, plan);
    attempt = await finishAttempt(server, student, 'exam', exam, [false, true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const as = (user: TestUser | undefined): TestUser => user ?? assert.fail('no such user');

  // Long: a student asks, an instructor decides and answers, the student reads it.
  it('are asked for, made with a reason, and read', async (t) => {
    const pupil = await visitors.comeAs(t, as(student), `/exams/results/${attempt}`);
    await pupil.getByRole('button', { name: 'Ask for a review' }).click();
    const asking = pupil.getByRole('dialog', { name: 'Ask for a review' });
    await asking.getByLabel('What should be looked at again, and why?').fill('Port 8080 was allowed');
    await asking.getByRole('button', { name: 'Ask for a review' }).click();
    await pupil.getByText('It has not been answered yet').waitFor();
    await assertAccessible(pupil, 'results with a request for a review');

    const page = await visitors.comeAs(t, as(teacher), '/');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByRole('link', { name: 'Requests for a review: 1' }).click();
    const queue = page.getByRole('region', { name: 'Requests for a review' });
    await queue.getByText('Port 8080 was allowed').waitFor();
    await queue.getByRole('link').click();
    await page.getByRole('heading', { name: 'The student asks for a review' }).waitFor();
    await page
      .getByRole('button', { name: /^Change points/ })
      .first()
      .click();
    const points = page.getByRole('dialog', { name: /^Points for/ });
    await points.getByLabel(/^Points, at most/).fill('0.5');
    await points.getByLabel('Reason').fill('It was allowed');
    await points.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Points changed from 0 to 0.5').waitFor();
    await page
      .getByRole('button', { name: /^Comment/ })
      .first()
      .click();
    const comment = page.getByRole('dialog', { name: /^Comment on/ });
    await comment.getByLabel('Comment').fill('See the port');
    await comment.getByLabel('Line of the output').fill('1');
    await comment.getByRole('button', { name: 'Save' }).click();
    await page.getByText('See the port').waitFor();
    await assertAccessible(page, 'an attempt with decisions');
    await page.getByRole('button', { name: 'Answer' }).click();
    const answer = page.getByRole('dialog', { name: 'Answer' });
    await answer.getByLabel('Answer').fill('You are right');
    await answer.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByText('The review was granted').waitFor();

    // The page that is open follows.
    for (const text of [
      'Points changed from 0 to 0.5',
      'It was allowed',
      'Line 1:',
      'The review was granted',
      'You are right',
    ])
      await pupil.getByText(text).first().waitFor();
    assert.equal(await pupil.getByRole('button', { name: 'Ask for a review' }).count(), 0);
  });

  it('of somebody else are not overwritten', async (t) => {
    const page = await visitors.comeAs(t, as(teacher), `/teaching/attempts/${attempt}`);
    await page
      .getByRole('button', { name: /^Change points/ })
      .last()
      .click();
    const points = page.getByRole('dialog', { name: /^Points for/ });
    await points.getByLabel(/^Points, at most/).fill('0');
    await points.getByLabel('Reason').fill('Not by you');
    const colleague = await server.user('admin');
    const { results } = (await server.get(`/api/instructor/attempts/${attempt}`, colleague.token)).body;
    const path = `/api/instructor/attempts/${attempt}/results/${results[1].task_id}`;
    const json = { points_earned: 0.25, reason: 'A part', revision: 0 };
    assert.equal((await server.put(path, colleague.token, json)).status, 200);
    await points.getByRole('button', { name: 'Save' }).click();
    await points.getByText('Somebody else was faster').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('A part', { exact: true }).waitFor();
    assert.equal(await page.getByText('Not by you').count(), 0);
  });
});
