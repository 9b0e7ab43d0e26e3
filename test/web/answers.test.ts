import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const choices = [{ text: '`/etc/passwd`', is_correct: true }, { text: '`/etc/hosts`' }, { text: '`/etc/fstab`' }];
const tasks = [
  { kind: 'choice', title: 'Accounts', points: 1, choices },
  {
    ...{ kind: 'choice', title: 'Services', points: 2, is_multiple: true, has_partial_credit: true },
    choices: [{ text: 'nginx', is_correct: true }, { text: 'postgresql', is_correct: true }, { text: 'passwd' }],
  },
  { kind: 'answer', title: 'Size', points: 1, accepted: ['4096'], is_numeric: true, tolerance: 1, unit: 'bytes' },
  { kind: 'file', title: 'Report', points: 2 },
  { kind: 'essay', title: 'Reasons', points: 4 },
];

describeLong('answers in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let exam: number;

  before(async () => {
    // No task needs a machine, so the service needs no engine.
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    admin = await server.user('admin');
    exam = await makeAssessment(server, admin, 'exam', [], { title: 'On paper', passing_score: 6 });
    for (const task of tasks) {
      const { status, text } = await server.post(`/api/admin/exams/${exam}/tasks`, admin.token, {
        description: `About ${task.title.toLowerCase()}`,
        ...task,
      });
      assert.equal(status, 201, text);
    }
  });
  after(() => server?.[Symbol.asyncDispose]());

  const started = async (): Promise<{ student: TestUser; attemptId: number }> => {
    const student = await server.user();
    const { status, body, text } = await server.post(`/api/exams/${exam}/start`, student.token);
    assert.equal(status, 201, text);
    return { student, attemptId: body.attempt_id };
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  const answersOf = async (student: TestUser, attemptId: number): Promise<any[]> =>
    (await server.get(`/api/exams/attempts/${attemptId}/answers`, student.token)).body;
  const taskOf = (page: Page, title: string) => page.getByRole('article', { name: new RegExp(`^\\d\\. ${title}`) });
  const saved = (page: Page, title: string) => taskOf(page, title).getByText('Saved', { exact: true }).waitFor();
  const essayOf = (page: Page) => taskOf(page, 'Reasons').getByRole('textbox');
  const submit = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Submit' }).click();
    await answer(page, 'Submit');
    await page.waitForURL(/\/exams\/results\/\d+$/);
  };

  // Long: one attempt with an answer of each kind, from its first to the page after a reload.
  it('are saved by themselves, without a machine, and are there after a reload', async (t) => {
    const { student, attemptId } = await started();
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Terminal' }).count(), 0);
    // By the keyboard, in the order of the service.
    const accounts = taskOf(page, 'Accounts');
    await accounts.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await accounts.getByRole('radio', { checked: true }).waitFor();
    await accounts.getByRole('radio', { name: '/etc/passwd' }).check();
    await saved(page, 'Accounts');
    for (const name of ['nginx', 'passwd']) await taskOf(page, 'Services').getByRole('checkbox', { name }).check();
    await taskOf(page, 'Size').getByRole('textbox').fill('4097');
    await taskOf(page, 'Size').getByText('bytes').waitFor();
    await essayOf(page).fill('Because of **this**');
    await taskOf(page, 'Reasons')
      .getByRole('button', { name: /^Preview/ })
      .click();
    await taskOf(page, 'Reasons').locator('strong').getByText('this').waitFor();
    const chosen = page.waitForEvent('filechooser');
    await taskOf(page, 'Report').getByRole('button', { name: 'Choose a file' }).click();
    await (await chosen).setFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('All is well') });
    for (const { title } of tasks) await saved(page, title);
    await taskOf(page, 'Report').getByText('11 bytes').waitFor();
    await assertAccessible(page, 'an attempt with answers');

    await page.reload();
    await taskOf(page, 'Accounts').getByRole('radio', { name: '/etc/passwd', checked: true }).waitFor();
    assert.equal(await taskOf(page, 'Services').getByRole('checkbox', { checked: true }).count(), 2);
    assert.equal(await taskOf(page, 'Size').getByRole('textbox').inputValue(), '4097');
    assert.equal(await essayOf(page).inputValue(), 'Because of **this**');
    const download = page.waitForEvent('download');
    await taskOf(page, 'Report').getByRole('button', { name: 'Download' }).click();
    assert.equal((await download).suggestedFilename(), 'report.txt');
    assert.equal((await answersOf(student, attemptId)).filter(({ saved_at }) => saved_at !== null).length, 5);
    await page.setViewportSize(phone);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await assertAccessible(page, 'an attempt with answers on a phone');
  });

  it('are kept while the service cannot be reached, and sent when it can', async (t) => {
    const { student, attemptId } = await started();
    const page = await visitors.comeAs(t, student, `/exams/${exam}`, { isNew: true });
    await essayOf(page).fill('Before');
    await saved(page, 'Reasons');
    await page.context().setOffline(true);
    await essayOf(page).fill('Without a connection');
    await taskOf(page, 'Reasons')
      .getByText(/^Not saved: /)
      .waitFor();
    await assertAccessible(page, 'an answer that is not saved');
    await page.context().setOffline(false);
    await saved(page, 'Reasons');
    assert.equal((await answersOf(student, attemptId)).at(-1).text, 'Without a connection');

    // A page that is closed before it could send keeps the answer for the next one.
    const path = `**/attempts/${attemptId}/answers/*`;
    await page.route(path, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await essayOf(page).fill('In a lost page');
    await taskOf(page, 'Reasons')
      .getByText(/^Not saved: /)
      .waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await essayOf(page).and(page.locator(':enabled')).waitFor();
    await page.unroute(path);
    assert.equal(await essayOf(page).inputValue(), 'In a lost page');
    await until(async () => (await answersOf(student, attemptId)).at(-1).text === 'In a lost page', 'the kept answer');
  });

  it('are at the place of a file that is taken from the machine, where nothing else is answered', async (t) => {
    const { student } = await started();
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await taskOf(page, 'Report').waitFor();
    await page.route(`**/api/exams/${exam}`, async (route) => {
      const response = await route.fetch();
      const { tasks: all, ...rest } = await response.json();
      const files = all.filter(({ kind }: { kind: string }) => kind === 'file');
      const collected = files.map((task: object) => ({ ...task, path: '/home/student/report.txt' }));
      await route.fulfill({ response, json: { ...rest, tasks: collected } });
    });
    await page.reload();
    await taskOf(page, 'Report')
      .getByText('Taken from your machine when you submit: /home/student/report.txt')
      .waitFor();
    assert.equal(await taskOf(page, 'Report').getByText('No answer yet').count(), 0);
  });

  // Long: one attempt, from its submission to the score that a person gives.
  it('are saved before a submission, which names those that are missing, and await a person', async (t) => {
    const { student, attemptId } = await started();
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await taskOf(page, 'Accounts').getByRole('radio', { name: '/etc/hosts' }).check();
    await taskOf(page, 'Size').getByRole('textbox').fill('4096 bytes');
    await essayOf(page).fill('Typed last');
    await page.getByRole('button', { name: 'Submit' }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByText('No answer yet to:').waitFor();
    assert.deepEqual(await asked.getByRole('listitem').allTextContents(), ['Services', 'Report']);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await submit(page);
    await page.getByText('Awaits grading by a person').first().waitFor();
    assert.equal((await answersOf(student, attemptId)).at(-1).text, 'Typed last');
    await assertAccessible(page, 'results that await grading');

    const staff = await visitors.comeAs(t, admin, `/teaching/attempts/${attemptId}`);
    await staff.getByText('Typed last').waitFor();
    await staff.getByText('No answer.').first().waitFor();
    await staff.getByText('Right', { exact: true }).first().waitFor();
    await staff.getByText('4096 ± 1 bytes').waitFor();
    await staff.getByText('Awaits grading', { exact: true }).first().waitFor();
    await assertAccessible(staff, 'an attempt with answers as staff');
    const grader = await visitors.comeAs(t, admin, `/teaching/grading?exam_id=${exam}`);
    await grader.getByText('Typed last').waitFor();
    await assertAccessible(grader, 'an essay that is graded');
    await grader.getByRole('button', { name: /^Size/ }).click();
    await grader.getByText('4096 ± 1 bytes').waitFor();
    await grader.getByRole('button', { name: /^Services/ }).click();
    await grader.getByText('No answer.').waitFor();
    assert.equal(await grader.getByText('Not answered.').count(), 0);
    await grader.getByRole('button', { name: 'Comment', exact: true }).click();
    await grader.getByRole('dialog').getByLabel('Comment').waitFor();
    assert.equal(await grader.getByLabel('Line of the output').count(), 0, 'there is no output');
    await grader.keyboard.press('Escape');
    await grader.getByRole('button', { name: /^Accounts/ }).click();
    await grader.getByText('Right', { exact: true }).first().waitFor();
    await staff.getByRole('button', { name: /^Change points ?: Reasons$/ }).click();
    const dialog = staff.getByRole('dialog');
    await dialog.getByLabel(/^Points, at most/).fill('4');
    await dialog.getByLabel('Reason').fill('Read');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await staff.getByText('5 of 10').first().waitFor();

    await page.reload();
    await page.getByRole('heading', { name: 'Results by task' }).waitFor();
    await page.getByText('5 of 10 points').first().waitFor();
    await page.getByText('Typed last').waitFor();
    // What is right is released with the solutions only.
    assert.equal(await page.getByText('Right', { exact: true }).count(), 0);
  });
});
