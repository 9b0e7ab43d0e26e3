import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { serveRepository } from '../git-http.ts';
import { LocalRepository } from '../git-repository.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const token = 'token-of-the-private-repository';
const path = '/administration/repositories';

describeLong('the page of lesson repositories', { skip: browserSkip, timeout: 600_000 }, () => {
  let repository: LocalRepository;
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let url: string;
  const web = createServer((request, response) => {
    const expected = `Basic ${Buffer.from(`git:${token}`).toString('base64')}`;
    if (request.headers.authorization === expected) serveRepository(repository.path, request, response);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="lessons"' }).end();
  });
  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({ 'a.md': '# Private\n' });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/${repository.path.split('/').at(-1)}`;
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    web.close();
    await repository[Symbol.asyncDispose]();
  });

  // Long: the life of a repository, from page to page.
  it('adds, tests, uses and deletes a private repository', async (t) => {
    const page = await visitors.comeAs(t, admin, path);
    await page.getByText('Default repository').waitFor();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Private lessons');
    await dialog.getByLabel('Address').fill(url);
    await assertAccessible(page, 'the form of a lesson repository');
    await dialog.getByRole('button', { name: 'Add a repository' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test the connection to Private lessons' }).click();
    await page
      .getByText('Private lessons cannot be reached: The Git server refused the credentials.', { exact: true })
      .waitFor();

    await page.getByRole('button', { name: 'Edit Private lessons' }).click();
    await dialog.getByLabel('Key').fill(token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('with a key').waitFor();
    await page.getByRole('button', { name: 'Update Private lessons' }).click();
    await page.getByText('Private lessons is up to date', { exact: true }).waitFor();
    await page.getByText(/^Updated .*, commit [0-9a-f]{10}\.$/).waitFor();
    await assertAccessible(page, 'the lesson repositories');
    await page.getByRole('button', { name: 'Edit Private lessons' }).click();
    assert.equal(await dialog.getByLabel('Key', { exact: false }).first().inputValue(), '');
    assert.ok(!(await page.content()).includes(token));

    await visitors.openAs(page, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New course' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('From elsewhere');
    await dialog.getByLabel('Lesson repository').selectOption('Private lessons');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });

    await goTo(page, path);
    await page.getByText('Courses: From elsewhere.').waitFor();
    await page.getByRole('button', { name: 'Delete Private lessons' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText(/Courses read their lessons from this repository/).waitFor();
  });

  it('shows in Russian why a repository cannot be reached or used', async (t) => {
    const fields = { name: 'Closed', url, branch: 'main' };
    const { status, body } = await server.post('/api/admin/lessons/repositories', admin.token, fields);
    assert.equal(status, 201, JSON.stringify(body));
    const place = `/api/admin/lessons/repositories/${body.id}`;
    assert.equal((await server.post(`${place}/refresh`, admin.token)).status, 503);
    await until(async () => (await server.get(place, admin.token)).body.error !== null, 'the stored failure');
    const page = await visitors.comeAs(t, admin, path, { language: 'ru' });
    await page.getByText(/^Обновление .* не удалось: Git-сервер отклонил учётные данные\.$/).waitFor();
    await page.getByRole('button', { name: 'Проверить соединение: Closed' }).click();
    await page.getByText('Closed: нет соединения: Git-сервер отклонил учётные данные.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Изменить Closed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Адрес').fill('/etc');
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await dialog.getByText('Укажите адрес https или SSH.').waitFor();
    await visitors.openAs(page, admin, '/administration/courses');
    await page.getByRole('button', { name: 'Импорт из репозитория' }).click();
    await dialog.getByLabel('Репозиторий').selectOption({ label: 'Closed' });
    await dialog.getByRole('button', { name: 'Просмотреть' }).click();
    await dialog.getByRole('alert').getByText('Git-сервер отклонил учётные данные.').waitFor();
  });

  it('is in Russian, and fits a phone', async (t) => {
    const page = await visitors.comeAs(t, admin, path, { viewport: phone, theme: 'dark', language: 'ru' });
    await page.getByText('Репозиторий по умолчанию').waitFor();
    await assertAccessible(page, 'the lesson repositories on a phone');
  });

  it('imports lessons in the chosen one of their languages', async (t) => {
    await using lessons = await LocalRepository.create();
    await lessons.commit({ 'one.md': '# One\n', 'one.de.md': '# Eins\n' });
    await using own = await TestServer.start({ LESSONS_REPO_URL: lessons.path });
    const page = await new Visitors(own).comeAs(t, await own.user('admin'), '/administration/courses');
    await page.getByRole('button', { name: 'Import from a repository' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('One · 1 min').waitFor();
    await dialog.getByLabel('Language of the lessons with translations').selectOption('German');
    await dialog.getByText('Eins · 1 min').waitFor();
    await assertAccessible(page, 'the choice of a language');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page
      .getByText(/^Imported: /)
      .first()
      .waitFor();
    const { rows } = await sql<{ title: string }>`select title from themes`.execute(own.application.db);
    assert.deepEqual(rows, [{ title: 'Eins' }]);
  });
});
