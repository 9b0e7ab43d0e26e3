import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('the consent to recordings in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('is asked for at the start of an exam, and changed in the profile', async (t) => {
    const [admin, user] = [await server.user('admin'), await server.user()];
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    await server.put('/api/admin/site', admin.token, { has_recording_consent: true });
    const given = async () => (await server.get('/api/profile/recording-consent', user.token)).body.is_given;
    const folder = process.env['PICTURES_OF_CONSENT'];
    const page = await visitors.comeAs(t, user, `/exams/${exam}`, { viewport: phone });
    await page.getByText('is recorded if you agree').waitFor();
    await page.getByRole('button', { name: 'Start the exam' }).click();
    const agree = page.getByRole('checkbox', { name: 'I agree to the recording of my terminals' });
    await agree.check();
    await assertAccessible(page, 'the question at the start');
    if (folder) await page.screenshot({ path: `${folder}/start.png` });
    // No engine starts the exam here, but the decision comes first.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start' }).click();
    await until(async () => (await given()) === true, 'the consent');
    await goTo(page, '/profile');
    await page.getByText('Decided on').waitFor();
    assert.ok(await agree.isChecked());
    await agree.click();
    await until(async () => (await given()) === false, 'the withdrawal');
    if (!folder) return;
    await agree.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${folder}/profile.png` });
    const settings = await visitors.comeAs(t, admin, '/administration/settings');
    await settings.getByText('Keep results without a name').waitFor();
    await settings.screenshot({ path: `${folder}/settings.png`, fullPage: true });
  });
});
