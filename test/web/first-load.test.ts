import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import * as de from '../../web/src/strings/de/first.ts';
import * as en from '../../web/src/strings/en/first.ts';
import type { Language } from '../../web/src/strings/load-strings.ts';
import * as ru from '../../web/src/strings/ru/first.ts';
import { blankPng } from '../blank-png.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { handSession } from './handed-session.ts';
import { isNetworkChange } from './interrupted-requests.ts';
import { pendingRequests } from './resting-page.ts';

const dist = join(import.meta.dirname, '../../web/dist');
/** Bytes of compressed script that a first visit loads. The router is 22,000 of them: docs/decisions/0029-a-kept-router.md. */
const budget = 135_000;

/** The texts of the first pages, by language. */
const firstTexts = { en, de, ru } satisfies Record<Language, unknown>;

type Chunk = { file: string; imports?: string[]; isEntry?: boolean };

/** The files that a script imports at once, directly or through others. */
function withImports(
  manifest: Record<string, Chunk>,
  names: readonly string[],
  known = new Set<string>(),
): Set<string> {
  for (const name of names) {
    const chunk = manifest[name] ?? assert.fail(`${name} is not in the manifest`);
    if (known.has(chunk.file)) continue;
    known.add(chunk.file);
    withImports(manifest, chunk.imports ?? [], known);
  }
  return known;
}

