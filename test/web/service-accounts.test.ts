import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const address = '/administration/service-accounts';

describeLong('service accounts in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are added with a token, and ended', async (t) => {
    const page = await visitors.comeAs(t, await server.user('admin'), address, { viewport: phone });
    const way = page.getByRole('navigation', { name: 'You are here' });
    await way.getByRole('link', { name: 'Settings' }).waitFor();
    await page.getByRole('button', { name: 'Add a service account' }).first().click();
    await page.getByLabel('Program').fill('Timetable');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('It has no tokens.').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What it is for').fill('Nightly');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
    await assertAccessible(page, 'a token');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Nightly').waitFor();
    const folder = process.env['PICTURES_OF_SERVICE_ACCOUNTS'];
    if (folder) await page.screenshot({ path: `${folder}/tokens.png` });
    await page.keyboard.press('Escape');
    await page.getByText('never').waitFor();
    const frame = page.getByRole('region', { name: 'Service accounts' });
    assert.ok(await frame.evaluate((element) => element.scrollWidth <= element.clientWidth), 'it fits on a phone');
    if (folder)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${folder}/service-accounts-${colorScheme}.png`, fullPage: true });
      }
    await page.getByRole('button', { name: 'End Timetable' }).click();
    await page.getByRole('alertdialog').getByRole('button').last().click();
    await page.getByText('No service accounts').waitFor();
  });
});
