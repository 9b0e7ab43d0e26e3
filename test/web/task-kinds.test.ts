import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { CourseStaffWorld } from '../api/course-staff-world.ts';
import { image, makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('kinds of tasks in the editor', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const add = async (page: Page, title: string, kind: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Kind', { exact: true }).selectOption(kind);
  };
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
  };
  const addChoices = async (page: Page, ...texts: string[]): Promise<void> => {
    for (const [index, text] of texts.entries()) {
      await page.getByRole('button', { name: 'Add a choice' }).click();
      await page
        .getByLabel(`Choice ${index + 1}`, { exact: true })
        .and(page.locator(':focus'))
        .fill(text);
    }
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  const tasksOf = async (path: string, user: TestUser): Promise<any[]> =>
    (await server.get(path, user.token)).body.tasks;

  // Long: one task of each kind, in one form.
  it('are chosen, edited with the fields of each, and tried without a machine', async (t) => {
    const exam = await makeAssessment(server, admin, 'exam', [], { is_active: false, title: 'Kinds' });
    const page = await visitors.comeAs(t, admin, `/administration/exams/${exam}`);
    await add(page, 'Which file?', 'choice');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter at least two choices.').waitFor();
    await addChoices(page, '`/etc/hosts`', '`/etc/passwd`', '`/etc/fstab`');
    await page.getByText('Mark exactly one choice as right, or allow several.').waitFor();
    await page.getByLabel('Choice 2 is right').check();
    await page.getByRole('button', { name: 'Move choice 2 up' }).click();
    await page.getByRole('button', { name: 'Delete choice 3' }).click();
    assert.equal(await page.getByLabel('Choice 1', { exact: true }).inputValue(), '`/etc/passwd`');
    await assertAccessible(page, 'the editor of choices');

    await add(page, 'How large?', 'answer');
    await page.getByLabel('The answer is a number').check();
    await page.getByLabel('Accepted answers').fill('4096\n4 kB');
    await page.getByLabel('Tolerance').fill('0,5');
    await page.getByLabel('Unit').fill('bytes');
    await add(page, 'Send it', 'file');
    await add(page, 'Why?', 'essay');
    await page.getByText('People grade this task.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The service says what no form can.
    await page.getByText('4 kB is not a number such as 12, -0.5 or 1e3.').first().waitFor();
    await page.getByLabel('Accepted answers').fill('4096');
    await save(page);

    const [which, size, file, essay] = await tasksOf(`/api/admin/exams/${exam}`, admin);
    assert.deepEqual(
      which.choices.map(({ text, is_correct }: { text: string; is_correct: boolean }) => [text, is_correct]),
      [
        ['`/etc/passwd`', true],
        ['`/etc/hosts`', false],
      ],
    );
    const { accepted, is_numeric, tolerance, unit } = size;
    assert.deepEqual(
      { accepted, is_numeric, tolerance, unit },
      { accepted: ['4096'], is_numeric: true, tolerance: 0.5, unit: 'bytes' },
    );
    assert.deepEqual([file.kind, file.path, essay.kind], ['file', null, 'essay']);

    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await page.getByText('Everything works as expected').waitFor();
    const trial = page.getByRole('region', { name: 'How large?' });
    await trial.getByText('A right answer').waitFor();
    await page.getByRole('region', { name: 'Why?' }).getByText('People grade this task.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published', { exact: true }).waitFor();
    await page.setViewportSize(phone);
    await page.getByRole('tab', { name: 'Tasks' }).click();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  it('are edited by the staff of a course, and read by its viewers', async (t) => {
    const world = await CourseStaffWorld.make(server);
    const [owner, viewer] = [await server.user('instructor'), await server.user('instructor')];
    const { course } = await world.course(owner);
    const path = `/api/teaching/courses/${course}`;
    const staff = await server.post(`${path}/staff`, owner.token, { user_id: viewer.id, role: 'viewer' });
    assert.ok(staff.status < 300, staff.text);
    const fields = {
      title: 'Draft',
      time_limit_minutes: 30,
      passing_score: 1,
      container_image: image,
      is_active: false,
    };
    const exam = await server.post(`${path}/exams`, owner.token, fields);
    assert.equal(exam.status, 201, exam.text);
    const address = `/teaching/courses/${course}/exams/${exam.body.id}`;
    const page = await visitors.comeAs(t, owner, address);
    await add(page, 'Which?', 'choice');
    await page.getByLabel('Several can be chosen').check();
    await page.getByLabel('Partial credit').check();
    await addChoices(page, 'nginx', 'postgresql', 'passwd');
    await page.getByLabel('Choice 1 is right').check();
    await page.getByLabel('Choice 2 is right').check();
    await save(page);
    const found = (await tasksOf(`${path}/exams/${exam.body.id}`, owner)).at(-1);
    assert.deepEqual([found.kind, found.is_multiple, found.has_partial_credit], ['choice', true, true]);

    await visitors.openAs(page, viewer, address);
    const first = page.getByLabel('Choice 1', { exact: true });
    assert.equal(await first.inputValue(), 'nginx');
    assert.ok(await first.isDisabled());
    assert.equal(await page.getByRole('button', { name: 'Add a choice' }).count(), 0);
  });
});