/** The bytes that the service sends. Small files are not compressed. */
const sentBytes = (file: string): number => {
  const path = join(dist, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
};

describeLong('the first load of the pages', () => {
  let server: TestServer;
  // It builds the pages where they are older than their sources.
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('has at most 135 kB of compressed script, in each language', () => {
    const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    for (const language of Object.keys(firstTexts))
      for (const page of ['account/login', 'dashboard/dashboard', 'lessons/courses']) {
        const own = `src/${page}-page.tsx`;
        const shared = Object.keys(manifest).find((name) => name.startsWith('_first-pages-')) ?? own;
        const scripts = ['index.html', own in manifest ? own : shared, `src/strings/${language}/first.ts`];
        const files = [...withImports(manifest, scripts), 'index.html'];
        const bytes = files.reduce((sum, file) => sum + sentBytes(file), 0);
        assert.ok(bytes <= budget, `${page} in ${language}: ${bytes} bytes in ${files.join(', ')}`);
      }
  });

  it('loads nothing of the administration with a page of students', () => {
    const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    const administration = manifest['src/administration/administration-pages.ts']?.file ?? assert.fail('no such file');
    const areas = /^src\/(account|assessments|classes|lessons|notes|profile|sandboxes)\/[^/]+-page\.tsx$/;
    const pages = Object.keys(manifest).filter((name) => areas.test(name));
    assert.ok(pages.length > 8);
    assert.deepEqual(
      pages.filter((page) => withImports(manifest, [page]).has(administration)),
      [],
    );
  });

  it('shows and uses the words of the login page, in an answer of at most 15 kB', () => {
    assert.ok(sentBytes('index.html') <= 15_000, `${sentBytes('index.html')} bytes`);
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    for (const [language, { account, common }] of Object.entries(firstTexts)) {
      const shown = [...html.matchAll(new RegExp(`<span lang="${language}">([^<]*)`, 'g'))].map(([, text]) => text);
      const { loginLead, loginTitle, usernameOrEmail, password, login } = account;
      assert.deepEqual(shown, [common.retry, common.product, loginLead, loginTitle, usernameOrEmail, password, login]);
    }
  });

  describe('in a browser', { skip: browserSkip, timeout: 600_000 }, () => {
    let visitors: Visitors;
    let student: TestUser;
    let theme: number;
    before(async () => {
      visitors = new Visitors(server);
      const admin = await server.user('admin');
      student = await server.user();
      const create = async (path: string, fields: object): Promise<number> =>
        (await server.post(`/api/admin/lessons/${path}`, admin.token, fields)).body.id;
      const course_id = await create('courses', { name: 'Linux' });
      const section_id = await create('sections', { name: 'First', course_id });
      theme = await create('themes', { title: 'Shell', section_id, markdown_file_path: 'a.md' });
      // A dashboard has plots and activity from the first lesson on.
      await server.post(`/api/lessons/themes/${theme}/complete`, student.token);
    });

    const stream = '/api/notifications/events';

    /** A page with an open stream is never idle. */
    const withoutStream = (page: Page) => page.route(`**${stream}`, (route) => route.fulfill({ status: 204 }));

    /** The paths of the data that a page requests from now on. */
    function requestsOf(page: Page): string[] {
      const paths: string[] = [];
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (request.method() === 'GET' && pathname.startsWith('/api/') && pathname !== stream)
          paths.push(pathname + search);
      });
      return paths;
    }

    /** Opens a page whose scripts are held back until the early one has requested something. */
    async function openHeldBack(t: TestContext, path: string) {
      const page = await visitors.come(t, { isNew: true });
      await handSession(page, server, student);
      await withoutStream(page);
      const all = requestsOf(page);
      const failures: string[] = [];
      page.on('requestfailed', (request) => failures.push(`${request.url()} ${request.failure()?.errorText}`));
      let release: (() => void) | undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/assets/{index,first-pages}-*.js', async (route) => {
        await held;
        await route.continue();
      });
      const arrived = page.waitForRequest((request) => request.url().includes('/api/auth/refresh'));
      await page.goto(path, { waitUntil: 'commit' });
      await arrived;
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/')),
      );
      await until(() => all.length > 0, `${path} to request something early`);
      const early = [...all];
      release?.();
      await page.locator('main#content').waitFor();
      await page.waitForLoadState('networkidle');
      return { all, early, failures };
    }

    it('requests the data of the page once, and before the page itself runs', async (t) => {
      const other = await visitors.come(t);
      await withoutStream(other);
      for (const [path, link] of [
        ['/', 'Dashboard'],
        ['/courses', 'Courses'],
        [`/lessons/${theme}`, undefined],
      ] as const) {
        let opened = await openHeldBack(t, path);
        // A page whose scripts were interrupted has loaded itself again.
        while (opened.failures.some(isNetworkChange)) opened = await openHeldBack(t, path);
        const { all, early, failures } = opened;
        const requests = `${path} requests something twice: ${all.join(', ')}; failed: ${failures.join(', ')}`;
        assert.equal(new Set(all).size, all.length, requests);

        // The requests of the page where none was sent ahead.
        await visitors.openAs(other, student, '/profile');
        await until(() => pendingRequests(other).length === 0, 'the data of the profile');
        const later = requestsOf(other);
        if (link) await other.getByRole('link', { name: link, exact: true }).first().click();
        else await goTo(other, path);
        // The frame of every page asks for it, so the page before this one has it.
        const ofFrame = '/api/exams/attempts/active?is_optional=true';
        const missing = (): string[] => early.filter((each) => each !== ofFrame && !later.includes(each));
        await until(
          () => missing().length === 0,
          () => `${path} to request what is requested ahead: ${missing()}`,
        );
      }
    });

    it('has no login form on the page of an invitation, whose password would be typed into it', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/assets/**', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto('/invitation#CODE', { waitUntil: 'commit' });
      await page.getByText('Learning platform is loading').waitFor();
      assert.equal(await page.locator('#document-login').isVisible(), false);
      release();
      await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    });

    it('has a login form before any other file has arrived, and loses nothing that was typed or sent', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      let release = (): void => {};
      let held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/assets/**', async (route) => {
        await held;
        await route.continue();
      });
      const form = page.locator('#document-login');
      await page.goto('/courses', { waitUntil: 'commit' });
      await form.getByLabel('Username or email').fill(student.username);
      release();
      await form.waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).pathname, '/login');
      assert.equal(await page.getByLabel('Username or email').inputValue(), student.username);
      await page.getByLabel('Username or email').and(page.locator(':focus')).waitFor();

      held = new Promise<void>((resolve) => (release = resolve));
      await page.goto('/login?next=%2Fcourses', { waitUntil: 'commit' });
      await form.getByLabel('Username or email').fill(student.username);
      await form.getByLabel('Password').fill(student.password);
      await form.getByLabel('Password').press('Enter');
      await form.locator('button[aria-busy]').waitFor();
      release();
      await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
      // Who has a session sees no login form while the page loads.
      held = new Promise<void>((resolve) => (release = resolve));
      await page.reload({ waitUntil: 'commit' });
      await page.getByText('Learning platform is loading').waitFor();
      assert.equal(await form.isVisible(), false);
      release();
      await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
    });

    // Until the style sheet is there, the browser reports the hidden text as visible.
    const notice = (page: Page, text = 'The page could not be loaded.') =>
      page.locator('#start[data-failed]').getByText(text);

    it('reports a script that cannot be loaded, and can be tried again', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      let tries = 0;
      page.on('request', (request) => (tries += request.isNavigationRequest() ? 1 : 0));
      await page.route('**/assets/index-*.js', (route) => route.abort());
      await page.goto('/login', { waitUntil: 'commit' }).catch(() => {});
      await notice(page).waitFor();
      assert.equal(tries, 4, 'a failure is shown only where three further tries did not help');
      await page.unroute('**/assets/index-*.js');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByLabel('Password').waitFor();
      assert.equal(await notice(page).count(), 0);
    });

    it('is loaded again by itself where the network has interrupted it, unless something was typed', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      let abort = (): void => {};
      let held = Promise.resolve();
      await page.route('**/assets/index-*.js', async (route) => {
        await held;
        await route.abort();
        await page.unroute('**/assets/index-*.js');
      });
      await page.goto('/login', { waitUntil: 'commit' }).catch(() => {});
      await page.locator('main:not(#start)').getByLabel('Password').waitFor();

      held = new Promise<void>((resolve) => (abort = resolve));
      const other = await visitors.come(t, { isNew: true });
      await other.route('**/assets/index-*.js', async (route) => {
        await held;
        await route.abort();
      });
      await other.goto('/login', { waitUntil: 'commit' });
      const field = other.locator('#document-login').getByLabel('Username or email');
      await field.fill('ada');
      abort();
      await notice(other).waitFor();
      assert.equal(await field.inputValue(), 'ada');
    });

    it('reports texts that cannot be loaded, in the language of the user', async (t) => {
      const page = await visitors.come(t, { language: 'ru', isNew: true });
      let tries = 0;
      await page.route('**/assets/first-*.js', async (route) => {
        if (route.request().url().includes('first-pages')) return await route.continue();
        tries += 1;
        await route.abort();
      });
      // The page is loaded again once, in case the service was updated.
      await page.goto('/login', { waitUntil: 'commit' }).catch(() => {});
      await notice(page, 'Не удалось загрузить страницу.').waitFor();
      assert.equal(tries, 2, 'a failure is shown only where another try did not help');
      await page.unroute('**/assets/first-*.js');
      await page.getByRole('button', { name: 'Повторить' }).click();
      await page.getByLabel('Пароль').waitFor();
    });

    it('reports a script that does not arrive', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      await page.clock.install();
      await page.route('**/assets/index-*.js', () => {});
      await page.goto('/login', { waitUntil: 'commit' });
      await page.getByLabel('Password').waitFor();
      await page.clock.fastForward(21_000);
      await notice(page).waitFor();
    });
  });

  describe('of a page that is not among the first', { skip: browserSkip, timeout: 600_000 }, () => {
    let visitors: Visitors;
    before(() => {
      visitors = new Visitors(server);
    });
    const crash = (page: Page) => page.getByText('The service cannot be reached.');

    it('is tried again once by itself where its script is missing, then by the user', async (t) => {
      const page = await visitors.comeAs(t, await server.user(), '/courses', { isNew: true });
      let tries = 0;
      await page.route('**/assets/profile-page-*.js', async (route) => {
        tries += 1;
        await route.abort();
      });
      await page.goto('/profile');
      await crash(page).waitFor();
      assert.equal(tries, 2);
      // The other pages work.
      await page.getByRole('link', { name: 'Courses' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
      await page.goBack();
      await crash(page).waitFor();
      await page.unroute('**/assets/profile-page-*.js');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    });

    it('has a part that is there later, once what was typed is saved: again by itself, or loaded again for it', async (t) => {
      const page = await visitors.comeAs(t, await server.user(), '/profile', { isNew: true });
      await page.getByLabel('Full name').fill('Ada Lovelace');
      const script = '**/assets/crop-dialog-*.js';
      await page.route(script, (route) => route.abort());
      const failed = page.waitForEvent('requestfailed');
      const buffer = blankPng(8);
      await page.getByLabel('Choose a picture').setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer });
      await failed;
      await page.unroute(script);
      // The decision, against another load.
      await page.waitForResponse((one) => one.request().method() === 'HEAD' && one.url().endsWith('/'));
      let documents = 0;
      page.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0));
      // The browser decides whether it requests again a script that it could not fetch.
      const part = page.getByRole('dialog', { name: 'Choose the part to show' });
      await page.getByRole('button', { name: 'Save' }).click();
      await until(
        async () => documents === 1 || (await part.isVisible().catch(() => false)),
        'the part, or the page again',
      );
      if (documents === 0) await page.keyboard.press('Escape');
      assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada Lovelace');
    });

    it('is given up where its script does not arrive', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      await page.clock.install();
      await handSession(page, server, await server.user());
      await page.route('**/assets/exams-page-*.js', () => {});
      await page.goto('/courses');
      await page.getByRole('link', { name: 'Exams' }).first().click();
      // The page before stays for a moment.
      await page.getByRole('heading', { level: 1, name: 'Courses' }).waitFor();
      await page.clock.fastForward(31_000);
      await crash(page).waitFor();
    });

    it('reports data that does not arrive', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      await page.clock.install();
      await handSession(page, server, await server.user());
      await page.route('**/api/profile/me', () => {});
      await page.goto('/profile');
      // Another card has its data. Without it, its request would be late as well.
      await page.getByRole('group', { name: /notified/i }).waitFor();
      // The time of a request that begins later is not over with the first step.
      await until(async () => {
        await page.clock.fastForward(31_000);
        return await crash(page).isVisible();
      }, 'the report');
      await page.unroute('**/api/profile/me');
      await page.getByRole('button', { name: 'Try again' }).click();
      await crash(page).waitFor({ state: 'detached' });
    });
  });
});
