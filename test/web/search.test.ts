import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { LocalRepository } from '../git-repository.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('the search in the pages', { skip: browserSkip, timeout: 600_000 }, () => {
  let repository: LocalRepository;
  let server: TestServer;
  let visitors: Visitors;
  let user: TestUser;
  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({ 'a.md': '# First\n\nNothing.', 'b.md': '# Second\n\nAn octopus <b>has</b> eight arms.' });
    server = await TestServer.start({ LESSONS_REPO_URL: repository.path, searchRefreshSeconds: 1 });
    visitors = new Visitors(server);
    const admin = await server.user('admin');
    const made = async (path: string, json: object) =>
      (await server.post(`/api/admin/lessons/${path}`, admin.token, json)).body.id;
    const section_id = await made('sections', { name: 'Sea', course_id: await made('courses', { name: 'Animals' }) });
    await made('themes', { title: 'Octopus and squid', section_id, markdown_file_path: 'a.md' });
    await made('themes', { title: 'Arms', section_id, markdown_file_path: 'b.md' });
    user = await server.user();
    const found = async () => (await server.get('/api/search?q=octopus', user.token)).body.results.length === 2;
    await until(found, 'the texts of the lessons');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  it('opens with Ctrl+K, selects with the arrow keys and opens with Enter', async (t) => {
    const page = await visitors.comeAs(t, user, '/courses');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('combobox', { name: 'Search for' });
    await field.pressSequentially('octop');
    const options = dialog.getByRole('group', { name: 'Lessons' }).getByRole('option');
    await options.nth(1).waitFor();
    assert.match((await options.first().textContent()) ?? '', /^Octopus and squidAnimals › Sea/);
    assert.equal(await options.nth(1).locator('mark').textContent(), 'octopus');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    await assertAccessible(page, 'the search');
    await field.press('ArrowDown');
    await dialog.getByRole('option', { name: 'Arms', selected: true }).waitFor();
    assert.equal(await field.getAttribute('aria-activedescendant'), await options.nth(1).getAttribute('id'));
    await field.press('Enter');
    await page.getByText('An octopus has eight arms.').waitFor();
    assert.equal(await dialog.count(), 0);
    // The button does the same; Escape closes, and a text without results says so.
    await page.getByRole('button', { name: 'Search' }).click();
    await field.fill('walrus');
    await dialog.getByText('Nothing was found').waitFor();
    await field.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('finds pages and actions by their names, and shows what was opened last', async (t) => {
    const teacher = await server.user('instructor');
    const page = await visitors.comeAs(t, teacher, '/courses', { isNew: true });
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('combobox', { name: 'Search for' });
    const commands = dialog.getByRole('group', { name: 'Pages and actions' }).getByRole('option');
    const open = async () => await page.getByRole('button', { name: 'Search' }).click();
    await open();
    await field.fill('plan an ex');
    await commands.filter({ hasText: 'Plan an exam' }).waitFor();
    await field.press('Enter');
    await page.waitForURL((url) => url.pathname === '/plan-exam');
    await open();
    await dialog.getByRole('group', { name: 'Opened last' }).getByRole('option', { name: 'Plan an exam' }).waitFor();
    await field.fill('theme dark');
    await commands.filter({ hasText: 'Dark' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    // Pages of other roles are not found.
    await open();
    await field.fill('registration codes');
    await dialog.getByText('Nothing was found').waitFor();
  });

  it('fits on a phone', async (t) => {
    const page = await visitors.comeAs(t, await server.user(), '/courses', { viewport: phone });
    await page.getByRole('button', { name: 'Search' }).click();
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill('octopus');
    await dialog.getByRole('option').nth(1).waitFor();
    await assertAccessible(page, 'the search on a phone');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= phone.width, `${width}`);
    await dialog.getByRole('option', { name: 'Arms' }).click();
    await page.getByText('An octopus has eight arms.').waitFor();
  });
});
