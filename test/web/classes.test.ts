import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

const path = '/api/classes';

describeLong('the pages of classes', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    teacher = await server.user('instructor');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
  const create = async (name: string): Promise<number> => (await server.post(path, teacher.token, { name })).body.id;
  const picture = async (page: Page, name: string) => {
    const folder = process.env['PICTURES_OF_CLASSES'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  // Long: one journey, whose steps stand on each other.
  it('create a class, add, change and remove members', async (t) => {
    const admin = await server.user('admin');
    await server.post('/api/admin/lessons/courses', admin.token, { name: 'Linux' });
    const student = await server.user();
    const page = await visitors.comeAs(t, teacher, '/classes');
    await page.getByText('There are no classes yet').waitFor();
    await page.getByRole('button', { name: 'New class' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Operating systems');
    await dialog.getByLabel('Description').fill('Mondays at nine');
    await dialog.getByLabel('Linux').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Operating systems' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Linux' }).waitFor();

    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialog.getByLabel('Username or email').fill('nobody-here');
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await dialog.getByText('There is no user with this name or address.').waitFor();
    await dialog.getByLabel('Username or email').fill(student.email);
    await dialog.getByRole('button', { name: 'Add a member' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, student.username).getByText('Student', { exact: true }).waitFor();
    const choose = async (item: string) => {
      await page.getByRole('button', { name: `Actions for ${student.username}`, exact: true }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await choose('Make an assistant');
    await rowOf(page, student.username).getByText('Assistant', { exact: true }).waitFor();
    await choose('Remove from the class');
    await answer(page, 'Remove from the class');
    await rowOf(page, student.username).waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Leave the class' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Leave the class' }).click();
    await question.getByText(/This is the last instructor of the class/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Archived').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This class is archived.').waitFor();
    await goTo(page, `${new URL(page.url()).pathname}?tab=members`);
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a member' }).count(), 0);
    await page.goBack();
    await page.getByRole('button', { name: 'Delete the class' }).click();
    await answer(page, 'Delete the class');
    await page.getByText('There are no classes yet').waitFor();
  });

  it("show a teacher the pages of a student, in this tab's memory only", async (t) => {
    const id = await create('Looked at');
    const student = await server.user();
    await server.post(`${path}/${id}/members`, teacher.token, { user_id: student.id });
    const page = await visitors.comeAs(t, teacher, `/classes/${id}?tab=members`);
    const look = async () => {
      await page.getByRole('button', { name: `Actions for ${student.username}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'View as this student' }).click();
      await page.getByRole('heading', { name: new RegExp(student.username) }).waitFor();
    };
    const strip = page.getByRole('complementary', { name: 'View as a student' });
    await look();
    await strip.getByText(`You see the pages of ${student.username}.`).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Search' }).count(), 0);
    await assertAccessible(page, 'the pages of a student');
    await picture(page, 'view-of-student');
    await goTo(page, '/sandboxes');
    await strip.waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Search' }).waitFor();
    assert.equal(await strip.count(), 0);
    await goTo(page, `/classes/${id}?tab=members`);
    await look();
    await strip.getByRole('button', { name: 'End view' }).click();
    await page.getByRole('button', { name: `Actions for ${student.username}`, exact: true }).waitFor();
    assert.equal(await strip.count(), 0);
  });

  it('import members from a list and a file, with the problems of each line', async (t) => {
    const id = await create('Networks');
    const users = [await server.user(), await server.user()];
    const page = await visitors.comeAs(t, teacher, `/classes/${id}?tab=members`);
    const dialog = page.getByRole('dialog');
    const send = async (text: string) => {
      await dialog.getByLabel('Or paste its text').fill(text);
      await dialog.getByRole('button', { name: 'Check' }).click();
    };
    const confirm = () => dialog.getByRole('button', { name: 'Import the members' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await send(`${users[0]?.username}\nnobody-here\n`);
    await dialog.getByText('The file has 1 problem.').waitFor();
    await rowOf(page, 'This is required').getByRole('cell', { name: '2', exact: true }).waitFor();
    await picture(page, 'import-problems');
    await assertAccessible(page, 'the problems of an import');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await send(`${users[0]?.username}\n${users[1]?.email}\n`);
    await confirm();
    await dialog.getByText('All of them had accounts.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await rowOf(page, users[1]?.username ?? '').waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await send('username,email,full_name,role\nimported-anna,imported-anna@example.com,Anna Petrova,\n');
    await rowOf(page, 'imported-anna').getByRole('cell', { name: 'Anna Petrova', exact: true }).waitFor();
    await confirm();
    await dialog.getByText('Account created').waitFor();
    // The links are shown once: an accidental key does not close them.
    await page.keyboard.press('Escape');
    await answer(page, 'Cancel');
    await dialog.getByText('Account created').waitFor();
    const link = await dialog.locator('code').first().textContent();
    const guest = await visitors.come(t, { isNew: true });
    await guest.goto(new URL(link ?? '').pathname + new URL(link ?? '').hash);
    await guest.getByLabel('Password').fill('a long password');
    await guest.getByRole('button', { name: 'Set the password' }).click();
    await guest.getByRole('heading', { name: /Anna/ }).waitFor();
  });

  // Long: one journey of two users.
  it('let a student join with a code on a phone, by keyboard, and leave', async (t) => {
    const id = await create('Databases');
    const staff = await visitors.comeAs(t, teacher, `/classes/${id}?tab=settings`);
    await staff.getByRole('button', { name: 'New join code' }).click();
    const form = staff.getByRole('dialog');
    await form.getByLabel('Maximum uses').fill('60');
    await form.getByLabel('Email domain').fill('no domain');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByLabel('Email domain').and(staff.locator('[aria-invalid=true]')).waitFor();
    await form.getByLabel('Email domain').fill('example.com');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    const shown = (await staff.locator('td code').first().textContent()) ?? '';
    assert.match(shown, /^\w{4}-\w{4}-\w{4}$/);

    const student = await server.user();
    const page = await visitors.comeAs(t, student, '/classes', { viewport: phone });
    await page.getByText('There are no classes yet').waitFor();
    assert.equal(await page.getByRole('button', { name: 'New class' }).count(), 0);
    await page.getByRole('button', { name: 'Join a class' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Code').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('WRONG-CODE');
    await page.keyboard.press('Enter');
    await page.getByText('No class can be joined with this code.').waitFor();
    await picture(page, 'join-phone');
    await assertAccessible(page, 'joining a class');
    await page.getByLabel('Code').fill(shown.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Databases' }).waitFor();
    const tabs = await page.getByRole('tab').allTextContents();
    assert.deepEqual(tabs, ['Overview', 'Exams', 'Settings']);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Leave the class' }).click();
    await answer(page, 'Leave the class');
    await page.getByText('There are no classes yet').waitFor();

    await staff.getByRole('button', { name: /^Withdraw/ }).click();
    await answer(staff, /^Withdraw/);
    await staff.getByText('There are no join codes.').waitFor();
  });

  it('show who has not begun, and save it as a CSV', async (t) => {
    const id = await create('Shells');
    const student = await server.user();
    await server.post(`${path}/${id}/members`, teacher.token, { user_id: student.id });
    const page = await visitors.comeAs(t, teacher, `/classes/${id}`);
    await page.getByRole('tab', { name: 'Progress' }).click();
    await rowOf(page, student.username).getByText('Not begun').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    assert.match(
      await readFile(await (await saved).path(), 'utf8'),
      new RegExp(`^${student.username},.*not_begun`, 'm'),
    );
    await page.getByLabel('State').selectOption('Stuck');
    await rowOf(page, student.username).waitFor({ state: 'detached' });
  });

  it('sort the progress of a class', async (t) => {
    const id = await create('Sorted');
    for (const name of ['Zoe Adler', 'Adam Zorn', 'Mia Moser']) {
      const student = await server.user();
      await server.put('/api/profile/me', student.token, { full_name: name });
      await server.post(`${path}/${id}/members`, teacher.token, { user_id: student.id });
    }
    const page = await visitors.comeAs(t, teacher, `/classes/${id}/progress`);
    const names = async () => (await page.getByRole('row').allInnerTexts()).map((row) => /Zoe|Adam|Mia/.exec(row)?.[0]);
    const are = (...wanted: string[]) =>
      until(async () => (await names()).slice(1).join(' ') === wanted.join(' '), wanted.join(', '));
    const head = page.getByRole('columnheader', { name: 'Member' });
    await head.getByRole('button').press('Enter');
    await are('Adam', 'Mia', 'Zoe');
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    await head.getByRole('button').press('Enter');
    await are('Zoe', 'Mia', 'Adam');
    assert.equal(new URL(page.url()).search, '?tab=progress&sort=name&order=desc');
    await assertAccessible(page, 'the sorted progress of a class');
  });

  // Long: one journey, whose steps stand on each other.
  it('show the grade book: rules, a column with typed values, the file, the statistics, and own grades', async (t) => {
    const admin = await server.user('admin');
    const { body: course } = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Graded' });
    const scripts = ['echo PASS', 'echo PASS'];
    const exam = await makeAssessment(server, admin, 'exam', scripts, { title: '=Exam', course_id: course.id });
    const id = await create('Pipes');
    await server.put(`${path}/${id}`, teacher.token, { course_ids: [course.id] });
    const [student, idle] = [await server.user(), await server.user()];
    for (const { id: user_id } of [student, idle])
      await server.post(`${path}/${id}/members`, teacher.token, { user_id });
    await finishAttempt(server, student, 'exam', exam, [false, true]);
    const page = await visitors.comeAs(t, teacher, `/classes/${id}`);
    await page.getByRole('tab', { name: 'Grades' }).click();
    await rowOf(page, student.email).getByText('1 attempt').waitFor();
    await rowOf(page, idle.email).getByText('missing: 1').waitFor();

    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New column' }).click();
    await dialog.getByLabel('Name').fill('Essay');
    await dialog.getByLabel('Maximum').fill('10');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const field = page.getByLabel(`Essay: ${idle.username}`);
    await field.fill('11');
    await field.press('Enter');
    await page.getByText('Enter a number from 0 to 10, or nothing.').first().waitFor();
    await field.fill('7,5');
    await field.press('Enter');
    await rowOf(page, idle.email).getByText('37.5 %').waitFor();
    await page.getByRole('button', { name: 'Rules' }).click();
    await dialog.getByLabel('Students pass from (percent)').fill('35');
    await dialog.getByLabel('Weight of =Exam').fill('2');
    await dialog.getByLabel('Students see their own grades').check();
    await assertAccessible(page, 'the rules of a grade book');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, student.email).getByText('44.44 %').waitFor();
    await rowOf(page, idle.email).getByText('failed').waitFor();
    await page.getByRole('button', { name: 'Total' }).click();
    await page.getByRole('columnheader', { name: 'Total' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog.getByLabel('Or paste its text').fill(`username,Essay\n${student.username},x\nnobody,1`);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('row', { name: /^3 Username/ }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByLabel('Or paste its text').fill(`username,Essay\n${student.username},10`);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import the values' }).click();
    await rowOf(page, student.email).getByText('77.78 %', { exact: true }).waitFor();

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'All grades (CSV)' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    const { username, email } = student;
    const [head, ...lines] = text.trimEnd().split('\r\n');
    assert.equal(head, "username,full_name,email,score,max_score,passed,missing,percent,is_passed,'=Exam,Essay");
    assert.ok(lines.includes(`${username},,${email},12,13,1,0,77.78,true,2,10`), text);
    await assertAccessible(page, 'the grades of a class');
    await picture(page, 'grade-book');
    // The question says that the values can come back, and they do.
    await page.getByRole('button', { name: 'Delete the column: Essay' }).click();
    await page.getByRole('alertdialog').getByText('You can undo this right afterwards.').waitFor();
    await answer(page, 'Delete the column');
    await rowOf(page, student.email).getByText('77.78 %').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, student.email).getByText('77.78 %').waitFor();

    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('heading', { name: 'Statistics: Pipes' }).waitFor();
    await page.getByRole('combobox', { name: 'Grades' }).selectOption('=Exam');
    await page.getByRole('row', { name: /^1\. Task 1 0 of 1/ }).waitFor();
    await assertAccessible(page, 'the statistics of a grade book');
    await picture(page, 'grade-statistics');
    const next = (await server.post(`${path}/${id}/copy`, teacher.token, { name: 'Next term', shift_days: 0 })).body;
    await goTo(page, `/classes/${id}/grades`);
    await page.getByRole('link', { name: 'Compare with another class' }).click();
    await page.getByLabel('Other class').selectOption('Next term');
    await page.getByRole('row', { name: /^Passed 100 % \(1 of 1\) –/ }).waitFor();
    await page.getByRole('row', { name: /^Task: Task 1 0 % \(0 of 1\) –/ }).waitFor();
    assert.equal(new URL(page.url()).search, `?with=${next.id}`);
    await assertAccessible(page, 'a comparison of classes');
    await goTo(page, `/classes/${id}/grades`);
    await rowOf(page, email).getByRole('link', { name: '2 / 3' }).click();
    await page.getByRole('heading', { name: '=Exam' }).waitFor();

    await visitors.openAs(page, student, `/classes/${id}`);
    await page.getByRole('tab', { name: 'My grades' }).click();
    await page.getByText('77.78 %', { exact: true }).waitFor();
    // One sum, and how it follows from the grades.
    await page.getByText('(66.67 % × 2 + 100 %) ÷ 3 = 77.78 %').waitFor();
    await rowOf(page, 'Essay').getByText('10 / 10').waitFor();
    await assertAccessible(page, 'the own grades');
    await rowOf(page, '=Exam').getByRole('link', { name: '2 / 3' }).click();
    await page.getByRole('heading', { name: '=Exam' }).waitFor();
  });

  // Long: one journey through two dialogs, whose steps stand on each other.
  it('extend a deadline and copy the class for another term, by keyboard on a phone', async (t) => {
    const admin = await server.user('admin');
    const { body: course } = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Terms' });
    const first = { name: 'First', course_id: course.id };
    const { body: section } = await server.post('/api/admin/lessons/sections', admin.token, first);
    const more = { section_id: section.id, title: 'Permissions of shared files' };
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], more);
    const id = await create('Autumn');
    await server.put(`${path}/${id}`, teacher.token, { course_ids: [course.id] });
    const student = await server.user();
    await server.post(`${path}/${id}/members`, teacher.token, { user_id: student.id });
    const rule = { due_at: '2098-01-10T08:00:00Z', late_percent_per_day: 10, late_floor_percent: 40 };
    const set = await server.put(`${path}/${id}/deadlines/${laboratory}`, teacher.token, rule);
    assert.equal(set.status, 200, set.text);

    const page = await visitors.comeAs(t, teacher, `/classes/${id}`, { viewport: phone });
    const dialog = page.getByRole('dialog');
    const fits = async (where: string) => {
      const table = page.locator('section', { has: page.locator('table') }).first();
      assert.equal(await table.evaluate((element) => element.scrollWidth - element.clientWidth), 0, where);
      await assertAccessible(page, where);
    };
    await page.getByText('−10 % a day, not below 40 %').waitFor();
    await fits('the deadlines of a class');
    await page.getByRole('button', { name: /^Extend the deadline/ }).press('Enter');
    await dialog.getByText('Nobody has an extension.').waitFor();
    await dialog.getByRole('group', { name: 'Students' }).getByLabel(student.username).press('Space');
    await dialog.getByLabel('Due').fill('2098-01-20T09:30');
    await assertAccessible(page, 'the extensions of a deadline');
    await dialog.getByLabel('Due').press('Enter');
    await dialog.getByRole('listitem').filter({ hasText: '20 Jan 2098' }).waitFor();
    await dialog.getByRole('checkbox', { checked: false }).waitFor();
    await dialog.getByRole('button', { name: /^Delete the extension/ }).press('Enter');
    await dialog.getByText('Nobody has an extension.').waitFor();
    await dialog.getByRole('button', { name: 'Import a list' }).press('Enter');
    const list = page.getByRole('dialog', { name: 'Extend deadlines from a list' });
    const lines = (due: string) => `username,due_at\n${student.username},${due}`;
    await list.getByLabel('Or paste its text').fill(lines('soon'));
    await list.getByRole('button', { name: 'Check' }).click();
    await list.getByRole('row', { name: /^2 New deadline|^2 due_at/ }).waitFor();
    await list.getByRole('button', { name: 'Back' }).click();
    await list.getByLabel('Or paste its text').fill(lines('2098-01-21T08:00:00Z'));
    await list.getByRole('button', { name: 'Check' }).click();
    await list.getByText('1 deadline extended').waitFor();
    await list.getByRole('button', { name: 'Extend the deadlines' }).click();
    await list.waitFor({ state: 'detached' });
    await dialog.getByRole('listitem').filter({ hasText: '21 Jan 2098' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await goTo(page, `/classes/${id}?tab=settings`);
    const dates = '**/copy/dates?*';
    await page.route(dates, (route) => route.fulfill({ status: 503, json: { detail: 'Busy' } }));
    await page.getByRole('button', { name: 'Copy for another term' }).press('Enter');
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByRole('table').count(), 0);
    await page.unroute(dates);
    await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
    await rowOf(page, 'Permissions of shared files, due').getByText('11 Jul 2098').waitFor();
    await dialog.getByLabel('Days').fill('365');
    await rowOf(page, 'Permissions of shared files, due').getByText('10 Jan 2099').waitFor();
    await dialog.getByLabel('Move all dates').selectOption('Onto a new start');
    await dialog.getByLabel('First date of the copy').fill('2099-01-17');
    await rowOf(page, 'Permissions of shared files, due').getByText('17 Jan 2099').waitFor();
    await fits('the copy of a class');
    await dialog.getByLabel('Name').fill('Spring');
    await dialog.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { name: 'Spring' }).waitFor();
    await page.getByText('17 Jan 2099').waitFor();
  });

  /** Four exams, of which the student has passed the first, and four columns, with long names. */
  async function fillGradeBook(id: number, student: TestUser): Promise<void> {
    const admin = await server.user('admin');
    const { body: course } = await server.post('/api/admin/lessons/courses', admin.token, { name: 'Eight' });
    for (const number of [1, 2, 3, 4]) {
      const more = { title: `Examination of the processes and signals ${number}`, course_id: course.id };
      const exam = await makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS'], more);
      if (number === 1) await finishAttempt(server, student, 'exam', exam, [true, true]);
      const column = { name: `Written homework of week ${number}`, max_score: 10 };
      await server.post(`${path}/${id}/grade-columns`, teacher.token, column);
    }
    await server.put(`${path}/${id}`, teacher.token, { course_ids: [course.id] });
    await server.put(`${path}/${id}/grade-book`, teacher.token, { is_visible: true, passing_percent: 50 });
  }

  it('are accessible and fit a phone, in both languages', async (t) => {
    const id = await create('A class with a rather long name that fills more than one line on a phone');
    const student = await server.user();
    await server.post(`${path}/${id}/members`, teacher.token, { username: student.username });
    await fillGradeBook(id, student);
    await server.post(`${path}/${id}/join-codes`, teacher.token, { max_uses: 3, email_domain: 'school.example.com' });
    for (const options of [{}, { viewport: phone, language: 'ru' as const, theme: 'dark' as const }]) {
      const page = await visitors.comeAs(t, teacher, '/classes', options);
      const width = options.viewport ? 390 : 1440;
      await page.setViewportSize({ width, height: 900 });
      for (const [name, address] of [
        ['list', '/classes'],
        ['members', `/classes/${id}?tab=members`],
        ['settings', `/classes/${id}?tab=settings`],
        ['progress', `/classes/${id}?tab=progress`],
        ['grades', `/classes/${id}?tab=grades`],
        ['statistics', `/classes/${id}/grades/statistics`],
      ] as const) {
        await page.goto(address);
        if (name === 'statistics') await page.locator('svg.recharts-surface').first().waitFor();
        else await page.getByRole('table').first().waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (name === 'grades' && width === 1440) {
          const hidden = await page.locator('section', { has: page.locator('table') }).evaluate((element) => {
            return element.scrollWidth - element.clientWidth;
          });
          assert.equal(hidden, 0, 'eight exams and columns fit');
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${address} is ${wide} pixels wide`);
        await picture(page, `${name}-${width}`);
        await assertAccessible(page, `${address} at ${width} pixels`);
      }
    }
  });
});
