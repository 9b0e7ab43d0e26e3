import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

/** A trial runs in two containers, and other tests run at the same time. */
const trialTime = { timeout: 120_000 };

describeLong('the pages of authors', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let classroom: Classroom;
  let visitors: Visitors;
  before(async () => {
    classroom = await Classroom.open();
    visitors = new Visitors(classroom.server);
  });
  after(async () => {
    await classroom?.[Symbol.asyncDispose]();
  });

  // Long: one exam from its draft to its publication; each trial takes seconds.
  it('create an exam, try its script, and publish it', async (t) => {
    const page = await visitors.comeAs(t, classroom.admin, '/administration/exams');
    await page.getByText('There are no exams yet').waitFor();
    await page.getByRole('button', { name: 'New exam' }).click();
    await create(page, { Title: 'Files and folders' });
    await page.waitForURL(/\/administration\/exams\/\d+$/);
    await page.getByRole('heading', { name: 'Files and folders', level: 1 }).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();

    await page.getByLabel('Passing score').fill('7');
    await page.getByRole('tab', { name: 'Texts' }).click();
    await page.getByLabel('Introduction').fill('Welcome');
    await page.getByRole('button', { name: 'Preview (Introduction)' }).click();
    await page.getByRole('region', { name: 'Preview of Introduction' }).getByText('Welcome').waitFor();
    await assertAccessible(page, 'the editor with a preview');
    await page.getByRole('button', { name: 'Edit (Introduction)' }).click();
    await page.getByLabel('Conclusion').fill('Well done');
    const tasks = page.getByRole('tab', { name: 'Tasks' });
    await tasks.click();
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByText('Nobody can pass: the tasks are worth only 1 point.').waitFor();
    await page.getByLabel('Title').fill('Make a file');
    await page.getByLabel('Points', { exact: true }).fill('10');
    await page.getByText('The tasks are worth 10 points.').waitFor();
    // The check expects another file than the one that the solution creates.
    await type(
      page,
      'Verification script',
      'if [ -f /home/student/b ]; then\n  echo PASS\nelse\n  echo no b\n  echo FAIL\nfi\n',
    );
    await type(page, 'Reference solution', 'echo hello > /home/student/a\n');
    await page.getByText('There are unsaved changes').waitFor();

    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await page.getByText('Trying on a fresh machine').first().waitFor();
    await page.getByText('There are problems', { exact: true }).waitFor(trialTime);
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    const trial = page.getByRole('region', { name: 'Make a file' });
    await trial.getByText('The check does not pass after the solution.').waitFor();
    await trial.getByText('fails, as expected').first().waitFor();
    await trial.getByText('fails, expected to pass').waitFor();
    await trial.getByText('no b').filter({ visible: true }).last().waitFor();
    await assertAccessible(page, 'a failed trial');

    await tasks.click();
    // A check that always passes is not tried against wrong solutions.
    await type(page, 'Verification script', 'echo PASS\n');
    await page.getByRole('button', { name: 'Publish' }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'Not published' });
    await refusal.getByRole('listitem').filter({ hasText: 'Make a file: The check passes before' }).waitFor(trialTime);

    await tasks.click();
    await type(
      page,
      'Verification script',
      '[ "$(student_file /home/student/a)" = hello ] && echo PASS || echo FAIL\n',
    );
    await page.getByRole('button', { name: 'Try this task' }).click();
    await page.getByText('Everything works as expected').waitFor(trialTime);
    await trial.getByText('passes, as expected').first().waitFor();
    await page.getByText(/It took [\d.]+ s/).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Files and folders is published. Students can see it.').first().waitFor(trialTime);
    await page.getByText('Published', { exact: true }).waitFor();

    const student = await classroom.server.user();
    const { body } = await classroom.server.get('/api/exams', student.token);
    assert.equal(body.length, 1);
    assert.equal(body[0].title, 'Files and folders');
    assert.equal(body[0].max_score, 10);
    assert.equal(body[0].passing_score, 7);
    assert.equal(body[0].introduction, 'Welcome');
    await visitors.openAs(page, student, '/exams');
    await page.getByText('Files and folders').first().waitFor();
  });

  // Long: one file from its upload to its deletion.
  it('upload a file of the machine, change it, and delete it', async (t) => {
    const id = await classroom.make('laboratory', ['echo FAIL'], {
      title: 'With files',
      is_active: false,
      container_image: 'platform-exam-linux-services',
    });
    const page = await visitors.comeAs(t, classroom.admin, `/administration/laboratories/${id}?tab=settings`);
    await page.getByLabel('Tasks open one after another').check();
    await page.getByRole('tab', { name: 'Machine' }).click();
    await page.getByLabel('Students work as').selectOption('root');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Upload a file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('read me') });
    assert.equal(await dialog.getByLabel('Path on the machine').inputValue(), '/home/student/notes.txt');
    await dialog.getByLabel('Path on the machine').fill('/proc/notes.txt');
    await dialog.getByLabel('Needed by').selectOption({ label: 'Task 1' });
    await dialog.getByRole('button', { name: 'Upload a file' }).click();
    await until(async () => (await dialog.locator('[aria-invalid=true]').count()) === 1, 'the problem of the path');
    await dialog.getByLabel('Path on the machine').fill('/home/student/notes.txt');
    await assertAccessible(page, 'the upload of a file');
    await dialog.getByRole('button', { name: 'Upload a file' }).click();
    const table = page.getByRole('region', { name: 'Files of the machine' });
    const row = table.getByRole('row').filter({ hasText: '/home/student/notes.txt' });
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /student.*0644.*7.*Task 1/);
    await row.getByRole('button', { name: 'Change /home/student/notes.txt' }).click();
    await dialog.getByLabel('Owner').fill('root');
    await dialog.getByLabel('Mode').fill('600');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: '0600' }).waitFor();
    const laboratory = await classroom.server.get(`/api/admin/laboratories/${id}`, classroom.admin.token);
    assert.deepEqual([laboratory.body.is_sequential, laboratory.body.user], [true, 'root']);
    const { body } = await classroom.server.get(`/api/admin/laboratories/${id}/files`, classroom.admin.token);
    assert.deepEqual([body[0].owner, body[0].mode, body[0].bytes], ['root', '0600', 7]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Download /home/student/notes.txt' }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'notes.txt');
    await row.getByRole('button', { name: 'Delete /home/student/notes.txt' }).click();
    await answer(page, 'Delete');
    await table.waitFor({ state: 'detached' });
    await classroom.server.delete(`/api/admin/laboratories/${id}`, classroom.admin.token);
  });

  // Long: one editor, and each step depends on the one before.
  it('reorder tasks, keep unsaved input, and ask before discarding it', async (t) => {
    const id = await classroom.make('exam', ['echo FAIL', 'echo FAIL', 'echo FAIL'], {
      title: 'Order',
      is_active: false,
    });
    const page = await visitors.comeAs(t, classroom.admin, `/administration/exams/${id}`);
    const list = page.getByRole('list', { name: 'Tasks in order' });
    const titles = () => list.getByRole('listitem').evaluateAll((rows) => rows.map((row) => row.textContent));
    await list.getByRole('button', { name: 'Move Task 1' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Task 1 is picked up.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.getByText('Task 1 is at position 2 of 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByText('There are unsaved changes').waitFor();
    assert.match((await titles()).join(), /Task 2.*Task 1.*Task 3/);
    await list.getByRole('button', { name: /^Task 3/ }).click();
    await page.getByRole('button', { name: 'Move up' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    const { body } = await classroom.server.get(`/api/admin/exams/${id}`, classroom.admin.token);
    assert.deepEqual(
      body.tasks.map(({ title }: { title: string }) => title),
      ['Task 2', 'Task 3', 'Task 1'],
    );

    // Tab indents in the editor. After Escape it moves the focus out of the editor.
    const script = page.getByRole('textbox', { name: 'Verification script' });
    await script.click();
    await page.keyboard.press('Tab');
    await page.getByText('There are unsaved changes').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await script.evaluate((element) => element === document.activeElement), false);

    await page.getByLabel('Passing score').fill('x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A whole number from 0 to 1000000').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    const asked = page.waitForEvent('dialog');
    void page.evaluate(() => location.reload()).catch(() => {});
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Passing score').inputValue(), 'x');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  });

  it('create and try a laboratory with a hint and without a time limit', async (t) => {
    const page = await visitors.comeAs(t, classroom.admin, '/administration/laboratories');
    await page.getByRole('button', { name: 'New laboratory' }).click();
    await create(page, { Title: 'Practice' });
    await page.waitForURL(/\/administration\/laboratories\/\d+$/);
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Title').fill('Make a file');
    await page.getByLabel('Hint').fill('touch makes one');
    await type(page, 'Reference solution', 'echo 42 > ~/answer.txt\n');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Practice is published. Students can see it.').first().waitFor(trialTime);
    const { body } = await classroom.server.get('/api/admin/laboratories', classroom.admin.token);
    assert.equal(body.length, 1);
    const [laboratory] = body;
    assert.equal(laboratory.is_active, true);
    assert.equal(laboratory.time_limit_minutes, null);
    assert.equal(laboratory.tasks[0].hint, 'touch makes one');

    await page.getByRole('button', { name: 'Retire' }).click();
    await answer(page, 'Retire');
    await page.getByText('Draft', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete Practice' }).click();
    await answer(page, 'Delete');
    await page.getByText('There are no laboratories yet').waitFor();
  });

  it('import courses from a repository after a preview', async (t) => {
    const { server, admin } = classroom;
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'Import from a repository' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address of the repository').fill('git@example.com:lessons.git');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Enter an https address.').waitFor();
    await dialog.getByLabel('Address of the repository').fill('');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('From the folders: the repository has no table of contents.').waitFor();
    await dialog.getByText('Moving around the file tree').waitFor();
    await assertAccessible(page, 'the preview of an import');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByText(/^Imported: /)
      .first()
      .waitFor();
    const { body } = await server.get('/api/lessons/courses', admin.token);
    const imported = body.find(({ name }: { name: string }) => name === 'Lessons');
    assert.equal(imported.is_active, false);
    assert.ok(imported.progress.total_themes > 10);
    const path = `/api/admin/lessons/courses/${imported.id}`;
    await server.delete(path, admin.token);
  });

  // Long: one course, which each step changes.
  it('create a course, and reorder it with the keyboard', async (t) => {
    const { server, admin } = classroom;
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'New course' }).click();
    await create(page, { Name: 'Linux' });
    await page.getByRole('heading', { name: 'Linux' }).waitFor();
    for (const name of ['Files', 'Users']) {
      await page.getByRole('button', { name: 'New section in Linux' }).click();
      await create(page, { Name: name });
      await page.getByRole('heading', { name }).waitFor();
    }
    for (const title of ['Paths', 'Links', 'Rights']) {
      await page.getByRole('button', { name: 'New lesson in Files' }).click();
      await create(page, { Title: title, 'Markdown file': 'nowhere/at-all.md' });
      await page.getByText(title, { exact: true }).waitFor();
    }

    await page.getByRole('button', { name: 'Preview: Paths' }).click();
    await page.getByText('This file is not in the lessons repository').waitFor();
    await assertAccessible(page, 'a preview without its file');
    await closePreview(page, 'Paths');
    await choose(page, 'Paths', 'Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Markdown file').fill('../outside.md');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^The path must name a file, without empty steps/).waitFor();
    await assertAccessible(page, 'the form of a theme');
    await dialog.getByLabel('Markdown file').fill(lesson);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Preview: Paths' }).click();
    await page.locator('.lesson-text p').first().waitFor();
    await closePreview(page, 'Paths');

    const order = async () => {
      const { body } = await server.get('/api/lessons/courses', admin.token);
      type Section = { name: string; themes: { title: string }[] };
      return body[0].sections.map(({ name, themes }: Section) => [name, ...themes.map(({ title }) => title)].join(' '));
    };
    await carry(page, 'Paths', ['Paths is at position 2 of 3 in Files.']);
    await eventually(order, ['Files Links Paths Rights', 'Users']);
    await carry(page, 'Paths', ['Paths is at position 3 of 3 in Files.', 'Paths is at position 1 of 1 in Users.']);
    await eventually(order, ['Files Links Rights', 'Users Paths']);
    await choose(page, 'Users', 'Move up');
    await eventually(order, ['Users Paths', 'Files Links Rights']);

    // With the pointer, to the first place of the other section.
    await drag(page, 'Rights', 'Paths', 'Rights is at position 1 of 1 in Users.');
    await eventually(order, ['Users Rights Paths', 'Files Links']);
    await drag(page, 'Rights', 'Links', 'Rights is at position 1 of 1 in Files.');
    await eventually(order, ['Users Paths', 'Files Rights Links']);

    // A refused change is undone on the page.
    await page.route('**/api/admin/lessons/themes/*', (route) =>
      route.fulfill({
        status: 409,
        headers: { 'error-code': 'a_code_of_a_newer_service' },
        json: { detail: 'Somebody was quicker' },
      }),
    );
    await choose(page, 'Links', 'Move up');
    await page.getByText('Somebody was quicker').first().waitFor();
    await page.waitForFunction(() => /Rights[\s\S]*Links/.test(document.querySelector('main')?.textContent ?? ''));
    await page.unroute('**/api/admin/lessons/themes/*');
    // The menus of the last rows open where the notes are.
    const closeNote = page.getByRole('region', { name: /^Notifications \(/ }).getByRole('button', { name: 'Close' });
    while ((await closeNote.count()) > 0) await closeNote.first().click();

    // What is made in the pages is hidden until it is published: the course and both sections.
    const hidden = page.getByText('Hidden from students', { exact: true });
    await choose(page, 'Files', 'Show to students');
    await eventually(() => hidden.count(), 2);
    await choose(page, 'Files', 'Hide from students');
    await eventually(() => hidden.count(), 3);
    await choose(page, 'Files', 'Delete');
    await page.getByText('This also deletes 2 lessons and all progress in them.').waitFor();
    await answer(page, 'Delete');
    await eventually(order, ['Users Paths']);
    await page.getByRole('button', { name: 'Refresh repository' }).click();
    await page
      .getByText(/at commit [0-9a-f]{8}/)
      .first()
      .waitFor();
  });

  // Long: one exam, from a refused change to a saved one.
  it('save the changed check of a published exam only after its trial', async (t) => {
    const { server, admin } = classroom;
    const script = '[ -f /home/student/a ] && echo PASS || echo FAIL';
    const id = await classroom.make('exam', [script], { title: 'In use' });
    const tasks = `/api/admin/exams/${id}/tasks`;
    const [{ id: taskId }] = (await server.get(tasks, admin.token)).body;
    const solution_script = 'touch /home/student/a';
    assert.equal((await server.put(`${tasks}/${taskId}`, admin.token, { solution_script })).status, 200);
    await classroom.start(await server.user(), 'exam', id);
    const saved = async () => (await server.get(`${tasks}/${taskId}`, admin.token)).body.verification_script;

    const page = await visitors.comeAs(t, admin, `/administration/exams/${id}`);
    await type(page, 'Verification script', 'echo nonsense');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Trial before saving' });
    await dialog.getByText(/^1 attempt runs with the version of .* and is graded by it\.$/).waitFor();
    await dialog.getByText('Changes apply to attempts that start after they are saved.').waitFor();
    await assertAccessible(page, 'the trial before a check is saved');
    await dialog.getByText('Nothing is saved. The trial has found problems.').waitFor(trialTime);
    await dialog.getByText('The check has no verdict on a fresh machine').waitFor();
    await dialog.getByRole('button', { name: 'Save anyway' }).waitFor();
    assert.equal(await saved(), script);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // A trial does not save it either.
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await page.getByText('There are problems').first().waitFor(trialTime);
    assert.equal(await saved(), script);

    await page.getByRole('tab', { name: 'Tasks' }).click();
    const better = `student_file /home/student/a > /dev/null && test -e /home/student/a && echo PASS || echo FAIL`;
    await type(page, 'Verification script', better);
    await page.getByLabel('Passing score').fill('0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor(trialTime);
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    assert.equal((await server.get(`/api/admin/exams/${id}`, admin.token)).body.passing_score, 0);
    assert.equal(await saved(), better);
  });

  it('report problems on a phone, in the dark theme and in Russian', async (t) => {
    const id = await classroom.make('exam', ['echo PASS', 'echo FAIL'], { title: 'Looks', is_active: false });
    const page = await visitors.comeAs(t, classroom.admin, `/administration/exams/${id}`, {
      viewport: phone,
      theme: 'dark',
      language: 'ru',
    });
    await page.route('**/try', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'error-code': 'overloaded' },
        json: { detail: 'Other scripts are being tried; try again later' },
      }),
    );
    await page.getByRole('button', { name: 'Проверить', exact: true }).click();
    await page.getByText('Сейчас нет свободной машины').waitFor();
    await page.unroute('**/try');
    await page.getByRole('button', { name: 'Проверить', exact: true }).click();
    await page.getByText('Что-то не так').waitFor(trialTime);
    await page.getByText('Проверка проходит, когда ещё ничего не сделано').waitFor();
    await page.getByText('Нет эталонного решения.').waitFor();
    await assertAccessible(page, 'a trial in the dark');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
  });

  it('say in the reader’s language why the set-up failed', async (t) => {
    const fields = { title: 'Broken set-up', is_active: false, setup_script: 'echo the last words; exit 7' };
    const id = await classroom.make('exam', ['echo PASS'], fields);
    const page = await visitors.comeAs(t, classroom.admin, `/administration/exams/${id}`, { language: 'ru' });
    await page.getByRole('button', { name: 'Проверить', exact: true }).click();
    const setup = page.getByRole('region', { name: 'Подготовка', exact: true }).last();
    await setup.getByText('Сценарий подготовки завершился с кодом 7, а не 0.').waitFor(trialTime);
    await setup.getByText('the last words').waitFor({ state: 'attached' });
  });
});

