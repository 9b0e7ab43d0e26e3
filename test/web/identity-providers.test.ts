import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { addProvider, startWithProviders } from '../oidc/logins.ts';
import { SchoolProvider, schoolClient } from '../oidc/school-provider.ts';
import { describeLong } from '../rounds.ts';
import type { TestServer, TestUser } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('logins through an identity provider, in a browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let school: SchoolProvider;
  let admin: TestUser;
  let visitors: Visitors;
  before(async () => {
    server = await startWithProviders();
    school = await new SchoolProvider(server.url, ['school', 'second']).start();
    admin = await server.user('admin');
    visitors = new Visitors(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await school?.[Symbol.asyncDispose]();
  });

  // Long: the way of an administrator who adds it, and of the first student who uses it.
  it('begin with an administrator, and lead a student back to the page and out again', async (t) => {
    const desk = await visitors.comeAs(t, admin, '/administration/identity-providers');
    await desk.getByRole('button', { name: 'Add a login service' }).first().click();
    const dialog = desk.getByRole('dialog');
    const fields = {
      Name: 'Our school',
      Issuer: school.issuer,
      'Short name': 'school',
      'Client ID': schoolClient.client_id,
    };
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.getByLabel('Client secret').fill(schoolClient.client_secret);
    await dialog.getByText('/api/auth/providers/school/callback').waitFor();
    await dialog.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.getByLabel('Claim').fill('sub');
    await dialog.getByLabel('Value').fill('teacher');
    await dialog.getByLabel('Role').selectOption('instructor');
    await dialog.getByRole('button', { name: 'Add a login service' }).click();
    await desk.getByRole('button', { name: 'Test Our school' }).click();
    await desk.getByText('The service answers and knows the client.').waitFor();

    const page = await visitors.come(t, { isNew: true });
    await page.goto(`${server.url}/notes`);
    await page.getByRole('link', { name: 'Log in with Our school' }).click();
    await page.waitForURL(`${school.issuer}/**`);
    await page.locator('input[name=login]').fill('boris');
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${server.url}/notes`);
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    // The pages have their session as after any login: it is there again after a reload.
    await page.goto(`${server.url}/profile`);
    await page
      .getByText('boris@school.example.com')
      .or(page.getByRole('textbox', { name: 'Email' }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Unlink Our school' }).waitFor();
    assert.equal(await page.getByLabel('Current password').count(), 0, 'there is none to change');
    await page.getByRole('button', { name: 'Unlink Our school' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('This is the only way to log in to your account.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click();
    await page.waitForURL(`${school.issuer}/**`);
  });

  it('say why one has failed, and leave the passwords', async (t) => {
    await addProvider(server, admin, `${school.issuer}/gone`, 'gone');
    const page = await visitors.come(t, { isNew: true });
    await page.goto(`${server.url}/login`);
    await page.getByRole('link', { name: 'Log in with School gone' }).click();
    await page.getByRole('alert').getByText('The login service does not answer').waitFor();
    const user = await server.user();
    await page.getByLabel('Username or email').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${server.url}/`);
    assert.equal(await page.evaluate(() => localStorage.getItem('session-provider')), null);
  });
});
