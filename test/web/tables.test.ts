import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

/** More than a page has. */
const people = 55;

describeLong('the tables of the pages', { skip: browserSkip, timeout: 180_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
    for (let count = 1; count < people; count += 1) await server.user();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const body = (page: Page) => page.getByRole('table').locator('tbody tr');
  const top = async (locator: Locator): Promise<number> => Math.round((await locator.boundingBox())?.y ?? Number.NaN);
  const height = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.height ?? Number.NaN;

  it('have 50 rows a page', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/users');
    await page.getByText('Page 1 of 2').waitFor();
    assert.equal(await body(page).count(), 50);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    // The rows of the first page stay until those of the second are there.
    await until(async () => (await body(page).count()) === people - 50, 'the rows of the second page');
  });

  it('can be compact, which the browser remembers for all of them', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/activity', { isNew: true });
    const row = body(page).first();
    const wide = await height(row);
    const button = page.getByRole('button', { name: 'Compact rows' });
    await button.press('Enter');
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    const close = await height(row);
    assert.ok(close < wide - 8, `${wide} px and ${close} px`);
    await page.reload();
    assert.equal(await height(row), close);

    await goTo(page, '/administration/users');
    await body(page).getByRole('checkbox').first().waitFor();
    const targets = await page
      .locator('tbody :is(button[aria-label], label)')
      .evaluateAll((all) =>
        all.map((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width)),
      );
    assert.ok(targets.length > 0 && Math.min(...targets) >= 24, `${Math.min(...targets)} px`);
    await assertAccessible(page, 'a compact table');

    await goTo(page, '/profile');
    const choice = page.getByRole('radiogroup', { name: 'Tables' });
    assert.equal(await choice.getByRole('radio', { name: 'Compact' }).isChecked(), true);
    await choice.getByRole('radio', { name: 'Comfortable' }).click();
    await goTo(page, '/administration/activity');
    assert.equal(await height(row), wide);
  });

  it('keep their heads in sight while the page scrolls, and what has the focus below them', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/users');
    const main = page.getByRole('main');
    const head = page.locator('thead');
    await body(page).last().scrollIntoViewIfNeeded();
    assert.equal(await top(head), await top(main));

    // Back by keyboard: the row above the edge comes into sight below the head.
    await body(page).nth(30).getByRole('checkbox').focus();
    for (let step = 0; step < 24; step += 1) await page.keyboard.press('Shift+Tab');
    const focused = page.locator(':focus');
    const edge = (await top(head)) + (await height(head));
    assert.ok((await top(focused)) >= edge, 'the head covers what has the focus');
    await assertAccessible(page, 'a table that is scrolled');
  });

  it('scroll within the window where they are wider than it, with their heads', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/activity', { viewport: phone });
    const frame = page.getByRole('region', { name: 'Activity' });
    await body(page).last().waitFor();
    await until(async () => (await frame.getAttribute('tabindex')) === '0', 'the table to be too wide');
    await frame.evaluate((element) => element.scrollTo(60, 400));
    assert.equal(await top(page.locator('thead')), await top(frame));
    assert.ok((await height(frame)) < phone.height);
    await assertAccessible(page, 'a wide table');
  });
});
