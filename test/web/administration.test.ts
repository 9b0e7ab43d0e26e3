import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noAddressDomain } from '../../src/values/email-address.ts';
import { describeLong, rounds } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const image = 'platform-sandbox';

describeLong("the administrators' pages", { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    // Some containers exist only in the database. The reconciler would remove them.
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const come = (t: Parameters<Visitors['comeAs']>[0], path: string, options = {}) =>
    visitors.comeAs(t, admin, `/administration/${path}`, options);
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
  const isFocused = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor();
  const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

  it('show that an account has no address, and do not ask for one', async (t) => {
    const user = await server.user();
    const email = `0123456789@${noAddressDomain}`;
    await server.application.db.updateTable('users').set({ email }).where('id', '=', user.id).execute();
    const page = await come(t, `users?search=${user.username}`);
    await rowOf(page, user.username).getByText('No address', { exact: true }).waitFor();
    await page.getByRole('link', { name: user.username }).click();
    const account = page.getByRole('tabpanel', { name: 'Account' });
    assert.equal(await account.getByLabel('Email').inputValue(), '');
    await account.getByLabel('Full name').fill('Nobody Writes');
    await account.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Nobody Writes' }).waitFor();
    await page.getByText(`${user.username} · No address`).waitFor();
    const stored = server.application.db.selectFrom('users').select('email').where('id', '=', user.id);
    assert.equal((await stored.executeTakeFirst())?.email, email);
  });

  // Long: one life of an account, whose steps stand on each other.
  it('create, change, deactivate and delete a user', async (t) => {
    const page = await come(t, 'users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill(admin.username);
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByLabel('Full name').fill('Grace Hopper');
    await dialog.getByLabel('Password').fill('a good password');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('This username is already taken.').waitFor();
    await dialog.getByLabel('Username').fill('grace');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'grace').getByText('Student').waitFor();
    const login = () => server.post('/api/auth/login', undefined, { username: 'grace', password: 'a good password' });
    assert.equal((await login()).status, 200);

    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    // Within the tab: the list before it has a filter of the same name.
    const account = page.getByRole('tabpanel', { name: 'Account' });
    await account.getByRole('combobox', { name: 'Role' }).selectOption('Instructor');
    await account.getByLabel('Full name').fill('Grace M. Hopper');
    // Another tab does not lose what is typed.
    await tabOf(page, 'Activity');
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    await tabOf(page, 'Account');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace M. Hopper' }).waitFor();
    const facts = page.getByRole('paragraph').filter({ hasText: 'grace@example.com' });
    await facts.getByText('Instructor', { exact: true }).waitFor();

    await tabOf(page, 'Settings');
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await answer(page, 'Deactivate');
    await page.getByText('Inactive', { exact: true }).waitFor();
    assert.equal((await login()).status, 401);
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await assertAccessible(page, 'the settings of a user');

    await page.getByRole('button', { name: 'Delete the user' }).click();
    await answer(page, 'Delete the user');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await rowOf(page, admin.username).waitFor();
    // The list that the page remembers still has the row until it is loaded again.
    await rowOf(page, 'grace').waitFor({ state: 'detached' });
  });

  it('explain why the last administrator cannot be demoted', async (t) => {
    const page = await come(t, `users/${admin.id}?tab=settings`);
    await page.getByRole('button', { name: 'Delete the user' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete the user' }).click();
    await question.getByText(/This is the last active administrator/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await tabOf(page, 'Account');
    await page
      .getByRole('tabpanel', { name: 'Account' })
      .getByRole('combobox', { name: 'Role' })
      .selectOption('Student');
    await page.getByText('This is your own account').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/This is the last active administrator/).waitFor();
  });

  it('find users, with filters kept in the address', async (t) => {
    for (let index = 0; index < 52; index += 1) await server.user();
    const page = await come(t, 'users');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Administrator');
    await page.waitForURL((url) => !url.searchParams.has('page'));
    await rowOf(page, admin.username).waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    await goTo(page, '/administration/users');
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('STUDENT12');
    await page.waitForURL(/q=STUDENT12/);
    await page.reload();
    await rowOf(page, 'student12').waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'STUDENT12');
    assert.equal(await page.getByRole('row').count(), 2);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'users.csv');
    assert.equal((await readFile(await file.path(), 'utf8')).trim().split('\r\n').length, 2);
  });

  // Long: the journey of an import, in two languages.
  it('import users: columns, problems by line, invitations to save, in both languages', async (t) => {
    const page = await come(t, 'users');
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Or paste its text')
      .fill('Login;E-mail;Rolle;Team\nada;ada@example.com;student;1\nx;nowhere;king;2');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('The file has 3 problems.').waitFor();
    await dialog.getByText('There is no such role.').waitFor();
    await assertAccessible(page, 'the problems of an import');
    await dialog.getByLabel('Import Rolle as').selectOption('Not imported');
    await dialog.getByText('The file has 2 problems.').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Import the users' }).isDisabled());

    await dialog.getByRole('button', { name: 'Back' }).click();
    const text = '\uFEFFЛогин\tПочта\tФамилия\tИмя\r\nada\tada@example.com\tЛавлейс\tАда\r\n';
    const buffer = Buffer.from(text, 'utf16le');
    await dialog.getByLabel('File (CSV or text)').setInputFiles({ name: 'users.txt', mimeType: 'text/plain', buffer });
    await dialog.getByText('1 new account without a password').waitFor();
    await dialog.getByRole('button', { name: 'Import the users' }).click();
    await page.getByText('1 of them has not set a password yet.').waitFor();
    await page.reload();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the invitations' }).click(),
    ]);
    const lines = await readFile(await file.path(), 'utf8');
    assert.match(lines, /"ada","ada@example.com","Лавлейс Ада","http.*\/invitation#/);
    await goTo(page, '/administration/users?q=ada');
    await rowOf(page, 'Лавлейс Ада').waitFor();

    const russian = await come(t, 'users', { language: 'ru' });
    await russian.getByRole('button', { name: 'Импорт' }).click();
    const box = russian.getByRole('dialog');
    await box.getByLabel('или его текст').fill('Логин;Почта\nada;b@example.com\n');
    await box.getByRole('button', { name: 'Проверить' }).click();
    await box.getByText('В файле 1 ошибка.').waitFor();
    await box.getByText('Уже зарегистрировано.').waitFor();
    await assertAccessible(russian, 'the problems of an import in Russian');
  });

  it('create and order templates, and hide them from students', async (t) => {
    const page = await come(t, 'templates');
    await page.getByText('There are no templates yet').waitFor();
    for (const name of ['Small', 'Large']) {
      await page.getByRole('button', { name: 'New template' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Container image').selectOption('Another image of the container engine');
      await dialog.getByLabel('Its name in the engine').fill('Not An Image');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
      await dialog.getByLabel('Its name in the engine').fill(image);
      if (name === 'Large') await dialog.getByLabel('Who can use it').selectOption('instructor');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name }).waitFor();
    }
    const offered = async (): Promise<string[]> =>
      (await server.get('/api/sandbox-templates', admin.token)).body.map(({ name }: { name: string }) => name);
    assert.deepEqual(await offered(), ['Small', 'Large']);
    await page.getByText('Instructors and administrators').waitFor();
    const student = await server.user();
    const seen = (await server.get('/api/sandbox-templates', student.token)).body;
    assert.deepEqual([seen.length, seen[0].name], [1, 'Small']);
    await page.getByRole('button', { name: 'Move Large up' }).click();
    await page.getByText('Large is now number 1').first().waitFor();
    assert.deepEqual(await offered(), ['Large', 'Small']);
    // `uncheck` expects the tick to change immediately, but it changes with the answer.
    await page.getByRole('checkbox', { name: 'Offered: Large' }).click();
    await page.getByRole('checkbox', { name: 'Offered: Large', checked: false }).waitFor();
    await until(async () => (await offered()).join() === 'Small', 'Large to be withdrawn');
    await page.getByRole('button', { name: 'Delete Large' }).click();
    await answer(page, 'Delete');
    await page.getByRole('heading', { name: 'Large' }).waitFor({ state: 'detached' });
  });

  it('list the containers of all users, and delete a sandbox', async (t) => {
    const user = await server.user();
    const made = { user_id: user.id, engine_ref: 'none', image, status: 'running' as const };
    const { db } = server.application;
    await db
      .insertInto('containers')
      .values({ ...made, name: 'the-sandbox', kind: 'sandbox' })
      .execute();
    const page = await come(t, 'containers');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Stopped');
    await page.getByText('Nothing matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rowOf(page, 'the-sandbox').getByRole('link', { name: user.username }).waitFor();
    await page.getByRole('button', { name: 'Delete the-sandbox' }).click();
    await answer(page, 'Delete');
    await rowOf(page, 'the-sandbox').waitFor({ state: 'detached' });
  });

  it('list all activity in sentences', async (t) => {
    const user = await server.user();
    await server.put(`/api/admin/users/${user.id}/role?role=instructor`, admin.token);
    const page = await come(t, 'activity');
    const row = page.getByRole('row').filter({ hasText: 'Role changed' }).first();
    await row.getByText('Role: Student → Instructor').waitFor();
    await row.getByRole('button', { name: admin.username }).waitFor();
    await page.getByRole('combobox', { name: 'What' }).selectOption('Registered');
    await page.waitForURL(/type=register/);
    await row.waitFor({ state: 'detached' });
    await page.goBack();
    await row.getByRole('button', { name: admin.username }).click();
    await page.getByRole('button', { name: `Only ${admin.username}` }).click();
    await page.waitForURL((url) => url.search === '');
    // Every type of activity has a translation.
    const cells = await page.getByRole('cell').allInnerTexts();
    assert.ok(!cells.some((text) => /^(admin_)?[a-z]+_[a-z_]+$/.test(text)), cells.join('; '));
  });

  it('show the state of the service', async (t) => {
    const page = await come(t, 'system');
    await page.getByRole('heading', { name: 'Versions' }).waitFor();
    await page.getByText(process.versions.node, { exact: true }).waitFor();
    await page.getByText(/^No problems$|^No containers are available/).waitFor();
    await page.getByRole('progressbar', { name: 'Disk' }).waitFor();
    const admins = page.locator('dl > div').filter({ hasText: 'Administrators' });
    assert.equal(await admins.textContent(), 'Administrators1');
    const small = await come(t, 'system', { language: 'de', viewport: phone });
    const name = small.getByText('Wiederherstellung erprobt');
    assert.ok(await name.evaluate((one) => one.scrollWidth <= one.clientWidth), 'no name is written over its value');
  });

  it('have accessible dialogs, including on a phone', async (t) => {
    const looks = [
      ['light', undefined, 'en'],
      ['dark', phone, 'ru'],
    ] as const;
    for (const [theme, viewport, language] of looks.slice(0, rounds(2, 2))) {
      const page = await come(t, 'users', { theme, language, ...(viewport ? { viewport } : {}) });
      for (const [opener, role] of [
        [page.getByRole('button', { name: /^(New user|Новый пользователь)$/ }), 'dialog'],
        [page.getByRole('button', { name: /^(Import|Импорт)$/ }), 'dialog'],
      ] as const) {
        await opener.click();
        await page.getByRole(role).waitFor();
        await assertAccessible(page, `a ${role} above the users, ${theme}`);
        await page.keyboard.press('Escape');
        await page.getByRole(role).waitFor({ state: 'detached' });
        // The focus returns to the button.
        await isFocused(opener);
      }
    }
  });
});
