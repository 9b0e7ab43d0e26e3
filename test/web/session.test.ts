import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itInRounds, itLong, rounds } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { answer, browserSkip, logIn, Visitors } from './browser.ts';
import { changeNote, giveCookie, handSession } from './handed-session.ts';

describe('the session in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  it('begins with a registration, and continues after a reload and in a second tab', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await page.goto('/exams');
    await page.waitForURL('**/login?next=%2Fexams');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('Username', { exact: true }).fill('grace');
    await page.getByLabel('Email').fill('grace@example.invalid');
    await page.getByLabel('Password').fill('a good password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/not a valid email address/).waitFor();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL('**/exams');
    await page.getByRole('button', { name: /Account/ }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: /Account/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/exams');

    const second = await page.context().newPage();
    await second.goto('/');
    await second.getByRole('button', { name: /grace/ }).waitFor();

    // Scripts find neither the token nor the cookie in anything that the browser stores.
    const kept = await page.evaluate(() => ({
      storage: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      cookie: document.cookie,
    }));
    assert.doesNotMatch(kept.storage, /eyJ/);
    assert.equal(kept.cookie, '');

    await second.getByRole('button', { name: /Account/ }).click();
    await second.getByRole('menuitem', { name: 'Log out' }).click();
    await second.waitForURL('**/login**');
    await page.waitForURL('**/login**');
    await page.reload();
    await page.getByLabel('Password').waitFor();
  });

  itLong('continues in a new tab after the last one was closed, and while the service restarts', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses', { isNew: true });
    const second = await page.context().newPage();
    await page.close();
    let requests = 0;
    await second.route('**/api/auth/refresh', (route) => {
      requests += 1;
      return requests === 1 ? route.fulfill({ status: 503 }) : requests === 2 ? route.abort() : route.continue();
    });
    await second.goto('/courses');
    await second.getByRole('button', { name: /Account/ }).waitFor();
    assert.deepEqual([new URL(second.url()).pathname, requests], ['/courses', 3]);
  });

  it('gets a fresh token where the old one is refused but the login continues', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses');
    const json = { old_password: user.password, new_password: 'quite another' };
    assert.equal((await server.put('/api/auth/password', user.token, json)).status, 200);
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await refused;
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  itLong('stays that of its user where another one logs in, which it says', async (t) => {
    const [user, other] = [await server.user(), await server.user()];
    const page = await visitors.comeAs(t, user, '/profile', { isNew: true });
    const second = await page.context().newPage();
    await second.goto('/login');
    await second.getByRole('button', { name: /Account/ }).waitFor();
    await giveCookie(second, server, other);
    await changeNote(second, other.id);
    for (const tab of [page, second]) {
      const dialog = tab.getByRole('alertdialog', { name: 'Another user has logged in' });
      await dialog.getByText(`stays logged in as ${user.username}`).waitFor();
    }
    await answer(page, 'Cancel');
    const read = page.waitForResponse((response) => response.url().includes('/api/dashboard/'));
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const { authorization = '' } = (await read).request().headers();
    assert.equal((await server.get('/api/auth/me', authorization.slice('Bearer '.length))).body.id, user.id);
    await second.getByRole('button', { name: 'Continue as the other user' }).click();
    await second.getByRole('button', { name: new RegExp(other.username) }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: new RegExp(other.username) }).waitFor();
  });

  itLong('does not begin with a cookie that another host has set', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await giveCookie(page, server, await server.user());
    await page.goto('/courses');
    await page.waitForURL('**/login**');
  });

  it('reports a failed login, on a phone below the choice of the language', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t, { viewport: { width: 390, height: 710 } });
    await page.goto('/login');
    await logIn(page, { ...user, password: 'something else' });
    await page.getByText('The username or the password is wrong.').waitFor();
    const [choice, logo] = [page.getByLabel('Language'), page.locator('main img').first()];
    const [above, below] = [await choice.boundingBox(), await logo.boundingBox()];
    assert.ok(above && below && above.y + above.height <= below.y, JSON.stringify([above, below]));
    await logIn(page, user);
    await page.getByRole('button', { name: /Account/ }).waitFor();
  });

  it('continues after a refused token and a new login', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses');
    assert.equal((await server.post('/api/auth/logout', user.token)).status, 200);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.waitFor();
    await logIn(page, user);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
  });

  it('is not continued where it has ended before the page began', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    await handSession(page, server, user);
    assert.equal((await server.post('/api/auth/logout', user.token)).status, 200);
    await page.goto('/courses');
    await page.waitForURL('**/login**');
    await logIn(page, user);
    await page.waitForURL('**/courses');
  });

  itInRounds('never redirects to another site after the login', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    const elsewhere = ['//evil.example.com', '/\\evil.example.com', 'https://evil.example.com', 'javascript:alert(1)'];
    for (const next of elsewhere.slice(0, rounds(4, 4))) {
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      const { origin } = new URL(page.url());
      await logIn(page, user);
      await page.waitForURL(`${origin}/`);
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.waitForURL('**/login**');
    }
  });

  it('hides the pages of other roles from students', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/exams');
    await page.getByText('None yet. Your attempts').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Users' }).count(), 0);
    await page.goto('/administration/users');
    await page.getByRole('heading', { name: 'You cannot see this page' }).waitFor();
  });
});
