import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { serveRepository } from '../git-http.ts';
import { LocalRepository } from '../git-repository.ts';
import { itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const token = 'token-of-the-private-repository';
const path = '/administration/repositories';

describe('the page of lesson repositories', { skip: browserSkip, timeout: 240_000 }, () => {
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
      .getByText('Private lessons cannot be reached: the Git server refused the credentials', { exact: true })
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

    const courses = await visitors.comeAs(t, admin, '/administration/courses');
    await courses.getByRole('button', { name: 'New course' }).first().click();
    const form = courses.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('From elsewhere');
    await form.getByLabel('Lesson repository').selectOption('Private lessons');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });

    const again = await visitors.comeAs(t, admin, path);
    await again.getByText('Courses: From elsewhere.').waitFor();
    await again.getByRole('button', { name: 'Delete Private lessons' }).click();
    const question = again.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText(/Courses read their lessons from this repository/).waitFor();
  });

  itLong('is in Russian, and fits a phone', async (t) => {
    const page = await visitors.comeAs(t, admin, path, { viewport: phone, theme: 'dark', language: 'ru' });
    await page.getByText('Репозиторий по умолчанию').waitFor();
    await assertAccessible(page, 'the lesson repositories on a phone');
  });
});
