import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { assertWithinWindow } from './within-window.ts';

describeLong('certificates in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let [student, admin]: TestUser[] = [];
  let exam: number;
  let attempt: number;

  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    [student, admin] = [await server.user(), await server.user('admin')];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Services', has_certificate: true });
    attempt = await finishAttempt(server, student, 'exam', exam, [true]);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const as = (user: TestUser | undefined): TestUser => user ?? assert.fail('no such user');
  const pictures = process.env['TEST_PICTURES'];

  // Long: a student creates one and downloads it, a stranger verifies it, it is withdrawn and deleted.
  it('are created with the results, downloaded, verified by anybody, and deleted', async (t) => {
    const page = await visitors.comeAs(t, as(student), `/exams/results/${attempt}`);
    await page.getByRole('button', { name: 'Create a certificate: Services' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a certificate' });
    await dialog.getByLabel('Name on the certificate').fill('李雷');
    await dialog.getByRole('button', { name: 'Create a certificate' }).click();
    await dialog.getByText('A certificate shows Latin, Cyrillic and Greek letters.').waitFor();
    await assertAccessible(page, 'the form of a certificate');
    await dialog.getByLabel('Name on the certificate').fill('Zoë Ångström');
    await dialog.getByRole('button', { name: 'Create a certificate' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'PDF: Services' }).click();
    assert.match((await saved).suggestedFilename(), /^certificate-[0-9a-f-]{36}\.pdf$/);
    const address = (await page.getByRole('link', { name: 'Page to verify it' }).getAttribute('href')) ?? '';

    const stranger = await visitors.come(t);
    await stranger.goto(address);
    await stranger.getByText('This certificate is valid.').waitFor();
    await stranger.getByText('Zoë Ångström').waitFor();
    await stranger.setViewportSize(phone);
    await assertWithinWindow(stranger, 'a certificate on a phone');
    await assertAccessible(stranger, 'a certificate');
    if (pictures) await stranger.screenshot({ path: `${pictures}/verify.png` });

    await goTo(page, '/profile');
    const card = page.getByRole('region', { name: 'Certificates' });
    await card.getByText('Zoë Ångström').waitFor();
    await card.getByRole('button', { name: 'Open Badge: Services' }).waitFor();
    await assertAccessible(page, 'the profile with a certificate');
    if (pictures) await card.screenshot({ path: `${pictures}/card.png` });

    const { db } = server.application;
    await db.updateTable('attempts').set({ passed: false }).where('id', '=', attempt).execute();
    await stranger.reload();
    await stranger.getByText('This certificate was withdrawn on').waitFor();
    await page.reload();
    await card.getByText('Withdrawn', { exact: true }).waitFor();
    await goTo(page, `/exams/results/${attempt}`);
    await page.getByText('The certificate was withdrawn, because the result has changed.').waitFor();
    await goTo(page, '/profile');
    await card.getByRole('button', { name: 'Delete: Services' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The certificate is deleted', { exact: true }).first().waitFor();
    await card.waitFor({ state: 'detached' });
    await stranger.reload();
    await stranger.getByText('There is no such certificate').waitFor();
  });

  it('have an address that may be wrong, and pages in each language', async (t) => {
    const page = await visitors.come(t);
    await page.goto('/verify/nothing');
    await page.getByText('There is no such certificate').waitFor();
    for (const [language, text] of [
      ['de', 'Dieses Zertifikat gibt es nicht'],
      ['ru', 'Такого сертификата нет'],
    ] as const) {
      await page.getByLabel(/Language|Sprache|Язык/).selectOption(language);
      await page.getByText(text).waitFor();
    }
  });
});
