import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addresses, type Path } from '../../web/src/routing/addresses.ts';
import { hrefOf, pathAt, router } from '../../web/src/routing/router.ts';
import { itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { browserSkip, Visitors } from './browser.ts';

describe('the addresses of the pages', () => {
  it('lead back to their pages', () => {
    for (const to of Object.keys(addresses) as Path[]) {
      const path = to.replaceAll(/\$\w+/g, '57');
      assert.equal(pathAt(path), to);
      assert.equal(pathAt(`${path}?page=2#down`), to);
      if (to !== '/') assert.equal(pathAt(`${path}/`), to);
    }
    for (const path of ['/nowhere', '/exams/1/2', '/lessons', '/lessons/', '/administration', '//lessons/1']) {
      assert.equal(pathAt(path), undefined, path);
    }
    const [, params] = router.getMatchedRoutes('/lessons/%C3%BC');
    assert.deepEqual({ ...params }, { lessonId: 'ü' });
  });

  it('are written with their parameters', () => {
    assert.equal(
      hrefOf({ to: '/lessons/$lessonId', params: { lessonId: 'a/b' }, hash: 'down' }),
      '/lessons/a%2Fb#down',
    );
    assert.equal(
      hrefOf({ to: '/administration/users', search: { q: 'ü &', page: 2, role: undefined } }),
      '/administration/users?q=%C3%BC+%26&page=2',
    );
    assert.equal(hrefOf({ to: '/courses', search: {} }), '/courses');
  });

  it('have a query string whose invalid values are ignored', () => {
    const read = (query: string) => addresses['/administration/users'](Object.fromEntries(new URLSearchParams(query)));
    assert.deepEqual(read('q=12&role=admin&is_active=false&page=3&other=1'), {
      ...{ q: '12', role: 'admin', is_active: false, page: 3 },
    });
    assert.deepEqual(read('q=&role=root&is_active=no&page=0'), {});
    for (const page of ['-1', '1.5', '2147483648', '1e3', 'one', '01'])
      assert.deepEqual(read(`page=${page}`), {}, page);
    assert.deepEqual(addresses['/login']({ next: '/exams?a=b' }), { next: '/exams?a=b' });
  });
});

describe('the way from page to page', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
    for (let index = 0; index < 52; index += 1) await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const top = (page: Page) => page.locator('main#content').evaluate((element) => element.scrollTop);
  const isScrolledTo = (page: Page, wanted: number) =>
    until(
      async () => (await top(page)) === wanted,
      () => `the page to be scrolled to ${wanted}`,
    );

  it('begins at the top, and leads back to where the user was, also after a reload', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/users');
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await page.locator('main#content').evaluate((element) => {
      element.scrollTop = 300;
    });
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
    await isScrolledTo(page, 0);
    await page.goBack();
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await isScrolledTo(page, 300);
    await page.reload();
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await isScrolledTo(page, 300);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await isScrolledTo(page, 0);
  });

  it('keeps the place at a link within the page as well', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/users');
    await page.getByRole('button', { name: 'Next' }).waitFor();
    const scroll = (to: number) =>
      page.locator('main#content').evaluate((element, wanted) => {
        element.scrollTop = wanted;
      }, to);
    await scroll(300);
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await page.waitForURL('**#content');
    await scroll(200);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Next' }).waitFor();
    assert.equal(new URL(page.url()).hash, '#content');
    await isScrolledTo(page, 200);
    await page.goBack();
    await page.waitForURL('**/administration/users');
    await isScrolledTo(page, 300);
  });

  it('leads the focus to the title, and keeps it near what an action removes', async (t) => {
    for (const name of ['first', 'second'])
      await server.post('/api/announcements', admin.token, { title: name, text: 'Read this' });
    const page = await visitors.comeAs(t, await server.user(), '/courses');
    await page.getByRole('link', { name: 'Announcements' }).press('Enter');
    const title = page.getByRole('heading', { level: 1, name: 'Announcements' });
    await title.waitFor();
    await until(() => title.evaluate((element) => element === document.activeElement), 'the focus on the title');
    const read = page.getByRole('button', { name: /Mark as read/ });
    await read.first().press('Enter');
    await until(async () => (await read.count()) === 1, 'the button to be gone');
    const isInCard = () => page.evaluate(() => document.activeElement?.closest('article, main')?.tagName === 'ARTICLE');
    await until(isInCard, 'the focus to be near the button that is gone');
  });

  it('says so where a page is for another role', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/administration/users');
    await page.getByRole('heading', { level: 1, name: 'You cannot see this page' }).waitFor();
    await page.getByText('It is not for the role of your account: Student.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/administration/users');
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
  });

  it('is stopped by unsaved changes, with the back button as well', async (t) => {
    const fields = { title: 'Services', container_image: 'image', passing_score: 1, time_limit_minutes: 5 };
    const { body } = await server.post('/api/admin/exams', admin.token, fields);
    const page = await visitors.comeAs(t, admin, '/courses');
    // The one of students is in a group that is folded.
    await page.getByRole('link', { name: 'Exams', exact: true }).click();
    await page.getByRole('link', { name: 'Services', exact: true }).click();
    const editor = `/administration/exams/${body.id}`;
    await page.waitForURL(`**${editor}`);
    await page.getByLabel('Passing score').fill('7');
    const question = page.getByRole('alertdialog');
    const back = () => page.evaluate(() => history.back());
    // A link within the page leaves nothing.
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await page.waitForURL(`**${editor}#content`);
    await back();
    await page.waitForURL(`**${editor}`);
    for (const leave of [back, () => page.getByRole('link', { name: 'Dashboard' }).click()]) {
      await leave();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).pathname, editor);
      assert.equal(await page.getByLabel('Passing score').inputValue(), '7');
    }
    await back();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/administration/exams');
    await page.getByRole('heading', { level: 1, name: 'Exams' }).waitFor();
    await page.goForward();
    await page.waitForURL(`**${editor}`);
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
  });

  itLong('can lead to another tab, and nowhere', async (t) => {
    const page = await visitors.comeAs(t, admin, '/courses/');
    await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
    const link = page.getByRole('link', { name: 'Dashboard' });
    assert.equal(await page.locator('nav [aria-current=page]').first().textContent(), ' Courses');
    // Chromium's own list of tabs: Playwright does not always attach to a tab that a click has opened.
    const tools = await page.context().newCDPSession(page);
    const { targetInfo: own } = await tools.send('Target.getTargetInfo');
    const opened = async () => {
      const { targetInfos } = await tools.send('Target.getTargets');
      return targetInfos.find(
        ({ type, targetId, browserContextId }) =>
          type === 'page' && targetId !== own.targetId && browserContextId === own.browserContextId,
      );
    };
    await link.click({ modifiers: ['ControlOrMeta'] });
    // The title is that of a logged-in user's page: the session has been handed to the tab.
    let tab: Awaited<ReturnType<typeof opened>>;
    await until(
      async () => {
        tab = await opened();
        return tab?.title.startsWith(`Welcome, ${admin.username}`) ?? false;
      },
      () => `the dashboard in another tab: ${JSON.stringify(tab)}`,
    );
    assert.equal(new URL(tab?.url ?? '').pathname, '/');
    assert.equal(new URL(page.url()).pathname, '/courses/');
    await tools.send('Target.closeTarget', { targetId: tab?.targetId ?? '' });
    await tools.detach();
    await page.goto('/nowhere/at/all');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: /Welcome/ }).waitFor();
  });
});
