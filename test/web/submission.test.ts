import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { connected } from './shell.ts';

describeLong('a submission in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  async function begun(title: string, kind: 'exam' | 'laboratory' = 'exam') {
    const user = await room.server.user();
    const id = await room.make(kind, ['echo PASS'], { title });
    const { attempt_id } = await room.start(user, kind, id);
    return { user, attempt_id, path: `/${kind === 'exam' ? 'exams' : 'laboratories'}/${id}` };
  }

  const submit = async (page: Page, word = 'Submit'): Promise<void> => {
    await page.getByRole('button', { name: word }).click();
    await answer(page, word);
  };

  const statusOf = async (attemptId: number) =>
    (await room.server.application.db.selectFrom('attempts').select('status').where('id', '=', attemptId).execute())[0]
      ?.status;

  // Long: one submission from the lost connection to its results.
  it('without a connection is reported as not sent, is sent again by itself, and keeps its page', async (t) => {
    const { user, path, attempt_id } = await begun('Offline');
    const page = await visitors.comeAs(t, user, path, { isNew: true });
    await page.getByRole('timer').waitFor();
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
    await page.getByText(/^Next try in \d+ seconds?, or as soon as you are online\.$/).waitFor();
    assert.equal(await page.getByText('is being graded').count(), 0);
    await assertAccessible(page, 'a submission that was not sent');
    assert.equal(await statusOf(attempt_id), 'in_progress');

    // Neither a link nor a reload leaves the page without a confirmation.
    await page.getByRole('link', { name: 'Leave this page. The clock keeps running.' }).click();
    const leaving = page.getByRole('alertdialog', { name: 'Leave without submitting?' });
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(new URL(page.url()).pathname, path);
    const asked = page.waitForEvent('dialog');
    const leave = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    await leave;

    // The work can continue, and is submitted later.
    await page.getByRole('button', { name: 'Back to the tasks' }).click();
    await page.getByText('Do it').waitFor();
    await submit(page);
    await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
    await page.context().setOffline(false);
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('1 of 1 point').first().waitFor();
  });

  it('is not lost to a reload, where a part of the page could not be fetched without the connection', async (t) => {
    const { user, path } = await begun('Terminal not there yet');
    const page = await visitors.come(t, { isNew: true });
    const isLost = Promise.withResolvers<void>();
    await page.route('**/assets/screen-*.js', async (route) => {
      if (route.request().method() === 'GET') await isLost.promise.then(() => route.abort());
      else await route.continue();
    });
    const requested = page.waitForRequest('**/assets/screen-*.js');
    await visitors.openAs(page, user, path);
    await requested;
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
    isLost.resolve();
    await page.context().setOffline(false);
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('1 of 1 point').first().waitFor();
  });

  it('whose answer was lost leads to its results, without a second one', async (t) => {
    const { user, path, attempt_id } = await begun('Lost answer');
    const page = await visitors.comeAs(t, user, path, { viewport: phone, theme: 'dark', language: 'ru' });
    let submissions = 0;
    let isDown = false;
    await page.route('**/submit', async (route) => {
      submissions += 1;
      // Before the attempt ends: its terminal closes then, and the page asks for the results.
      isDown = true;
      await route.fetch();
      await route.abort();
    });
    // The page does not learn of the end by other means either.
    await page.route('**/results', (route) => (isDown ? route.abort() : route.continue()));
    await submit(page, 'Сдать');
    await page.getByRole('heading', { name: 'Ещё не отправлено' }).waitFor();
    await assertAccessible(page, 'a submission that was not confirmed');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(await statusOf(attempt_id), 'finished');
    // By the keyboard, from the heading that has the focus.
    await page.getByRole('button', { name: 'Отправить сейчас' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('heading', { name: 'Ещё не отправлено' }).focus();
    await page.keyboard.press('Tab');
    // Not before: the page tries again by itself.
    isDown = false;
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/exams\/results\/\d+$/);
    await page.getByText('1 из 1 балла').or(page.getByText('1 из 1 балл')).first().waitFor();
    assert.equal(submissions, 1);
  });

  it('that is refused for the moment is sent again, and one that could not be graded is not', async (t) => {
    const { user, path } = await begun('Refused');
    const page = await visitors.comeAs(t, user, path);
    let answers = [
      { status: 503, headers: { 'error-code': 'overloaded' }, json: { detail: 'Busy' } },
      { status: 503, headers: { 'error-code': 'grading_failed' }, json: { detail: 'Grading failed part-way' } },
    ];
    await page.route('**/submit', async (route) => {
      const [answer, ...rest] = answers;
      answers = rest;
      await (answer ? route.fulfill(answer) : route.continue());
    });
    await submit(page);
    await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
    await page.getByRole('alert').getByText('Your work could not be graded. Nothing is lost').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/\/exams\/results\/\d+$/);
  });

  it('does not seem to be graded when the time is over without a connection', async (t) => {
    const { user, path, attempt_id } = await begun('Time');
    const page = await visitors.comeAs(t, user, path, { isNew: true });
    await page.getByRole('timer').waitFor();
    await room.server.application.db
      .updateTable('attempts')
      .set({ expires_at: new Date(Date.now() + 15_000) })
      .where('id', '=', attempt_id)
      .execute();
    await page.reload();
    await page.getByRole('timer').waitFor();
    await page.context().setOffline(true);
    // The service may have given more time: without its word the page hides no work.
    await page.getByText('By the clock of this page the time is over, but the service cannot be reached.').waitFor();
    assert.ok(await page.getByText('Do it').isVisible());
    assert.equal(await page.getByRole('heading', { name: 'Time is up' }).count(), 0);
    await assertAccessible(page, 'the end of the time without a connection');
    assert.equal(await page.getByText('is being graded').count(), 0);
    // The service confirms it.
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Time is up' }).waitFor();
  });

  it('leaves the page usable while its terminal cannot be loaded, and loads it later', async (t) => {
    const { user, path } = await begun('Late terminal');
    const page = await visitors.comeAs(t, user, path, { isNew: true });
    const files = ['**/assets/screen-*.js', '**/assets/appearance-*.css'];
    for (const file of files) await page.route(file, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => /\/screen-/.test(request.url()));
    await page.reload();
    await page.getByText('Do it').waitFor();
    await failed;
    assert.ok(await page.getByText('Do it').isVisible());
    for (const file of files) await page.unroute(file);
    await connected(page);
    // By its style sheet, which also failed.
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.xterm') ?? document.body).cursor === 'text',
    );
  });

  it('of a laboratory, and a check of it, do not seem to run without a connection', async (t) => {
    const { user, path } = await begun('Practice', 'laboratory');
    const page = await visitors.comeAs(t, user, path, { isNew: true });
    await page.getByRole('button', { name: 'Check now' }).waitFor();
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
    await page.getByRole('button', { name: 'Back to the tasks' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Check now' }).and(page.locator(':enabled')).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('All tasks pass.').first().waitFor();
  });
});
