import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { freePort } from '../free-port.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, logIn, Visitors } from './browser.ts';

/** Records what a page asks the browser for. @returns what waits until the page has asked for exactly these */
async function recordRequests(page: Page): Promise<(...expected: string[]) => Promise<void>> {
  await page.addInitScript(() => {
    const requests: CredentialRequestOptions[] = [];
    Object.assign(window, { requests });
    // An empty page has none.
    const { credentials } = navigator as Partial<Navigator>;
    const get = credentials?.get.bind(credentials);
    if (!credentials || !get) return;
    credentials.get = (request = {}) => {
      requests.push(request);
      return get(request);
    };
  });
  const recorded = (): Promise<string[]> =>
    page.evaluate(() =>
      (window as unknown as { requests: CredentialRequestOptions[] }).requests.map(
        ({ mediation, signal }) => (mediation ?? 'by the button') + (mediation && signal?.aborted ? ' aborted' : ''),
      ),
    );
  return async (...expected) => {
    let found: string[] = [];
    await until(
      async () => {
        found = await recorded();
        return found.join() === expected.join();
      },
      () => `${expected}, not ${found}`,
    );
  };
}

describeLong('passkeys in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let address: string;
  before(async () => {
    const port = await freePort();
    address = `http://localhost:${port}`;
    const outside = { engine: { reason: 'this test has none' } };
    server = await TestServer.start({ PORT: `${port}`, PUBLIC_URL: address }, outside);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const withAuthenticator = async (page: Page) => {
    const tools = await page.context().newCDPSession(page);
    await tools.send('WebAuthn.enable');
    const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    return { tools, authenticatorId };
  };

  it('are the second factor that a role requires, one form at a time', async (t) => {
    const [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    const requireOf = (second_factor_roles: string[]) =>
      server.put('/api/admin/site', admin.token, { second_factor_roles });
    await requireOf(['instructor']);
    const page = await new Visitors(server).come(t, { isNew: true });
    await withAuthenticator(page);
    await page.goto(`${address}/login?next=/classes`);
    await logIn(page, teacher);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code of the app').waitFor();
    await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
    assert.equal(await dialog.getByLabel('Code of the app').count(), 0);
    await dialog.getByLabel('Name').and(page.locator(':focus')).fill('Laptop');
    await assertAccessible(page, 'a passkey that is required');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('listitem').first().waitFor();
    // What would close the recovery codes is not there.
    assert.deepEqual(await dialog.getByRole('button').allTextContents(), ['Save as a file', 'I have them']);
    await dialog.getByRole('button', { name: 'I have them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Classes' }).waitFor();
    await requireOf([]);
  });

  // Long: one passkey from its making to its removal, with Chromium's own authenticator.
  it('are made in the profile, log in without a password, and are removed', async (t) => {
    const student = await server.user();
    const page = await new Visitors(server).come(t, { isNew: true });
    const { tools, authenticatorId } = await withAuthenticator(page);
    await page.goto(`${address}/login?next=/profile`);
    await logIn(page, student);
    const add = page.getByRole('button', { name: 'Add a passkey' });
    await add.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await assertAccessible(page, 'adding a passkey');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('button', { name: 'I have them' }).click();
    await page.getByText('never used').waitFor();

    await page.goto('about:blank');
    await page.context().clearCookies();
    // The user touches nothing yet: the browser only offers the passkey in the field.
    const touch = (enabled: boolean) =>
      tools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await touch(false);
    const asked = await recordRequests(page);
    await page.goto(`${address}/login?next=/profile`);
    await asked('conditional');
    await logIn(page, { ...student, password: 'not the password' });
    await page.getByText('The username or the password is wrong.').waitFor();
    await asked('conditional aborted', 'conditional');
    await logIn(page, student);
    await page.getByLabel('Recovery code').waitFor();
    await assertAccessible(page, 'the question for a recovery code');
    await asked('conditional aborted', 'conditional aborted', 'conditional');
    // Its user does not prove who it is.
    await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await touch(true);
    const enter = page.getByRole('button', { name: 'Log in with a passkey' });
    await enter.click();
    await page.getByText('No passkey was used. Try again, or log in with your password.', { exact: true }).waitFor();
    await asked(...Array(3).fill('conditional aborted'), 'by the button', 'conditional');
    await tools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await assertAccessible(page, 'the login with passkeys');
    await enter.click();
    await page.getByText('last used').waitFor();

    // Without the button: the one that is chosen in the field.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(`${address}/login?next=/profile`);
    await page.getByText('last used').waitFor();
    // The login page is left.
    await asked('conditional aborted');

    // The login is too old for the removal, so its user logs in again first.
    await sql`update logins set created_at = now() - interval '1 hour'`.execute(server.application.db);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Log in again' }).waitFor();
    await page
      .getByRole('dialog', { name: 'Log in again' })
      .getByRole('button', { name: 'Log in with a passkey' })
      .click();
    await page.getByText('You have no passkey').waitFor();
    assert.equal(await page.getByText('Laptop', { exact: true }).count(), 0);
  });
});
