import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { blankPng } from '../blank-png.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const list = '/administration/written-lessons';

describeLong('the pages of written lessons', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    [admin, student] = [await server.user('admin'), await server.user()];
    const course = await post('/api/admin/lessons/courses', { name: 'Course' });
    await post('/api/admin/lessons/sections', { name: 'Section', course_id: course.id });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const post = async (path: string, fields: object) => {
    const { status, body } = await server.post(path, admin.token, fields);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const write = (path: string, text: string) => post('/api/admin/written-lessons', { path, text });
  const area = (page: Page) => page.getByLabel('Text in Markdown');
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = (page: Page, revision: number) =>
    page.getByText(`Saved as revision ${revision}`, { exact: true }).waitFor();

  // Long: one lesson, from its first word to what a student reads of it.
  it('write a lesson beside its preview, with a picture, and restore an older text', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New lesson in Section' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Title').fill('First steps');
    await form.getByLabel('Where the text is').selectOption('Written here');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    await page.getByText('first-steps.md').first().waitFor();
    await area(page).fill('# First steps\n\nThe **shell** reads a line.\n\n');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.locator('strong', { hasText: 'shell' }).waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: blankPng(8) });
    await preview.getByRole('img', { name: 'plan' }).waitFor();
    await area(page).evaluate(
      (element, bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], 'drop.png', { type: 'image/png' }));
        element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [...blankPng(8)],
    );
    await preview.getByRole('img', { name: 'drop' }).waitFor();
    await page.getByLabel('What has changed').fill('A picture');
    await assertAccessible(page, 'the editor of a lesson');
    await save(page);
    await saved(page, 2);
    const editor = new URL(page.url()).pathname;
    const lesson = (await server.get('/api/admin/written-lessons?q=first-steps', admin.token)).body[0].lessons[0];
    await visitors.openAs(page, student, `/lessons/${lesson.theme_id}`);
    await page.locator('strong', { hasText: 'shell' }).waitFor();
    await page.getByRole('img', { name: 'plan' }).waitFor();

    await visitors.openAs(page, admin, editor);
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog');
    await history.getByText('A picture').waitFor();
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    await history.getByText('The **shell** reads a line.').first().waitFor();
    await assertAccessible(page, 'the history of a lesson');
    await history.getByRole('button', { name: 'Restore this revision' }).click();
    await history.waitFor({ state: 'detached' });
    await until(async () => (await area(page).inputValue()) === '# First steps\n', 'the restored text');
    await visitors.openAs(page, student, `/lessons/${lesson.theme_id}`);
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    await until(async () => (await page.locator('strong', { hasText: 'shell' }).count()) === 0, 'the restored lesson');
  });

  // Long: one text, which each button and its keys change.
  it('format the selection with buttons and keys, each of which the browser undoes', async (t) => {
    const section = (await server.get('/api/admin/lessons/sections', admin.token)).body[0];
    await post('/api/admin/lessons/themes', {
      ...{ title: 'Permissions', section_id: section.id, markdown_file_path: 'linux/03-rights.md', is_written: true },
    });
    const { id } = await write('toolbar.md', 'Files\n\nls -l\n');
    const page = await visitors.comeAs(t, admin, `${list}/${id}`);
    const bar = page.getByRole('toolbar', { name: 'Format the text' });
    const preview = page.getByRole('region', { name: 'Preview' });
    const select = (text: string) =>
      area(page).evaluate((element, part) => {
        const field = element as HTMLTextAreaElement;
        const from = field.value.indexOf(part);
        field.focus();
        field.setSelectionRange(from, from + part.length);
      }, text);
    const becomes = async (text: string) =>
      await until(async () => (await area(page).inputValue()) === text, `the text ${JSON.stringify(text)}`);
    await select('Files');
    await bar.getByRole('button', { name: 'Heading', exact: true }).click();
    await becomes('## Files\n\nls -l\n');
    await preview.getByRole('heading', { name: 'Files' }).waitFor();
    await select('ls -l');
    await page.keyboard.press('Control+Shift+Digit5');
    await becomes('## Files\n\n```bash\nls -l\n```\n');
    await preview.getByRole('button', { name: 'Run in my terminal' }).click();
    await page.getByText('In the lesson, this runs in the terminal of the student.').first().waitFor();
    await area(page).focus();
    await page.keyboard.press('Control+z');
    await becomes('## Files\n\nls -l\n');
    await page.keyboard.press('Control+z');
    await becomes('Files\n\nls -l\n');
    await page.keyboard.press('Control+Shift+z');
    await becomes('## Files\n\nls -l\n');

    // The toolbar is one step of the Tab key, and the arrow keys move in it.
    await bar.getByRole('button', { name: 'Heading', exact: true }).focus();
    for (const name of ['Subheading', 'Bold', 'Code', 'Callout']) {
      await page.keyboard.press('ArrowRight');
      await bar.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
    }
    await select('ls -l');
    await bar.getByRole('button', { name: 'Callout' }).click();
    await assertAccessible(page, 'the toolbar with its menu');
    await page.getByRole('menuitem', { name: 'Warning' }).click();
    await becomes('## Files\n\n> [!WARNING]\n> ls -l\n');
    await preview.getByRole('note').getByText('ls -l').waitFor();

    // A lesson is picked by its title.
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Shift+Digit6');
    const dialog = page.getByRole('dialog', { name: 'Link to a lesson' });
    await dialog.getByLabel('Title of the lesson').fill('permiss');
    await dialog.getByRole('button', { name: /^Permissions/ }).waitFor();
    await assertAccessible(page, 'the choice of a lesson');
    await page.keyboard.press('Enter');
    await becomes('## Files\n\n> [!WARNING]\n> ls -l\n[Permissions](/linux/03-rights.md)');
  });

  it('keep what is not saved when the page is closed, and offer both texts after a conflict', async (t) => {
    const { id } = await write('conflict.md', 'Base\n');
    const page = await visitors.comeAs(t, admin, `${list}/${id}`);
    await area(page).fill('Base\n\nMine\n');
    await page.getByText('There are unsaved changes').waitFor();
    await page.reload();
    await page.getByText('These are your changes of an earlier visit').waitFor();
    assert.equal(await area(page).inputValue(), 'Base\n\nMine\n');
    await server.put(`/api/admin/written-lessons/${id}`, admin.token, { text: 'Base\n\nTheirs\n' });
    await save(page);
    const conflict = page.getByRole('alert', { name: 'Somebody else has saved this file' });
    await conflict.getByText('Theirs').waitFor();
    await conflict.getByText('Mine').waitFor();
    await assertAccessible(page, 'a conflict');
    await conflict.getByRole('button', { name: 'Save my text' }).click();
    await saved(page, 3);
    assert.equal((await server.get(`/api/admin/written-lessons/${id}`, admin.token)).body.text, 'Base\n\nMine\n');
    await page.reload();
    await until(async () => (await area(page).inputValue()) === 'Base\n\nMine\n', 'the saved text');
    assert.equal(await page.getByText('These are your changes').count(), 0);
  });

  it('offer both texts where somebody else saved before the file was renamed here', async (t) => {
    const { id } = await write('renamed.md', 'Base\n');
    const page = await visitors.comeAs(t, admin, `${list}/${id}`);
    await area(page).fill('Base\n\nMine\n');
    await server.put(`/api/admin/written-lessons/${id}`, admin.token, { text: 'Base\n\nTheirs\n' });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('renamed-here.md');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'renamed-here.md', level: 1 }).waitFor();
    assert.equal(await area(page).inputValue(), 'Base\n\nMine\n');
    await save(page);
    const conflict = page.getByRole('alert', { name: 'Somebody else has saved this file' });
    await conflict.getByText('Theirs').waitFor();
    await conflict.getByRole('button', { name: 'Save my text' }).click();
    await saved(page, 4);
    await area(page).fill('Base\n\nMine again\n');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('renamed-again.md');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'renamed-again.md', level: 1 }).waitFor();
    await save(page);
    await saved(page, 6);
  });

  it('ask before an older text replaces what is not saved', async (t) => {
    const { id } = await write('asked.md', 'First\n');
    await server.put(`/api/admin/written-lessons/${id}`, admin.token, { text: 'Second\n' });
    const page = await visitors.comeAs(t, admin, `${list}/${id}`);
    await area(page).fill('Not saved\n');
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog');
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    await history.getByRole('button', { name: 'Restore this revision' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Your unsaved changes are lost').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Escape');
    await history.waitFor({ state: 'detached' });
    assert.equal(await area(page).inputValue(), 'Not saved\n');
    await page.getByRole('button', { name: 'History' }).click();
    await history.getByRole('button', { name: /^Revision 1/ }).click();
    await history.getByRole('button', { name: 'Restore this revision' }).click();
    await question.getByRole('button', { name: 'Restore this revision' }).click();
    await until(async () => (await area(page).inputValue()) === 'First\n', 'the restored text');
  });

  it('show nobody the unsaved text of another user of the browser', async (t) => {
    const { id } = await write('shared.md', 'Saved\n');
    const page = await visitors.comeAs(t, admin, `${list}/${id}`, { isNew: true });
    await area(page).fill('Half a lesson\n');
    const isKept = () => page.evaluate(() => Object.values(localStorage).join().includes('Half a lesson'));
    await until(isKept, 'the kept text');
    await visitors.openAs(page, await server.user('admin'), `${list}/${id}`);
    await page.getByRole('heading', { name: 'shared.md', level: 1 }).waitFor();
    assert.equal(await area(page).inputValue(), 'Saved\n');
    assert.equal(await page.getByText('These are your changes of an earlier visit').count(), 0);
  });

  it('rename and delete a file, and restore it from the deleted ones, on a phone', async (t) => {
    await write('phone/old.md', 'Kept\n');
    const page = await visitors.comeAs(t, admin, list, { viewport: phone });
    await page.getByRole('link', { name: 'phone/old.md' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Path').fill('phone/new.md');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'phone/new.md', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await answer(page, 'Delete');
    await page.getByLabel('Files', { exact: true }).selectOption('Deleted ones');
    await page.getByRole('link', { name: 'phone/new.md' }).click();
    await page.getByRole('button', { name: 'History' }).click();
    await dialog.getByRole('button', { name: /^Revision 2/ }).click();
    await dialog.getByRole('button', { name: 'Restore this revision' }).click();
    await until(async () => (await area(page).inputValue()) === 'Kept\n', 'the restored file');
  });

  it('choose the file of a lesson among those of its repository', async (t) => {
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New lesson in Section' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Title').fill('Chosen');
    await form.getByLabel('Markdown file').fill('no/such.md');
    await form.getByText('The repository has no such file.').waitFor();
    await form.getByLabel('Markdown file').fill('a/b');
    await form.getByText('Choose a file').click();
    await assertAccessible(page, 'the files of a repository');
    await form.getByRole('button', { name: 'b.md' }).click();
    assert.equal(await form.getByLabel('Markdown file').inputValue(), 'a/b.md');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('a/b.md').waitFor();
  });
});
