import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { blankPng } from '../blank-png.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('the settings page', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: one look from its choice to what a visitor sees.
  it('changes what everybody sees, from the first paint on', async (t) => {
    const visitors = new Visitors(server);
    const page = await visitors.comeAs(t, await server.user('admin'), '/administration/settings');
    await page.getByLabel('Name of the installation').fill('School of Unix');
    await page.getByRole('textbox', { name: /^Accent colour/ }).fill('#ffee00');
    await page.getByLabel('Welcome text').fill('Hello, **new** students');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Shown as #').waitFor();
    await page.getByRole('banner').getByText('School of Unix').waitFor();
    assert.equal(await page.title(), 'Settings · School of Unix');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a logo' }).click();
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: blankPng(30) });
    await page.getByRole('button', { name: 'Remove the logo' }).waitFor();
    assert.match((await page.getByRole('banner').locator('img').first().getAttribute('src')) ?? '', /^\/avatars\//);
    await assertAccessible(page, 'the settings');

    const visitor = await visitors.come(t, { isNew: true });
    const requests: string[] = [];
    visitor.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await visitor.goto('/login');
    await visitor.getByText('Hello, new students').waitFor();
    assert.equal(await visitor.title(), 'Log in · School of Unix');
    assert.ok(await visitor.getByText('School of Unix').isVisible());
    const button = visitor.getByRole('button', { name: 'Log in', exact: true });
    const { light } = (await server.get('/api/site')).body.colors;
    const channels = [1, 3, 5].map((begin) => Number.parseInt(light.accent.slice(begin, begin + 2), 16));
    await visitor.emulateMedia({ colorScheme: 'light' });
    const color = await button.evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.equal(color, `rgb(${channels.join(', ')})`);
    assert.ok(!requests.includes('/api/site'), 'the document has it');
    const field = visitor.getByLabel('Password');
    await field.fill('a secret');
    await visitor.getByRole('button', { name: 'Show' }).click();
    assert.equal(await field.getAttribute('type'), 'text');
    await visitor.getByText('Forgotten password?').click();
    await visitor.getByText('an administrator can give you a link').waitFor();
    await visitor.getByLabel('Theme').selectOption('dark');
    assert.equal(await visitor.locator('html').getAttribute('data-theme'), 'dark');
    await assertAccessible(visitor, 'the login with a welcome text');
    await visitor.getByLabel('Language').selectOption('ru');
    await visitor.getByRole('button', { name: 'Войти' }).waitFor();
    assert.equal(await visitor.getByLabel('Пароль').inputValue(), 'a secret');
  });
});
