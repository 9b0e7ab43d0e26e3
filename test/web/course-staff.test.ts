import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { CourseStaffWorld } from '../api/course-staff-world.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';

describeLong('the pages of the staff of a course', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let world: CourseStaffWorld;
  let [owner, colleague]: TestUser[] = [];
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    world = await CourseStaffWorld.make(server);
    owner = await server.user('instructor');
    colleague = await server.user('instructor');
  });
  after(async () => await server?.[Symbol.asyncDispose]());

  // Long: the same course as its owner, an editor and a viewer have it.
  it('let an editor change the course and a viewer only read it', async (t) => {
    assert.ok(owner && colleague);
    const { course, laboratory } = await world.course(owner);
    const path = `/teaching/courses/${course}`;
    const page = await visitors.comeAs(t, owner, '/teaching/courses');
    await page.getByRole('link', { name: 'Courses I teach' }).first().waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Course \d+$/ })
      .click();
    await page.getByRole('tab', { name: 'Staff' }).click();
    await page.getByLabel('Username or email address').fill(colleague.username);
    await page.getByRole('button', { name: 'Add a colleague' }).click();
    const row = page.getByRole('list', { name: 'Staff' }).getByRole('listitem').filter({ hasText: colleague.username });
    await row.waitFor();
    // The form is for the next colleague, and its button has its full colour again.
    await page.getByRole('button', { name: 'Add a colleague' }).and(page.locator(':not([aria-busy=true])')).waitFor();
    assert.equal(await page.getByLabel('Username or email address').inputValue(), '');
    await assertAccessible(page, 'the staff of a course');

    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByText('This is the last owner of the course. Make a colleague an owner first.').first().waitFor();

    await visitors.openAs(page, colleague, path);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New lesson in Section' }).click();
    await dialog.getByLabel('Title').fill('Second');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
    assert.match(page.url(), new RegExp(`${path}/written-lessons/\\d+$`));

    await goTo(page, `${path}/laboratories/${laboratory}`);
    await page.getByLabel('Title').first().fill('Renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await page.getByLabel('Begin with').selectOption('Cron line');
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByText('Run a command every quarter of an hour').first().waitFor();
    await assertAccessible(page, 'a task to begin with');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });

    await world.made('PUT', `/api/teaching/courses/${course}/staff/${colleague.id}`, owner, { role: 'viewer' });
    await visitors.openAs(page, colleague, `${path}/laboratories/${laboratory}`);
    await page.getByText('You are a viewer of this course', { exact: false }).waitFor();
    assert.equal(await page.getByLabel('Title').first().isDisabled(), true);
    assert.equal(await page.getByLabel('Title').first().inputValue(), 'Renamed');
    await page.getByText('Run a command every quarter of an hour').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /Publish|Try|Save/ }).count(), await disabledOf());
    await assertAccessible(page, 'a laboratory for a viewer');

    await goTo(page, path);
    await page.getByText('Second', { exact: true }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^(New|Actions|Move|More)/ }).count(), 0);
    await page.getByRole('tab', { name: 'What it may use' }).click();
    await page.getByText('A lesson repository of its own: granted').waitFor();
    assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0);

    async function disabledOf(): Promise<number> {
      return await page.locator('fieldset:disabled button', { hasText: /Publish|Try|Save/ }).count();
    }
  });

  it('ask for nothing that only administrators read in the form of a new course', async (t) => {
    assert.ok(owner);
    const page = await visitors.comeAs(t, owner, '/teaching/courses');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'New course' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Of an instructor');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Of an instructor', level: 1 }).waitFor();
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/api/admin/')),
      [],
    );
  });

  it('copy a course, a laboratory and an exam under another name', async (t) => {
    assert.ok(owner && colleague);
    const ids = await world.course(owner);
    const path = `/teaching/courses/${ids.course}`;
    const { name } = await world.made('GET', `/api${path}`, owner, undefined);
    const page = await visitors.comeAs(t, owner, path);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Copy' }).click();
    await dialog.getByLabel('Name').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), name);
    await assertAccessible(page, 'the copy of a course');
    await dialog.getByLabel('Name').fill('Spring term');
    await dialog.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { name: 'Spring term', level: 1 }).waitFor();
    await page.getByText('Hidden from students').first().waitFor();
    const copy = new URL(page.url()).pathname;
    assert.notEqual(copy, path);

    await page.getByRole('button', { name: /^Actions: Laboratory/ }).click();
    await page.getByRole('menuitem', { name: 'Copy' }).click();
    await dialog.getByLabel('Title').fill('Practice again');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('heading', { name: 'Practice again', level: 1 }).waitFor();
    assert.ok(new URL(page.url()).pathname.startsWith(`${copy}/laboratories/`));

    await goTo(page, `${copy}/exams`);
    await page.getByRole('button', { name: /^Copy Exam/ }).click();
    await dialog.getByLabel('Title').fill('Second sitting');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('heading', { name: 'Second sitting', level: 1 }).waitFor();
    // An editor of the first course copies what is in it, and neither copies nor deletes the course.
    await world.addStaff(ids, colleague, 'editor');
    await visitors.openAs(page, colleague, path);
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    for (const action of ['Copy', 'Delete'])
      assert.equal(await page.getByRole('menuitem', { name: action }).count(), 0);
  });
});
