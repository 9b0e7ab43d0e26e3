import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';

/** Nothing listens there. */
const host = '127.0.0.1:9';

describeLong('the pages of container images', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: from an image that is refused to an exam with another one, at both doors.
  it('add, explain, choose and remove them', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/templates?tab=images');
    const list = page.getByRole('list', { name: 'Images' });
    const one = (name: string) => list.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    const dialog = page.getByRole('dialog');
    await one(image).getByText('Shipped').waitFor();
    await page.getByRole('button', { name: 'Add an image' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Networks');
    await dialog.getByLabel('Reference').fill('networks');
    await dialog.getByRole('button', { name: 'Add an image' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Reference').fill(`${host}/school/networks`);
    await dialog.getByLabel('User at the registry').fill('school');
    await dialog.getByLabel('Password or token').fill('secret');
    await assertAccessible(page, 'the form of an image');
    await dialog.getByRole('button', { name: 'Add an image' }).click();
    await dialog.waitFor({ state: 'detached' });
    await one('Networks').getByText('The registry cannot be reached.').waitFor();
    const { db } = server.application;
    await page.getByRole('button', { name: 'Pull Networks again' }).click();
    // The page has the problem of the first pull until the second begins.
    await until(async () => {
      const row = db.selectFrom('container_images').select(['pulls', 'state']).where('name', '=', 'Networks');
      const { pulls, state } = await row.executeTakeFirstOrThrow();
      return pulls === 2 && state === 'failed';
    }, 'the end of the second pull');

    // What a refused image lacks, in words.
    const row = db.updateTable('container_images').where('name', '=', 'Networks');
    await row.set({ problem: 'parts_missing', lacks: ['sshd', 'student'] }).execute();
    await page.reload();
    await one('Networks').getByText('the account student with the number 1000').waitFor();
    await assertAccessible(page, 'the images');
    const folder = process.env['PICTURES_OF_IMAGES'];
    if (folder) {
      await mkdir(folder, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1440, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(folder, `images-${colorScheme}-${width}.png`), fullPage: true });
        }
    }
    await page.getByRole('button', { name: 'Remove Networks' }).click();
    await answer(page, 'Remove');
    await one('Networks').waitFor({ state: 'detached' });

    const teacher = await server.user('instructor');
    const { body: course } = await server.post('/api/teaching/courses', teacher.token, { name: 'Networks' });
    const grants = `/teaching/courses/${course.id}?tab=grants`;
    await goTo(page, grants);
    await page.getByLabel('Registries').fill(host);
    await page.getByRole('button', { name: /^Save$/ }).click();
    await page.getByRole('button', { name: 'Add an image' }).waitFor();
    await visitors.openAs(page, teacher, grants);
    await page.getByRole('listitem').filter({ hasText: host }).waitFor();
    await page.getByRole('button', { name: 'Add an image' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Routers');
    await dialog.getByLabel('Reference').fill(`${host}/school/routers:1`);
    await dialog.getByRole('button', { name: 'Add an image' }).click();
    await one('Routers').getByText('The registry cannot be reached.').waitFor();
    if (folder) await page.screenshot({ path: join(folder, 'course.png'), fullPage: true });

    // Only what can be used is a choice.
    const choices = async (): Promise<string[]> => {
      await goTo(page, `/teaching/courses/${course.id}/exams`);
      await page.getByRole('button', { name: 'New exam' }).first().click();
      await dialog.getByLabel('Container image').locator('option').nth(2).waitFor({ state: 'attached' });
      return await dialog.getByLabel('Container image').locator('option').allTextContents();
    };
    assert.ok(!(await choices()).some((name) => name.includes('Routers')));
    const pulled = db.updateTable('container_images').where('name', '=', 'Routers');
    await pulled.set({ state: 'ready', problem: null, image_id: 'sha256:0' }).execute();
    await page.reload();
    const name = `Routers (${host}/school/routers:1)`;
    assert.ok((await choices()).includes(name));
    await dialog.getByLabel('Title').fill('Routing');
    await dialog.getByLabel('Container image').selectOption(name);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Routing', level: 1 }).waitFor();
    const { body: exams } = await server.get(`/api/teaching/courses/${course.id}/exams`, teacher.token);
    assert.equal(exams[0].container_image, `${host}/school/routers:1`);
    await goTo(page, grants);
    await page.getByRole('button', { name: 'Remove Routers' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.getByText('Give them another one first', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });
});
