import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itInRounds, itLong, rounds } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { browserSkip, logIn, Visitors } from './browser.ts';
import { handSession } from './handed-session.ts';

describe('the session in the browser', { skip: browserSkip, timeout: 120_000 }, () => {
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

    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    await page.getByRole('button', { name: /Account/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/exams');

    const second = await page.context().newPage();
    await second.goto('/');
    await second.getByRole('button', { name: /grace/ }).waitFor();

    // The token is not in any storage that is written to the disk.
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    );
    assert.doesNotMatch(kept, /eyJ/);

    await second.getByRole('button', { name: /Account/ }).click();
    await second.getByRole('menuitem', { name: 'Log out' }).click();
    await second.waitForURL('**/login**');
    await page.waitForURL('**/login**');
    await page.reload();
    await page.getByLabel('Password').waitFor();
  });

  it('is taken from another tab that answers only when the login form is shown', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    await handSession(page, server, user, { isLate: true });
    await page.goto('/courses');
    await page.getByRole('button', { name: /Account/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/courses');
  });

  it('continues after a reload without the cache, which leaves the page without its worker', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses', { isNew: true });
    const tools = await page.context().newCDPSession(page);
    for (const round of [1, 2]) {
      await page.evaluate(() => void document.body.classList.add('before'));
      await tools.send('Page.reload', { ignoreCache: true });
      await page.waitForFunction(() => document.body && !document.body.classList.contains('before'));
      await page.getByRole('button', { name: /Account/ }).waitFor();
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null, `reload ${round}`);
    }
  });

  itLong('is taken from a worker that answers only when the login form is shown', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses', { isNew: true });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.addInitScript(() => {
      const { postMessage } = ServiceWorker.prototype;
      ServiceWorker.prototype.postMessage = function (
        this: ServiceWorker,
        message: { type: string },
        ports?: StructuredSerializeOptions,
      ) {
        const send = (): void => {
          if (message.type === 'ask' && location.pathname !== '/login') requestAnimationFrame(send);
          else postMessage.call(this, message, ports);
        };
        send();
      } as typeof postMessage;
    });
    await page.reload();
    await page.waitForURL('**/login**');
    await page.waitForURL('**/courses');
    await page.getByRole('button', { name: /Account/ }).waitFor();
  });

  itLong('survives the suspension of an idle worker, and ends with the last page', async (t) => {
    const user = await server.user();
    const page = await visitors.comeAs(t, user, '/courses', { isNew: true });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const tools = await page.context().newCDPSession(page);
    await tools.send('ServiceWorker.enable');
    // The worker has lost its memory. The page sends the session again before it unloads.
    await tools.send('ServiceWorker.stopAllWorkers');
    await page.reload();
    await page.getByRole('button', { name: /Account/ }).waitFor();

    // A page without our script. The last message of the previous page may arrive after the stop and restart the worker.
    await page.goto('/healthz');
    await until(async () => {
      await tools.send('ServiceWorker.stopAllWorkers');
      return await page.evaluate(async () => {
        const { controller } = navigator.serviceWorker;
        if (controller === null) throw new Error('no worker stands behind this page');
        const { port1, port2 } = new MessageChannel();
        controller.postMessage({ type: 'ask' }, [port2]);
        return await new Promise((resolve) => {
          port1.onmessage = ({ data }) => resolve(data === null);
        });
      });
    }, 'the worker to have forgotten');
    await page.goto('/courses');
    await page.waitForURL('**/login**');
  });

  it('reports a failed login', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    await page.goto('/login');
    await logIn(page, { ...user, password: 'something else' });
    await page.getByText('The username or the password is wrong.').waitFor();
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

  it('is asked for above the page, when its token was refused before the page began', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    await handSession(page, server, user);
    assert.equal((await server.post('/api/auth/logout', user.token)).status, 200);
    await page.goto('/courses');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.waitFor();
    await logIn(page, user);
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByText('No courses')
      .or(page.getByRole('heading', { name: 'Courses' }))
      .first()
      .waitFor();
  });

  itInRounds('never redirects to another site after the login', async (t) => {
    const user = await server.user();
    const page = await visitors.come(t);
    const elsewhere = ['//evil.example.com', '/\\evil.example.com', 'https://evil.example.com', 'javascript:alert(1)'];
    for (const next of elsewhere.slice(0, rounds(4, 4))) {
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      const { origin } = new URL(page.url());
      await logIn(page, user);
      await page.getByRole('button', { name: /Account/ }).waitFor();
      assert.equal(page.url(), `${origin}/`);
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
