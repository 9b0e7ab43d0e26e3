import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { connected, hides, run, shows, terminal } from './shell.ts';

const doneScript = 'echo looking for the file; test -f /home/student/done && echo PASS || echo FAIL';

describe('exams in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open({ terminalPingSeconds: 1 });
    visitors = new Visitors(room.server);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  const exam = (title: string, scripts: string[], more: object = {}) => room.make('exam', scripts, { title, ...more });

  async function begun(user: TestUser, id: number) {
    const started = await room.start(user, 'exam', id);
    return { ...started, path: `/exams/${id}` };
  }

  /** Moves the deadline of an attempt. */
  async function endsIn(attemptId: number, seconds: number): Promise<void> {
    const { db } = room.server.application;
    const expires_at = sql<Date>`now() + make_interval(secs => ${seconds})`;
    await db.updateTable('attempts').set({ expires_at }).where('id', '=', attemptId).execute();
    await db.updateTable('containers').set({ expires_at }).where('attempt_id', '=', attemptId).execute();
  }

  const submit = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Submit' }).click();
    await answer(page, 'Submit');
  };
  const toast = (page: Page, text: string | RegExp) =>
    page.getByRole('listitem').filter({ hasText: text }).first().waitFor();

  // Long: one attempt from its start to its results.
  it('run from the introduction through the terminal to the results', async (t) => {
    const id = await exam('Files', [doneScript, 'echo FAIL'], {
      description: 'Two small tasks.\n\n- You are `student`.\n- There is no network.',
    });
    const page = await visitors.comeAs(t, await room.server.user(), '/exams');
    await page.getByText('None yet. Your attempts').waitFor();
    await page.getByRole('link', { name: 'Details: Files' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    await page.getByText('You have 30 minutes.').waitFor();
    await assertAccessible(page, 'an exam before its start');
    await page.getByRole('button', { name: 'Start the exam' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Start “Files”?' });
    await dialog.getByText(/is recorded/).waitFor();
    await dialog.getByRole('button', { name: 'Start' }).click();

    assert.match((await page.getByRole('timer').getAttribute('aria-label')) ?? '', /^(2\d|30) minutes left$/);
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await page.getByRole('checkbox', { name: 'Mark as done: Task 1' }).check();
    await page.getByText('1 of 2 marked as done').waitFor();
    await assertAccessible(page, 'an exam at work');
    // Nothing but the exam is on the page, so that a terminal beside the tasks has 80 columns at 1280 pixels.
    assert.equal(await page.getByRole('navigation', { name: 'Main navigation' }).count(), 0);
    await run(page, 'until [ "$(tput cols)" -ge 80 ]; do sleep 0.1; done; echo wide-$((1 + 1))', 'wide-2');

    // A reload keeps the ticks, the shell and the clock. The browser asks before it.
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.type());
      void question.accept();
    });
    await page.reload();
    assert.deepEqual(questions, ['beforeunload']);
    await shows(page, 'touch ~/done');
    await page.getByText('1 of 2 marked as done').waitFor();
    await goTo(page, '/exams');
    await page.getByText('You have an exam in progress').waitFor();
    await page.getByRole('link', { name: 'Continue' }).first().click();
    await page.getByRole('checkbox', { name: 'Mark as done: Task 1', checked: true }).waitFor();

    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('You have not marked 1 of the tasks as done.').waitFor();
    await answer(page, 'Submit');
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByRole('heading', { name: 'Results: Files' }).waitFor();
    await page.getByText('1 of 3 points').waitFor();
    assert.equal(questions.length, 1);
    await page.getByText('1 of 1 point', { exact: true }).waitFor();
    await page.getByText('0 of 2 points', { exact: true }).waitFor();
    // That of a passed check is folded.
    await page.getByText('Output of the check').first().click();
    await page.getByText('looking for the file').waitFor();
    await assertAccessible(page, 'results');
    await page.getByText('You have passed this exam.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Start again' }).count(), 0);
    await goTo(page, `/exams/${id}`);
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
    await page.getByRole('row').filter({ hasText: '1 / 3' }).getByText('Passed').waitFor();
  });

  // Long: one attempt, seen from the strip, from outside and to its end.
  itLong('have a frame of their own, and a strip of tasks with flags', async (t) => {
    const user = await room.server.user();
    const { path, attempt_id } = await begun(user, await exam('Quiet', ['echo PASS', 'echo PASS', 'echo PASS']));
    const page = await visitors.comeAs(t, user, path, { isNew: true });
    const strip = page.getByRole('navigation', { name: 'Tasks, in order' });
    const task = (name: string) => strip.getByRole('button', { name, exact: true });
    const frame = page.getByRole('button', { name: /^(Notifications|Search|Menu|Hide the menu|Show the menu)/ });
    const hasFocus = (locator: ReturnType<typeof task>) =>
      until(() => locator.evaluate((element) => element === document.activeElement), 'the focus');
    await task('Task 1 of 3: Task 1').focus();
    assert.equal(await frame.count(), 0);
    assert.equal(await page.getByRole('navigation').count(), 1);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('End');
    await hasFocus(task('Task 3 of 3: Task 3'));
    assert.equal(await page.getByRole('dialog').count(), 0, 'the search of the application');
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('button', { name: '3. Task 3' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const flagged = task('Task 3 of 3: Task 3. To look at again');
    await flagged.waitFor();
    assert.equal(await flagged.getAttribute('aria-current'), 'true');
    await page.getByRole('checkbox', { name: 'Mark as done: Task 2' }).check();
    await task('Task 2 of 3: Task 2. Marked as done').waitFor();
    await assertAccessible(page, 'an exam with its strip');

    await page.context().setOffline(true);
    await page.getByText('No connection', { exact: true }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Online', { exact: true }).waitFor();

    page.on('dialog', (question) => void question.accept());
    await page.reload();
    await flagged.waitFor();
    await page.getByRole('link', { name: 'Leave this page. The clock keeps running.' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await frame.first().waitFor();
    await page.getByRole('complementary').getByRole('link', { name: /exam/ }).click();
    await flagged.waitFor();
    await frame.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('You wanted to look at 1 of the tasks again.').waitFor();
    await answer(page, 'Submit');
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await frame.first().waitFor();
    assert.equal(await page.evaluate((id) => localStorage.getItem(`flags-${id}`), attempt_id), null);
  });

  itLong('show the progress without verdicts during the grading', async (t) => {
    const user = await room.server.user();
    // The second check waits for a file that the test creates.
    const id = await exam('Slow', ['echo PASS', 'until test -f /tmp/go; do sleep 0.1; done; echo PASS']);
    const { path, container_name } = await begun(user, id);
    const page = await visitors.comeAs(t, user, path);
    await submit(page);
    await page.getByRole('heading', { name: 'Your work is being graded' }).waitFor();
    await page.getByText('1 of 2 tasks checked').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Task 1' }).getByText('Checked', { exact: true }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Task 2' }).getByText('Being checked').waitFor();
    assert.equal(await page.getByText(/^(Not )?passed$/i).count(), 0);
    await assertAccessible(page, 'grading');
    await page.reload();
    await page.getByText('1 of 2 tasks checked').waitFor();
    await room.asStudent(container_name, 'touch /tmp/go');
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('3 of 3 points').waitFor();
  });

  itLong('warn before the deadline, follow a moved deadline, and lead to the results', async (t) => {
    const user = await room.server.user();
    const { path, attempt_id } = await begun(user, await exam('Short', ['echo PASS']));
    const page = await visitors.comeAs(t, user, path, { theme: 'dark' });
    await connected(page);
    // The terminal reports a new deadline, and the page requests it. The page announces no time that has already passed: a busy machine
    // that takes more than the five seconds gets them again.
    const announced = async (seconds: number, text: string) =>
      await until(async () => {
        await endsIn(attempt_id, seconds);
        return await toast(page, text).then(
          () => true,
          () => false,
        );
      }, text);
    await announced(605, '10 minutes left.');
    const minutes = { time_limit_minutes: 90 };
    const extended = await room.server.put(`/api/admin/attempts/${attempt_id}`, room.admin.token, minutes);
    assert.equal(extended.status, 200, extended.text);
    await page.waitForFunction(() => /8\d minutes/.test(document.querySelector('[role=timer]')?.ariaLabel ?? ''));
    await toast(page, 'The deadline was changed: you have until');
    await announced(305, '5 minutes left.');
    await assertAccessible(page, 'five minutes before the end');
    await announced(65, '1 minute left.');
    await assertAccessible(page, 'a minute before the end');
    await endsIn(attempt_id, 2);
    await page.getByRole('heading', { name: 'Time is up' }).waitFor();
    // The attempt ends by the clock of the database, shortly before or after that of the page.
    await until(async () => {
      await room.server.reconcile();
      return /\/exams\/results\/\d+$/.test(page.url());
    }, 'the results');
    await page.getByText('Your time ran out before you submitted').waitFor();
    await page.getByText('1 of 1 point').first().waitFor();
  });

  itLong('report a failed submission, and submit again', async (t) => {
    const user = await room.server.user();
    const { path, attempt_id } = await begun(user, await exam('Twice', ['echo PASS']));
    const page = await visitors.comeAs(t, user, path);
    await page.route('**/submit', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Retry-After': '1', 'Error-Code': 'grading_failed' },
        json: { detail: 'Grading failed part-way' },
      }),
    );
    await submit(page);
    const alert = page.getByRole('alert');
    await alert.getByText('Your work could not be graded. Nothing is lost').waitFor();
    await page.unroute('**/submit');
    // The failure is shown after a reload.
    await room.server.application.db
      .updateTable('attempts')
      .set({ grading_error: 'the engine was away' })
      .where('id', '=', attempt_id)
      .execute();
    await page.reload();
    await alert.getByText('Your work could not be graded').waitFor();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('1 of 1 point').first().waitFor();
  });

  itLong('continue in a killed container with a notice, and abandon the attempt if it was removed', async (t) => {
    const user = await room.server.user();
    const { path, container_name } = await begun(user, await exam('Killed', ['echo PASS']));
    const page = await visitors.comeAs(t, user, path);
    await run(page, 'touch ~/kept; echo saved-$((1 + 1))', 'saved-2');
    const container = room.docker.getContainer(room.engineName(container_name));
    await container.kill();
    await page.getByText('The machine stopped and was restarted').waitFor();
    // The page can report this before its terminal has lost the old shell. A new shell starts on a blank screen.
    await hides(page, 'saved');
    await run(page, 'ls ~', 'kept');
    await container.remove({ force: true });
    await submit(page);
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('Attempt returned').first().waitFor();
  });

  itLong('are abandoned after a confirmation, and one is active at a time', async (t) => {
    const user = await room.server.user();
    const first = await exam('First', ['echo PASS']);
    const second = await exam('Second', ['echo PASS']);
    const page = await visitors.comeAs(t, user, `/exams/${second}`);
    await page.getByRole('button', { name: 'Start the exam' }).click();
    // In another window.
    await room.start(user, 'exam', first);
    await answer(page, 'Start');
    await page.waitForURL(`**/exams/${first}`);
    await page.getByRole('button', { name: 'Give up' }).click();
    await answer(page, 'Give up');
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
    await page.getByRole('row').getByText('Given up').waitFor();

    const none = await exam('No container', ['echo PASS'], { container_image: 'no-such-image' });
    await page.goto(`/exams/${none}`);
    await page.getByRole('button', { name: 'Start the exam' }).click();
    // The question stays open with the refusal.
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Start' }).click();
    await question.getByText('No machine is available right now').waitFor();
    await page.getByText(/Try again in \d+ s/).waitFor();
  });

  itLong('fit a phone, with the tasks and the terminal in tabs', async (t) => {
    const user = await room.server.user();
    const { path } = await begun(user, await exam('Small', [doneScript]));
    const page = await visitors.comeAs(t, user, path, { viewport: phone, theme: 'dark' });
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await assertAccessible(page, 'a phone');
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByText('Do it').waitFor();
    assert.equal(await terminal(page).isVisible(), false);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await submit(page);
    await page.getByText('1 of 1 point').first().waitFor();
  });

  it('are all listed, across the pages of the service', async (t) => {
    const more = Array.from({ length: 101 }, (_, index) => ({
      kind: 'exam' as const,
      title: `One of many ${index + 1}`,
      container_image: 'platform-exam-linux-basics',
      time_limit_minutes: 30,
      passing_score: 1,
      order_index: 1000 + index,
    }));
    await room.server.application.db.insertInto('assessments').values(more).execute();
    const page = await visitors.comeAs(t, await room.server.user(), '/exams');
    for (const number of [1, 50, 101])
      await page.getByRole('heading', { name: `One of many ${number}`, exact: true }).waitFor();
  });
});
