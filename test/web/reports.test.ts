import { after, before, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('reported tasks in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let owner: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    owner = await server.user('instructor');
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: one report on the pages of both sides.
  it('reach the staff of the course, and their answer the student', async (t) => {
    const admin = await server.user('admin');
    const { body: course } = await server.post('/api/teaching/courses', owner.token, { name: 'Shell' });
    const exam = await makeAssessment(server, admin, 'exam', ['echo FAIL'], { title: 'Final', course_id: course.id });
    const student = await server.user();
    const attempt = await finishAttempt(server, student, 'exam', exam, [false]);
    const results = await visitors.comeAs(t, student, `/exams/results/${attempt}`);
    const staff = await visitors.comeAs(t, owner, '/');
    await results.getByRole('button', { name: /^Something is wrong with this task/ }).click();
    const dialog = results.getByRole('dialog', { name: 'Something is wrong with “Task 1”' });
    await dialog.getByLabel('What is wrong?').fill('The path is wrong');
    await assertAccessible(results, 'the form of a report');
    await dialog.getByRole('button', { name: 'Report' }).click();
    await results.getByText('There is no answer yet.').waitFor();
    await assertAccessible(results, 'a reported task');

    await staff.getByRole('button', { name: /^Notifications/ }).click();
    await staff.getByRole('link', { name: /A task of “Final” was reported/ }).click();
    const reported = staff.getByRole('region', { name: 'Reported tasks' });
    await reported.getByText('The path is wrong').waitFor();
    await reported.getByText('Last output of the check').click();
    await assertAccessible(staff, 'reported tasks of a course');
    await reported.getByRole('button', { name: /^Answer/ }).click();
    const form = staff.getByRole('dialog', { name: 'Answer Task 1' });
    await form.getByLabel('Your answer').fill('It is /srv/data');
    await form.getByRole('button', { name: 'Answer' }).click();
    await reported.waitFor({ state: 'detached' });
    // The notification renews the page that is open.
    await results.getByText('It is /srv/data').waitFor();
    await results.getByText(owner.username, { exact: true }).waitFor();
    await results.getByRole('button', { name: /^Report this task again/ }).waitFor();
  });
});