/** A lesson of the shipped content. */
const lesson = 'linux-from-the-shell-up/02-text-and-pipes/03-searching.md';

/** Fills the form of the dialog that is opened. The page behind it may have fields of the same names. */
async function create(page: Page, fields: Record<string, string>): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
}

/** Closes the preview of a theme. The focus then returns to its button, which would close a menu that is opened before. */
async function closePreview(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: `Preview: ${title}` })
    .and(page.locator(':focus'))
    .waitFor();
}

/** Chooses from the menu of a course, a section or a theme. */
async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Moves an item down with the keyboard. Each step is computed from where the one before has put it, so its announcement is awaited. */
async function carry(page: Page, name: string, places: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: `Move ${name}` }).focus();
  await page.keyboard.press('Space');
  await page.getByText(`${name} is picked up.`).waitFor({ state: 'attached' });
  for (const place of places) {
    await page.keyboard.press('ArrowDown');
    await page.getByText(place).waitFor({ state: 'attached' });
  }
  await page.keyboard.press('Space');
}

/** Drags the handle of one item to the handle of another. The page computes where it is a moment later, so its announcement is awaited. */
async function drag(page: Page, name: string, to: string, place: string): Promise<void> {
  const [handle, target] = [
    page.getByRole('button', { name: `Move ${name}` }),
    page.getByRole('button', { name: `Move ${to}` }),
  ];
  await handle.hover();
  await page.mouse.down();
  const box = await target.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 8, box.y + 8, { steps: 10 });
  await page.getByText(place).waitFor({ state: 'attached' });
  await page.mouse.up();
}

async function eventually<Value>(look: () => Promise<Value>, expected: Value): Promise<void> {
  await until(async () => JSON.stringify(await look()) === JSON.stringify(expected), 'the order').catch(() => {});
  assert.deepEqual(await look(), expected);
}

/** Replaces the text of an editor. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}
