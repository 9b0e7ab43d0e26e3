import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { run } from './shell.ts';

describeLong('a preview as a student, in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  let course: number;
  let laboratory: number;
  let classId: number;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
    const { server, instructor, admin } = room;
    const made = async (path: string, fields: object, { token } = instructor): Promise<number> => {
      const { status, body, text } = await server.post(path, token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    course = await made('/api/teaching/courses', { name: 'Shell' });
    const section_id = await made(`/api/teaching/courses/${course}/sections`, { name: 'Files' });
    laboratory = await room.make('laboratory', ['test -f /home/student/done && echo PASS || echo FAIL'], {
      ...{ title: 'Practice', section_id },
    });
    classId = await made('/api/classes', { name: 'Term', course_ids: [course] });
    const student = await server.user();
    await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id });
    await room.finish(student, 'laboratory', laboratory, [true]);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  const stripOf = (page: Page) => page.getByRole('complementary', { name: 'Preview as a student' });
  const preview = async (page: Page) => {
    await page.getByRole('button', { name: 'Preview as student' }).click();
    await stripOf(page).getByText('You see this as your test student.').waitFor();
  };
  const grades = async (page: Page): Promise<string> => {
    await page.getByRole('tab', { name: 'Grades' }).click();
    const table = page.getByRole('table');
    await table.getByRole('link', { name: '1 / 1' }).waitFor();
    return (await table.textContent()) ?? '';
  };

  // Long: one preview from the class to its deletion.
  it('practises in a machine, changes no grade, and is deleted with a click', async (t) => {
    const page = await visitors.comeAs(t, room.instructor, `/classes/${classId}`);
    const strip = stripOf(page);
    const before = await grades(page);
    await goTo(page, `/classes/${classId}`);
    await preview(page);
    await page.getByRole('heading', { name: 'Term' }).waitFor();
    // As a student sees the class.
    await page.getByRole('tab', { name: 'Members' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Preview as student' }).count(), 0);
    await assertAccessible(page, 'a class as its test student');
    await page.getByRole('link', { name: 'Shell' }).click();
    await page.getByRole('heading', { name: 'Shell' }).waitFor();
    await goTo(page, `/laboratories/${laboratory}`);
    await page.getByRole('button', { name: 'Start the laboratory' }).click();
    await run(page, 'touch ~/done; echo made-$((1 + 1))', 'made-2');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('1 of 1 passed', { exact: true }).waitFor();
    await assertAccessible(page, 'a laboratory of a test student');

    await strip.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    assert.equal(await strip.count(), 0);
    assert.equal(await grades(page), before);

    // The editor of the laboratory leads to where it was left.
    const editor = `/teaching/courses/${course}/laboratories/${laboratory}`;
    await goTo(page, editor);
    await preview(page);
    await page.getByText('1 of 1 passed', { exact: true }).waitFor();
    await strip.getByRole('button', { name: 'Delete its attempts' }).click();
    await page.getByText('Everything that your test student had done was deleted.', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, editor);
    await preview(page);
    await page.getByRole('button', { name: 'Start the laboratory' }).waitFor();
  });

  it('leads to the draft of a course on a phone, and says what it cannot do', async (t) => {
    const { server, instructor } = room;
    const path = '/api/teaching/courses';
    const { id } = (await server.post(path, instructor.token, { name: 'Draft', is_active: false })).body;
    const page = await visitors.comeAs(t, instructor, `/teaching/courses/${id}`, { viewport: phone });
    await preview(page);
    await page.getByRole('heading', { name: 'Draft' }).waitFor();
    await assertAccessible(page, 'a draft as a test student on a phone');
    await goTo(page, '/classes');
    await page.getByRole('button', { name: 'Join a class' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('ABCDE23456');
    await dialog.getByRole('button', { name: 'Join' }).click();
    await dialog.getByText('A test student cannot do this').waitFor();
    await page.reload();
    // Another load is the teacher's own.
    await page.getByRole('button', { name: 'Search' }).waitFor();
    assert.equal(await stripOf(page).count(), 0);
  });
});
