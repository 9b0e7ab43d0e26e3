import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { run } from './shell.ts';

const doneScript = 'echo looking for the file; test -f /home/student/done && echo PASS || echo FAIL';

describe('laboratories in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  // Long: one attempt from its start to its results.
  it('show hints, check without ending, and end with a submission', async (t) => {
    const id = await room.make('laboratory', [doneScript, 'echo nothing here; echo FAIL'], {
      title: 'Practice',
      description: 'First line\nSecond line',
      introduction: 'The shop has *no* doors.',
      conclusion: 'The doors were in the cellar.',
    });
    const page = await visitors.comeAs(t, await room.server.user(), `/laboratories/${id}`);
    await page.getByText('There is no time limit.').waitFor();
    // Line breaks of the author are kept.
    await page.locator('p:has(br)').filter({ hasText: 'Second line' }).waitFor();
    await assertAccessible(page, 'a laboratory before its start');
    const introduction = page.getByText('The shop has no doors.');
    await introduction.waitFor();
    await page.getByRole('button', { name: 'Start the laboratory' }).click();
    const first = page.getByRole('article', { name: '1. Task 1' });
    assert.equal(await page.getByText('Look', { exact: true }).count(), 0);
    await first.getByRole('button', { name: 'Show a hint' }).click();
    await first.getByText('Look', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Check now' }).click();
    await first.getByText('Not passed').waitFor();
    await first.getByText('looking for the file').waitFor();
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await page.getByRole('button', { name: 'Check again' }).click();
    await first.getByText('Passed', { exact: true }).waitFor();
    await page.getByText('1 of 2 tasks pass so far.').first().waitFor();
    await page.getByText('1 of 3 points so far').waitFor();
    // Progress is what has passed, and nothing else: there are no marks of the user's own.
    await page.getByText('1 of 2 passed', { exact: true }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await introduction.waitFor();
    const conclusion = page.getByText('The doors were in the cellar.');
    assert.equal(await conclusion.count(), 0);
    await assertAccessible(page, 'a laboratory at work');

    // The results of the last check are shown after a reload.
    await page.reload();
    await first.getByText('Passed', { exact: true }).waitFor();
    // What has passed is folded, and its hint stays.
    await first.getByRole('button', { name: '1. Task 1' }).click();
    await first.getByText('Look', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await answer(page, 'Submit');
    await page.waitForURL(/\/laboratories\/results\/\d+$/);
    await page.getByText('1 of 3 points', { exact: true }).waitFor();
    await page.getByText('0 of 2 points', { exact: true }).waitFor();
    await conclusion.waitFor();
    await assertAccessible(page, 'the results of a laboratory');
    await page.getByRole('link', { name: 'Start again' }).click();
    await page.getByRole('row').getByText('1 / 3').waitFor();
  });

  itLong('open one task after another', async (t) => {
    const id = await room.make('laboratory', [doneScript, 'echo FAIL'], { title: 'Steps', is_sequential: true });
    const page = await visitors.comeAs(t, await room.server.user(), `/laboratories/${id}`);
    await page.getByRole('button', { name: 'Start the laboratory' }).click();
    const task = (number: number) => page.getByRole('article', { name: `${number}. Task ${number}` });
    await task(1).getByText('Do it').waitFor();
    await task(2).getByText('It opens when the previous task has passed its check.').waitFor();
    assert.equal(await task(2).getByText('Do it').count(), 0);
    await assertAccessible(page, 'a locked task');
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('1 of 2 tasks pass so far.').first().waitFor();
    await task(2).getByText('Do it').waitFor();
    await task(2).getByRole('button', { name: 'Show a hint' }).waitFor();
  });

  itLong('report a failed check, resume an active attempt, and can be abandoned', async (t) => {
    const user = await room.server.user();
    const id = await room.make('laboratory', ['echo PASS'], { title: 'Other', time_limit_minutes: 20 });
    await room.start(user, 'laboratory', id);
    const page = await visitors.comeAs(t, user, `/laboratories/${id}`, { theme: 'dark', language: 'ru' });
    assert.match((await page.getByRole('timer').getAttribute('aria-label')) ?? '', /^Осталось: (1\d|20) минут$/);
    await page.route('**/check', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'error-code': 'grading_failed' },
        json: { detail: 'Grading failed part-way; nothing is lost, submit again' },
      }),
    );
    await page.getByRole('button', { name: 'Проверить сейчас' }).click();
    await page.getByRole('alert').getByText('Проверить не удалось.').waitFor();
    await page.unroute('**/check');
    await page.getByRole('button', { name: 'Проверить сейчас' }).click();
    await page.getByText('Все задания выполнены.').first().waitFor();
    await page.getByText('Пока баллов: 1 из 1').waitFor();
    await assertAccessible(page, 'a laboratory at work, in the dark');
    await page.getByRole('button', { name: 'Отказаться от попытки' }).click();
    await answer(page, 'Отказаться от попытки');
    await page.getByRole('button', { name: 'Начать работу' }).waitFor();
    await page.getByRole('row').getByText('Без результата').waitFor();
  });

  itLong('fit a phone', async (t) => {
    const user = await room.server.user();
    const id = await room.make('laboratory', [doneScript], {
      title: 'A laboratory with a long title that does not fit',
    });
    const page = await visitors.comeAs(t, user, `/laboratories/${id}`, { viewport: phone });
    await page.getByRole('button', { name: 'Start the laboratory' }).click();
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await assertAccessible(page, 'a phone');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('All tasks pass.').first().waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});
