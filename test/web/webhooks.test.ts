import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('webhooks in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let receiver: WebhookReceiver;
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    receiver = await WebhookReceiver.listen();
    server = await TestServer.start({ PRIVATE_PROVIDERS: 'true' }, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  it('are added, tested, repeated and paused', async (t) => {
    const page = await visitors.comeAs(t, await server.user('admin'), '/administration/webhooks', { viewport: phone });
    const way = page.getByRole('navigation', { name: 'You are here' });
    await way.getByRole('link', { name: 'Settings' }).waitFor();
    await page.getByRole('button', { name: 'Add a webhook' }).first().click();
    await page.getByLabel('Address').fill(receiver.url('/page'));
    await page.getByLabel('A result has appeared or changed').check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Secret' }).waitFor();
    await assertAccessible(page, 'a secret');
    assert.equal(await page.getByText('The former secret').count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^New secret/ }).click();
    await page.getByText('The former secret signs as well for a day.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Deliveries/ }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await receiver.next('/page', 'test');
    await page.getByRole('cell', { name: 'delivered' }).waitFor();
    await assertAccessible(page, 'deliveries');
    const table = page.getByRole('dialog').getByRole('table');
    const hidden = await table.evaluate(
      ({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0),
    );
    assert.ok(hidden <= 0, `${hidden} pixels are beside the dialog`);
    const folder = process.env['PICTURES_OF_WEBHOOKS'];
    if (folder) await page.screenshot({ path: `${folder}/deliveries.png` });
    await page.getByRole('button', { name: /^Send again/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Pause/ }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    const address = page.getByRole('cell', { name: receiver.url('/page') }).getByText(receiver.url('/page'));
    const width = (await address.boundingBox())?.width ?? 0;
    if (folder)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${folder}/webhooks-${colorScheme}.png`, fullPage: true });
      }
    assert.ok(width > 150, `the address is ${width} pixels wide`);
  });
});
