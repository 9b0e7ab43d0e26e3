import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { removeWork } from '../../src/database/attempt-work.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('how long data is kept, in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('is said on the results of an attempt of which only the points are left', async (t) => {
    const [student, admin] = [await server.user(), await server.user('admin')];
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    await server.application.db.transaction().execute((trx) => removeWork(trx, [attempt]));
    for (const [user, path] of [
      [student, `/exams/results/${attempt}`],
      [admin, `/teaching/attempts/${attempt}`],
    ] as const) {
      const page = await visitors.comeAs(t, user, path);
      await page.getByText('Only the points of this attempt are kept').waitFor();
      assert.equal(await page.getByText('The check printed nothing.').count(), 0);
      await assertAccessible(page, 'results without the work');
      const folder = process.env['PICTURES_OF_RETENTION'];
      if (folder) await page.screenshot({ path: `${folder}/removed-${user.id}.png`, fullPage: true });
    }
  });

  // Long: one page, whose settings are changed step by step.
  it('is set without a question where nothing goes, and with one where something does', async (t) => {
    const admin = await server.user('admin');
    const saved = async () => (await server.get('/api/admin/site', admin.token)).body;
    await sql`insert into activity_log (type, created_at) select 'login', now() - interval '50 days' from generate_series(1, 7)`.execute(
      server.application.db,
    );
    const folder = process.env['PICTURES_OF_RETENTION'];
    const page = await visitors.comeAs(t, admin, '/administration/settings', { viewport: phone });
    const days = (name: string) => page.getByLabel(name);
    const save = () =>
      page.locator('form', { has: days('Entries of the activity log') }).getByRole('button', { name: 'Set the days' });
    await days('Entries of the activity log').fill('60');
    await days('Work behind results').fill('400');
    await save().click();
    await until(async () => (await saved()).work_days === 400, 'the settings');
    assert.equal((await saved()).activity_days, 60);

    await days('Entries of the activity log').fill('40');
    await save().click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Entries of the activity log: 7').waitFor();
    assert.equal(await dialog.getByText('Attempts of which').count(), 0);
    await assertAccessible(page, 'the question');
    if (folder) await page.screenshot({ path: `${folder}/question.png` });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await saved()).activity_days, 60);
    await save().click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await saved()).activity_days, 40);
    await days('Work behind results').fill('');
    await save().click();
    await until(async () => (await saved()).work_days === null, 'the settings');
    if (!folder) return;
    const card = (form: typeof page) => form.locator('form', { has: form.getByLabel('Entries of the activity log') });
    await card(page).screenshot({ path: `${folder}/phone.png` });
    for (const theme of ['light', 'dark'] as const) {
      const wide = await visitors.comeAs(t, admin, '/administration/settings', { theme });
      await card(wide).screenshot({ path: `${folder}/${theme}.png` });
    }
    await server.application.retention.run();
    const log = await visitors.comeAs(t, admin, '/administration/activity');
    await log.getByRole('cell', { name: 'Removed what is kept no longer' }).waitFor();
    await log.screenshot({ path: `${folder}/log.png` });
  });
});
