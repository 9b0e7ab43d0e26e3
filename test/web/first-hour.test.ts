import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';

/** Longest time for the two trials of a publication. */
const trialTime = { timeout: 240_000 };
/** Clicks for everything that a new teacher does until a class has the course. */
const maxClicks = 60;

describeLong('the first hour of a new teacher', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '0' });
    visitors = new Visitors(room.server);
  });
  after(() => room?.[Symbol.asyncDispose]());

  // Long: one path from an empty list to a student who reads the course.
  it(`leads from no course to a class that has one, in less than ${maxClicks} clicks`, async (t) => {
    const { server } = room;
    const teacher = await server.user('instructor');
    // Every course may use the images of the sandboxes.
    const template = { name: 'Shell', image, memory_mb: 64, cpus: 1 };
    await server.post('/api/admin/sandbox-templates', room.admin.token, template);
    const page = await visitors.comeAs(t, teacher, '/');
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    const button = (name: string | RegExp, within: Page | Locator = page) =>
      within.getByRole('button', { name }).first();
    const dialog = page.getByRole('dialog');
    const create = async (label: string, text: string): Promise<void> => {
      await dialog.getByLabel(label, { exact: true }).fill(text);
      await click(button('Create', dialog));
      await dialog.waitFor({ state: 'detached' });
    };
    await click(page.getByRole('link', { name: 'Courses I teach' }));
    await click(button('New course'));
    await create('Name', 'Shell for beginners');
    await click(button('New section'));
    await create('Name', 'Files');
    await click(button('New lesson in Files'));
    await create('Title', 'The first file');
    await page.getByRole('heading', { name: 'The first file', level: 1 }).waitFor();
    await click(page.getByRole('textbox', { name: 'Text in Markdown' }));
    await page.keyboard.insertText('# The first file\n\n`touch` makes one.\n');
    await click(button(/^Save$/));
    await page.getByText('Saved as revision 2').first().waitFor();
    await click(
      page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Shell for beginners' }),
    );
    await click(button('New laboratory'));
    await create('Title', 'A note');
    await page.getByLabel('Begin with').selectOption('File exists');
    clicks += 2;
    await click(button('Add a task'));
    await click(button(/^Save$/));
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    await click(button('Publish'));
    await page.getByText('A note is published.', { exact: false }).first().waitFor(trialTime);
    await click(
      page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Shell for beginners' }),
    );
    for (const name of ['Shell for beginners', 'Files']) {
      await click(button(`Actions: ${name}`));
      await click(page.getByRole('menuitem', { name: 'Show to students' }));
    }
    await page.getByText('Hidden from students').first().waitFor({ state: 'detached' });
    await click(page.getByRole('link', { name: 'Classes' }));
    await click(button('New class'));
    await click(dialog.getByLabel('Shell for beginners'));
    await create('Name', 'Evening class');

    const { token } = await server.user();
    const { body: courses } = await server.get('/api/lessons/courses', token);
    assert.deepEqual(
      courses.map(({ name, sections }: { name: string; sections: { name: string }[] }) => [name, sections[0]?.name]),
      [['Shell for beginners', 'Files']],
    );
    const [{ id: section }] = courses[0].sections;
    const { body: laboratory } = await server.get(`/api/laboratories/section/${section}/laboratory`, token);
    assert.equal(laboratory.title, 'A note');
    const { body: classes } = await server.get('/api/classes', teacher.token);
    assert.deepEqual(
      classes.map(({ name, course_ids }: { name: string; course_ids: number[] }) => [name, course_ids]),
      [['Evening class', [courses[0].id]]],
    );
    t.diagnostic(`${clicks} clicks`);
    assert.ok(clicks < maxClicks, `${clicks} clicks`);
  });
});
