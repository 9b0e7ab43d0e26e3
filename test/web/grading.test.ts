import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { awaitGrading, type GradingStaff, good, gradedSession, gradingStaff } from '../grading-class.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';

const folder = process.env['GRADING_PICTURES'];

describeLong('grading in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let staff: GradingStaff;

  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    staff = await gradingStaff(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const picture = async (page: Page, name: string): Promise<void> => {
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  };
  const decisionsOf = async (attempt: number) =>
    (await good(server.get(`/api/exams/attempts/${attempt}/feedback`, staff.admin.token))).decisions;

  // Long: one grader works through the students of a task by keyboard, while another one looks on.
  it('goes from student to student by keyboard, with a rubric that grows', async (t) => {
    const { exam, tasks, session, students } = await gradedSession(server, staff, { students: 3 });
    const address = `/teaching/grading?session_id=${session.id}&task_id=${tasks[0]}`;
    const page = await visitors.comeAs(t, staff.teacher, address);
    await page.getByText('1 of 3', { exact: true }).waitFor();
    for (const [text, points] of [
      ['Service runs', '3'],
      ['No comment', '-0.5'],
    ] as const) {
      await page.getByRole('button', { name: 'Add an item' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add an item' });
      await dialog.getByLabel('Text').fill(text);
      await dialog.getByLabel('Points').fill(points);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('checkbox', { name: text }).waitFor();
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    await page.getByText('2.5 of 5 points').waitFor();
    await assertAccessible(page, 'the grading page');
    await picture(page, 'grading-1280');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    const [first] = await decisionsOf(students[0]?.attempt ?? 0);
    assert.deepEqual([first.points_earned, first.rubric_items.length], [2.5, 2]);

    const other = await visitors.comeAs(t, staff.colleague, address);
    await other.getByRole('heading', { name: 'Task 1' }).waitFor();
    await other.keyboard.press('?');
    await other.getByRole('dialog', { name: 'Keys' }).waitFor();
    await other.keyboard.press('Escape');
    await until(async () => {
      await other.keyboard.press('ArrowLeft');
      return await other.getByText('2 of 3', { exact: true }).isVisible();
    }, 'the second student');
    await other.getByText(`${staff.teacher.username} is working on it`).waitFor();

    await page.getByRole('button', { name: 'Comment on line 1' }).click();
    const comment = page.getByRole('dialog', { name: 'Comment on “Line 1”' });
    await comment.getByLabel('Comment').fill('Why does it fail?');
    await comment.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Why does it fail?').waitFor();
    await page.getByLabel('Own points').fill('4');
    await page.getByLabel('Reason').fill('It runs by hand');
    await page.getByRole('button', { name: 'Save and next' }).click();
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await page.getByText('2 of 3', { exact: true }).first().waitFor();

    // What was graded changes after a look.
    await page.getByRole('button', { name: 'Change: Service runs' }).click();
    const change = page.getByRole('dialog', { name: 'Change the item' });
    await change.getByLabel('Points').fill('4');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Look' }).click();
    const changes = page.getByRole('dialog', { name: 'Changed rubric' });
    await changes.getByText('2.5 → 3.5').waitFor();
    await changes.getByRole('button', { name: 'Change these results' }).click();
    await page.getByText('One result was changed.', { exact: true }).first().waitFor();
    assert.equal((await decisionsOf(students[0]?.attempt ?? 0)).at(-1).points_earned, 3.5);
    assert.ok(exam > 0);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertAccessible(page, 'the grading page on a phone');
    await picture(page, 'grading-390');
  });

  it('is linked from the class and the room, with how many results await it', async (t) => {
    const { tasks, session, students, exam } = await gradedSession(server, staff, { students: 2 });
    await awaitGrading(server, students, tasks[0]);
    const page = await visitors.comeAs(t, staff.teacher, `/classes/${staff.classId}`);
    const link = page.getByRole('link', { name: 'Trial: 2 await grading' });
    await link.waitFor();
    await assertAccessible(page, 'a class whose results await grading');
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await picture(page, 'awaiting-390');
    await link.click();
    await page.waitForURL(new RegExp(`/teaching/grading\\?.*exam_id=${exam}`));
    await page.getByText('Only the students of one class.').waitFor();
    await page.getByText('2 await grading', { exact: true }).waitFor();
    const room = await visitors.comeAs(t, staff.teacher, `/classes/${staff.classId}/sessions/${session.id}`);
    await room.getByRole('link', { name: 'Trial: 2 await grading' }).click();
    await room.getByText('Only the attempts of one exam session.').waitFor();
    await room.getByText('1 of 2', { exact: true }).waitFor();
    // Also from the first page, and from the page of grading before anything is chosen.
    const first = await visitors.comeAs(t, staff.teacher, '/');
    const waits = first.getByRole('region', { name: 'Waiting for you' });
    await waits.getByRole('link', { name: 'Trial: 2 await grading' }).first().waitFor();
    await goTo(first, '/teaching/grading');
    await first.getByRole('link', { name: 'Trial: 2 await grading' }).first().click();
    await first.waitForURL(/\/teaching\/grading\?exam_id=\d+$/);
  });

  // Long: two graders of the same answers, what each of them sees, and an assistant.
  it('has two graders who do not see each other, and whose difference is settled', async (t) => {
    const { tasks, session, students, exam } = await gradedSession(server, staff, {
      ...{ students: 2, grader_tolerance_percent: 10, has_assistant_graders: true },
    });
    await awaitGrading(server, students, tasks[0]);
    for (const [text, points] of [
      ['Explains why', 3],
      ['With an example', 1],
    ] as const)
      await good(
        server.post(`/api/instructor/exams/${exam}/tasks/${tasks[0]}/rubric`, staff.teacher.token, { text, points }),
      );
    const address = `/teaching/grading?session_id=${session.id}&task_id=${tasks[0]}`;
    const page = await visitors.comeAs(t, staff.teacher, address);
    await page.getByText('Two people grade this, independently.').waitFor();
    await page.getByRole('checkbox', { name: 'Explains why' }).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('You have graded this.').waitFor();
    await page.getByText('Graded with 3 points').waitFor();

    const other = await visitors.comeAs(t, staff.colleague, `${address}`);
    await until(async () => {
      await other.keyboard.press('ArrowLeft');
      return await other.getByText('Somebody else has graded this.').isVisible();
    }, 'the answer that was graded once');
    await other.getByRole('checkbox', { name: 'Explains why' }).waitFor();
    assert.equal(await other.getByText('Graded with 3 points').count(), 0);
    await other.getByText('1 graded once').waitFor();
    await assertAccessible(other, 'the page of a second grader');
    await other.setViewportSize({ width: 1280, height: 800 });
    await picture(other, 'two-graders-1280');
    await other.setViewportSize({ width: 390, height: 844 });
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await picture(other, 'two-graders-390');
    await other.setViewportSize({ width: 1280, height: 800 });
    await other.keyboard.press('1');
    await other.keyboard.press('2');
    await other.getByText('4 of 5 points').waitFor();
    await other.keyboard.press('Enter');
    await other.getByText('1 to settle').waitFor();
    const reach = async (at: Page, key: string, text: string): Promise<void> =>
      await until(async () => {
        await at.keyboard.press(key);
        return await at.getByText(text).isVisible();
      }, text);
    await reach(other, 'ArrowLeft', 'Difference of the two graders in points: 1. Up to 0.5 would agree.');

    const assistant = await visitors.comeAs(t, staff.assistant, address);
    await reach(assistant, 'ArrowRight', 'Two people grade this, independently.');
    assert.equal(await assistant.getByRole('button', { name: 'Add an item' }).count(), 0);
    await reach(assistant, 'ArrowLeft', 'An instructor of the class decides.');
    assert.ok(
      await assistant
        .getByRole('button', { name: 'Save and next' })
        .or(assistant.getByRole('button', { name: 'Settle and next' }))
        .isDisabled(),
    );

    await page.reload();
    await page.getByText('Graders differ', { exact: true }).waitFor();
    await page.getByText('Graded with 4 points').waitFor();
    await page.getByLabel('Own points').fill('3.5');
    await page.getByLabel('Reason').fill('The example is half right');
    await assertAccessible(page, 'the page for who settles');
    await picture(page, 'settle-1280');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'settle-390');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Settle and next' }).click();
    await page.getByText('The points were changed.', { exact: true }).first().waitFor();
    const [decision, ...more] = await decisionsOf(students[0]?.attempt ?? 0);
    assert.deepEqual([decision.points_earned, decision.is_mean, more], [3.5, false, []]);
  });

  it('does not overwrite what somebody else has decided', async (t) => {
    const { tasks, session, students } = await gradedSession(server, staff);
    const page = await visitors.comeAs(
      t,
      staff.teacher,
      `/teaching/grading?session_id=${session.id}&task_id=${tasks[0]}`,
    );
    await page.getByLabel('Own points').fill('1');
    await page.getByLabel('Reason').fill('Not by you');
    const json = { points_earned: 2, reason: 'A part', revision: 0 };
    const path = `/api/instructor/attempts/${students[0]?.attempt}/results/${tasks[0]}`;
    await good(server.put(path, staff.colleague.token, json));
    await page.getByRole('button', { name: 'Save and next' }).click();
    await page.getByText('Somebody else was faster').waitFor();
    await page.getByText('A part', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Decide all the same' }).click();
    await page.getByRole('button', { name: 'Save and next' }).click();
    await page.getByText('Points changed from 2 to 1').waitFor();
  });

  it('stays at the result that it shows while others grade', async (t) => {
    const { tasks, session, students } = await gradedSession(server, staff, { students: 2 });
    const page = await visitors.comeAs(t, staff.teacher, `/teaching/grading?session_id=${session.id}`);
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await page.getByLabel('Reason').fill('Half way through');
    const path = `/api/instructor/attempts/${students[0]?.attempt}/results/${tasks[0]}`;
    await good(server.put(path, staff.colleague.token, { points_earned: 2, reason: 'A part', revision: 0 }));
    // The lists are read again after a change of the rubric, as they are every 20 seconds.
    await page.getByRole('button', { name: 'Add an item' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an item' });
    await dialog.getByLabel('Text').fill('Runs');
    await dialog.getByLabel('Points').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A part', { exact: true }).waitFor();
    await page.getByRole('heading', { name: students[0]?.user.username ?? '' }).waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'Half way through');
  });

  it('keeps what is not saved while another result is shown, and gives nothing for a key alone', async (t) => {
    const { exam, tasks, session, students } = await gradedSession(server, staff, { students: 2 });
    const rubric = `/api/instructor/exams/${exam}/tasks/${tasks[0]}/rubric`;
    await good(server.post(rubric, staff.teacher.token, { text: 'Runs', points: 3 }));
    const address = `/teaching/grading?session_id=${session.id}&task_id=${tasks[0]}`;
    const page = await visitors.comeAs(t, staff.teacher, address);
    const item = page.getByRole('checkbox', { name: 'Runs' });
    await item.waitFor();
    await page.getByLabel('Reason').fill('Half way through');
    await page.getByRole('button', { name: 'Next student' }).click();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await item.waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), '');
    await page.getByRole('heading', { name: 'Task 1' }).click();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'Half way through');
    await picture(page, 'grading-draft');

    await page.getByRole('heading', { name: 'Task 1' }).click();
    await page.keyboard.press('Enter');
    const save = page.getByRole('button', { name: 'Save and next' });
    assert.ok(await save.evaluate((button) => button === document.activeElement));
    await page.keyboard.press('1');
    await page.getByText('3 of 5 points').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2', { exact: true }).waitFor();
    const [given, ...more] = await decisionsOf(students[0]?.attempt ?? 0);
    assert.deepEqual([given.points_earned, given.reason, more], [3, 'Half way through', []]);
    await page.getByRole('button', { name: 'Previous student' }).click();
    await item.and(page.locator(':checked')).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Unsaved changes' }).count(), 0);
  });

  it('shows no names where the session hides them, and comments on moments of a recording', async (t) => {
    const { tasks, session, students } = await gradedSession(server, staff, { has_hidden_names: true });
    const [student] = students;
    const recording = await server.application.db
      .insertInto('recordings')
      .values({
        ...{ attempt_id: student?.attempt ?? 0, key: 'b'.repeat(40), cols: 80, rows: 24 },
        ...{ started_at: new Date(Date.now() - 60_000), ended_at: new Date() },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const page = await visitors.comeAs(
      t,
      staff.teacher,
      `/teaching/grading?session_id=${session.id}&task_id=${tasks[0]}`,
    );
    await page.route(`**/api/instructor/recordings/${recording.id}`, (route) =>
      route.fulfill({ body: '{"version": 2, "width": 80, "height": 24}\n[1, "o", "one"]\n[50, "o", "two"]\n' }),
    );
    await page.getByRole('heading', { name: 'Student 1' }).waitFor();
    assert.equal(await page.getByText(student?.user.username ?? '').count(), 0);
    await page.getByRole('button', { name: 'Play: Recording 1' }).click();
    const position = page.getByRole('slider', { name: 'Position' });
    await position.press('End');
    await page.getByRole('button', { name: 'Comment at 0:50' }).click();
    const comment = page.getByRole('dialog', { name: 'Comment on “Recording, 0:50”' });
    await comment.getByLabel('Comment').fill('Here it goes wrong');
    await comment.getByRole('button', { name: 'Save' }).click();
    await position.press('Home');
    await page.getByRole('button', { name: '0:50: Here it goes wrong' }).click();
    await page.getByRole('button', { name: 'Comment at 0:50' }).waitFor();
    await picture(page, 'grading-recording');
    const { comments } = await good(server.get(`/api/exams/attempts/${student?.attempt}/feedback`, staff.admin.token));
    assert.deepEqual([comments[0].recording_id, comments[0].seconds], [recording.id, 50]);
    await page.getByRole('button', { name: 'Delete: Here it goes wrong' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: '0:50: Here it goes wrong' }).waitFor({ state: 'detached' });
  });
});
