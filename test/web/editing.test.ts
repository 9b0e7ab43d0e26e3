import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, logIn, Visitors } from './browser.ts';
import { assertNothingCovered, controlBoxes } from './notes-of-page.ts';
import { desktop, phone } from './page-pool.ts';

describeLong('editing in the pages', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const course = async (name: string, fields: object = {}): Promise<number> =>
    (await server.post('/api/admin/lessons/courses', admin.token, { name, ...fields })).body.id;
  const deleteCourse = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await answer(page, 'Delete');
  };
  /** Waits until an element is marked as new, in view and focused. */
  const arrived = async (page: Page, item: string): Promise<void> => {
    await page.locator(`[data-item="${item}"][data-arrived]:focus`).waitFor();
    const place = await page.locator(`[data-item="${item}"]`).boundingBox();
    assert.ok(place && place.y >= 0 && place.y < desktop.height, JSON.stringify(place));
  };

  it('undoes a deletion, and shows what is there again', async (t) => {
    const names = Array.from({ length: 12 }, (_, index) => `Course ${index + 1}`);
    const ids: number[] = [];
    for (const name of names) ids.push(await course(name));
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await deleteCourse(page, 'Course 12');
    await page.getByText('Course 12', { exact: true }).waitFor({ state: 'detached' });
    await assertAccessible(page, 'a page with an offer to undo');
    await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Undo' }).click();
    await arrived(page, `course-${ids[11]}`);
    await goTo(page, '/administration/deletions');
    await page.getByText('Nothing was deleted').waitFor();
  });

  it('restores what was deleted on a page for administrators, and says why it cannot be', async (t) => {
    const id = await course('Bash');
    await server.delete(`/api/admin/lessons/courses/${id}`, admin.token);
    const other = await course('Bash');
    const page = await visitors.comeAs(t, admin, '/administration/deletions');
    const restore = page.getByRole('button', { name: 'Restore: Bash' });
    await restore.click();
    await page.getByText('It cannot be restored: something else has its name').first().waitFor();
    await server.put(`/api/admin/lessons/courses/${other}`, admin.token, { slug: 'other-bash' });
    await restore.click();
    await page.getByText('Bash is restored', { exact: true }).waitFor();
    await restore.waitFor({ state: 'detached' });
  });

  it('shows what was just created, wherever it is in the list', async (t) => {
    for (let index = 0; index < 9; index += 1) await server.user();
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New course' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('The newest');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const item = page.locator('[data-item]').filter({ hasText: 'The newest' });
    await arrived(page, (await item.getAttribute('data-item')) ?? '');
    // Its author publishes it.
    await item.getByText('Hidden from students').first().waitFor();
  });

  // Long: the moment of the arrival is held until the next dialog is open.
  it('leaves the focus to a dialog that is opened while something arrives, and to what is used after it', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New course' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Quick');
    // Opens the next dialog in the moment in which the list shows what was created: the short pause before it is marked lasts until then.
    const opened = page.evaluate(async () => {
      const start = globalThis.setTimeout;
      const until = async (is: () => boolean) => {
        while (!is()) await new Promise((resolve) => start(resolve, 1));
      };
      const held: (() => void)[] = [];
      const hold = (act: (...values: unknown[]) => void, milliseconds: number, ...values: unknown[]) =>
        milliseconds === 50 ? held.push(() => act(...values)) : start(act, milliseconds, ...values);
      Object.assign(globalThis, { setTimeout: hold });
      const items = () => [...document.querySelectorAll('[data-item]')];
      const hasDialog = () => document.querySelector('[role=dialog]') !== null;
      const isThere = () => !hasDialog() && items().some((item) => item.textContent?.includes('Quick'));
      await until(() => held.length > 0 && isThere());
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'New course')?.click();
      await until(hasDialog);
      globalThis.setTimeout = start;
      for (const act of held) act();
    });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await opened;
    assert.equal(await page.locator('[data-arrived]').count(), 0);
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
    // However long the dialog is used.
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 60_000;
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const item = page.locator('[data-item][data-arrived]').filter({ hasText: 'Quick' });
    await item.waitFor();
    assert.equal(await item.evaluate((element) => element.contains(document.activeElement)), false);
    // The next dialog is closed in its first moment, before any timer or frame.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const opened = document.querySelector('[role=dialog]');
        if (!opened) return;
        observer.disconnect();
        opened.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole('button', { name: 'New course' }).click();
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null);
  });

  it('shows a new user whom the list does not have, unless the list is used in the meantime', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/users?q=nobody', { isNew: true });
    await page.clock.install();
    const create = async (username: string) => {
      await page.getByRole('button', { name: 'New user' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Username').fill(username);
      await dialog.getByLabel('Email').fill(`${username}@example.com`);
      await dialog.getByLabel('Password').fill('a long enough password');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await create('first-new');
    await page.keyboard.press('Shift');
    await page.clock.runFor(10_000);
    assert.match(page.url(), /q=nobody$/, 'the list stays as it is');
    await create('second-new');
    await page.clock.runFor(3500);
    await page.waitForURL(/q=second-new$/);
    await page.locator('[data-arrived]:focus').filter({ hasText: 'second-new' }).waitFor();
  });

  for (const [name, viewport] of Object.entries({ desk: desktop, phone })) {
    it(`shows notes that cover no button: on a ${name}`, async (t) => {
      const id = await makeAssessment(server, admin, 'exam', ['true', 'true']);
      const page = await visitors.comeAs(t, admin, `/administration/exams/${id}`, { viewport });
      await page.getByLabel('Passing score').fill('0');
      const bar = page.getByRole('region', { name: 'There are unsaved changes' });
      await bar.waitFor();
      await page.getByRole('button', { name: 'Delete the task' }).click();
      await answer(page, 'Delete');
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      // The notes of a window without the focus stay.
      await page.evaluate(() => dispatchEvent(new Event('blur')));
      await assertNothingCovered(page);
      await bar.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('alertdialog').waitFor();
      await assertNothingCovered(page);
      await answer(page, 'Cancel');
      await assertNothingCovered(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Restored', { exact: true }).waitFor();
      // The page scrolls to what is restored.
      await page.locator('[data-item][data-arrived]:focus').waitFor();
      await assertNothingCovered(page);
      let withNote = await controlBoxes(page);
      await until(async () => {
        const before = withNote;
        withNote = await controlBoxes(page);
        return isDeepStrictEqual(withNote, before);
      }, 'the end of the scrolling');
      await page
        .getByRole('region', { name: /^Notifications \(/ })
        .getByRole('button', { name: 'Close' })
        .click();
      await page.getByText('Restored', { exact: true }).waitFor({ state: 'detached' });
      assert.deepEqual(await controlBoxes(page), withNote, 'a note moves nothing');
      await page
        .getByRole('list', { name: 'Tasks in order' })
        .getByRole('button', { name: 'Task 1', exact: false })
        .first()
        .waitFor();
    });
  }

  // Long: one draft from a crash to a log-out.
  it('keeps unsaved input over a reload, reports a change of others, and forgets it with the log-out', async (t) => {
    const id = await makeAssessment(server, admin, 'exam', ['true']);
    const author = await server.user('admin');
    const page = await visitors.comeAs(t, author, `/administration/exams/${id}?tab=texts`, { isNew: true });
    page.on('dialog', (dialog) => void dialog.accept());
    const title = page.getByLabel('Title').first();
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length);
    await title.fill('Half a title');
    await until(async () => (await kept()) === 1, 'the kept draft');
    await page.reload();
    await page.getByText('Your unsaved changes of').waitFor();
    assert.equal(await title.inputValue(), 'Half a title');
    await assertAccessible(page, 'an editor with a restored draft');
    await server.put(`/api/admin/exams/${id}`, admin.token, { title: 'Of somebody else' });
    await page.reload();
    await page.getByText('It has been changed since').waitFor();
    assert.equal(await title.inputValue(), 'Half a title');
    await page.getByRole('button', { name: 'Discard them' }).click();
    assert.equal(await title.inputValue(), 'Of somebody else');
    await until(async () => (await kept()) === 0, 'the end of the draft');
    await title.fill('Another');
    await until(async () => (await kept()) === 1, 'the second draft');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => (await kept()) === 0, 'the end of the saved draft');
    await title.fill('Left behind');
    await until(async () => (await kept()) === 1, 'the third draft');
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await until(async () => (await kept()) === 0, 'no draft after the log-out');
  });

  it('keeps the input of a dialog', async (t) => {
    const page = await visitors.comeAs(t, admin, '/announcements', { isNew: true });
    const open = () => page.getByRole('button', { name: 'New announcement to everybody' }).click();
    const dialog = page.getByRole('dialog');
    await open();
    await dialog.getByLabel('Title').fill('Half an announcement');
    await until(
      () => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('draft:'))),
      'a draft',
    );
    await page.reload();
    await open();
    await dialog.getByText('Your unsaved changes of').waitFor();
    assert.equal(await dialog.getByLabel('Title').inputValue(), 'Half an announcement');
    await dialog.getByRole('button', { name: 'Discard them' }).click();
    assert.equal(await dialog.getByLabel('Title').inputValue(), '');
  });

  it('gives a form its saved values again when its restored input is discarded', async (t) => {
    await course('As saved', { icon: '' });
    const page = await visitors.comeAs(t, await server.user('admin'), '/administration/courses', { isNew: true });
    const dialog = page.getByRole('dialog');
    const edit = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Actions: As saved' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await edit();
    await dialog.getByLabel('Name').fill('Half a name');
    const isKept = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('draft:')));
    await until(isKept, 'a draft');
    await page.reload();
    await edit();
    await dialog.getByText('Your unsaved changes of').waitFor();
    await dialog.getByLabel('Description').fill('Typed after the restoration');
    await dialog.getByRole('button', { name: 'Discard them' }).click();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'As saved');
    assert.equal(await dialog.getByLabel('Description').inputValue(), '');
    await until(async () => !(await isKept()), 'the end of the draft');
  });

  it('chooses the icon of a course from pictures, and keeps one that it does not know', async (t) => {
    const id = await course('Pictures', { icon: 'owl' });
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    const edit = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Actions: Pictures' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    const iconOf = async () => (await server.get(`/api/admin/lessons/courses/${id}`, admin.token)).body.icon;
    const dialog = page.getByRole('dialog');
    await edit();
    assert.ok(await dialog.getByRole('radio', { name: 'owl (as before)' }).isChecked());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await iconOf(), 'owl');
    await edit();
    await dialog.getByRole('searchbox', { name: 'Find an icon' }).fill('сеть');
    await dialog.getByRole('radio', { name: 'Server' }).waitFor({ state: 'hidden' });
    await assertAccessible(page, 'the form of a course');
    await dialog.getByRole('searchbox', { name: 'Find an icon' }).press('Tab');
    await dialog.getByRole('radio', { name: 'Network' }).press('Space');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await iconOf(), 'network');
  });

  it('lets the points to pass follow the tasks until they are edited, and again on request', async (t) => {
    const id = await makeAssessment(server, admin, 'exam', ['true']);
    const page = await visitors.comeAs(t, admin, `/administration/exams/${id}`);
    const passing = page.getByLabel('Passing score');
    const points = page.getByLabel('Points', { exact: true });
    await points.fill('10');
    await until(async () => (await passing.inputValue()) === '7', '70 % of the points');
    await passing.fill('4');
    await points.fill('20');
    await page.getByText('The tasks are worth 20 points.').waitFor();
    assert.equal(await passing.inputValue(), '4');
    await page.getByRole('button', { name: 'Follow the tasks: 14 points' }).click();
    await until(async () => (await passing.inputValue()) === '14', 'the points that follow again');
  });

  it('opens the search with a key that was pressed right after the login', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await page.goto('/login');
    let go: () => void = () => {};
    const pressed = new Promise<void>((resolve) => {
      go = resolve;
    });
    // The page after the login waits for its data, and the frame for the page.
    await page.route(/\/assets\/(dashboard-page|shell)[^/]*\.js/, async (route) => {
      await pressed;
      await route.continue();
    });
    await logIn(page, admin);
    await page.waitForURL((url) => url.pathname !== '/login');
    await page.keyboard.press('Control+k');
    go();
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
  });
});
