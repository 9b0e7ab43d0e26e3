import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, logIn, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('first pages', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({ CATALOGUE_IS_OPEN: 'true' });
    visitors = new Visitors(server);
    [admin, teacher, student] = [await server.user('admin'), await server.user('instructor'), await server.user()];
    const create = async (path: string, fields: object, by = admin): Promise<number> => {
      const { status, body, text } = await server.post(path, by.token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    const course_id = await create('/api/admin/lessons/courses', {
      name: 'Linux',
      description: 'From files to services',
    });
    const section_id = await create('/api/admin/lessons/sections', { name: 'Files', course_id });
    await create('/api/admin/lessons/themes', { title: 'Paths', section_id, markdown_file_path: 'a.md' });
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Basics', course_id });
    const group = await create('/api/classes', { name: 'Evening class', course_ids: [course_id] }, teacher);
    await server.post(`/api/classes/${group}/members`, teacher.token, { user_id: student.id });
    for (let attempt = 0; attempt < 3; attempt += 1) await finishAttempt(server, student, 'exam', exam, [false]);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('of visitors without an account show the courses, and lead to the login and back', async (t) => {
    const page = await visitors.come(t, { isNew: true });
    await page.goto('/');
    await page.getByRole('heading', { level: 3, name: 'Linux' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/welcome');
    await page.getByText('1 lesson · 1 exam').waitFor();
    await page.getByText('Lessons: Linux').press('Enter');
    await page.getByText('Paths').waitFor();
    await assertAccessible(page, 'the front page');
    await page.getByRole('link', { name: 'Log in', exact: true }).first().click();
    await page.waitForURL('/login');
    await logIn(page, student);
    await page.waitForURL('/');
    await page.locator('main#content').waitFor();
  });

  it('of visitors fit a phone, in Russian and the dark theme', async (t) => {
    const page = await visitors.come(t, { isNew: true, viewport: phone, theme: 'dark', language: 'ru' });
    await page.goto('/');
    await page.getByText('1 урок · 1 экзамен').waitFor();
    await assertAccessible(page, 'the front page on a phone');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.goto('/exams');
    await page.waitForURL(/\/login\?next=/);
  });

  it('of instructors show who is stuck, with a link to the last attempt', async (t) => {
    const page = await visitors.comeAs(t, teacher, '/teaching');
    await page.waitForURL('/');
    const stuck = page.getByRole('region', { name: 'Stuck students' });
    await stuck.getByText('Exam: Basics, 3 failed attempts').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    await assertAccessible(page, 'the overview of an instructor');
    await stuck.getByRole('link', { name: student.username }).click();
    await page.waitForURL(/\/teaching\/attempts\/\d+$/);
  });
});

describeLong('the grade book of an exam', { skip: browserSkip, timeout: 600_000 }, () => {
  const titles = [
    'A project for several people',
    'Releases and links',
    'An inventory of the system',
    'A backup worth having',
    'Keep a record of commands',
    "A report on a web server's log",
    'Your login environment',
    'Two processes in the background',
  ];
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('has room for eight tasks on a desk, in each language', async (t) => {
    const [admin, student] = [await server.user('admin'), await server.user()];
    await server.put('/api/profile/me', student.token, { full_name: 'Konstantin Aleksandrovich Konstantinopolsky' });
    const tasks = titles.map((title) => ({ title, points: 14 }));
    const exam = await makeAssessment(
      server,
      admin,
      'exam',
      tasks.map(() => 'echo PASS'),
    );
    const { body } = await server.get(`/api/exams/${exam}`, admin.token);
    for (const [index, { id }] of body.tasks.entries())
      await server.put(`/api/admin/exams/${exam}/tasks/${id}`, admin.token, tasks[index]);
    await finishAttempt(server, student, 'exam', exam, [true, false]);
    for (const language of ['en', 'de', 'ru'] as const) {
      const page = await new Visitors(server).comeAs(t, admin, `/teaching/grade-book?kind=exam&id=${exam}`, {
        language,
        viewport: { width: 1440, height: 900 },
      });
      const frame = page.locator('section', { has: page.locator('table') });
      await frame.getByText('Two processes in the background').waitFor();
      assert.equal(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, language);
      await assertAccessible(page, 'a grade book with eight tasks');
    }
  });
});

describeLong('several rows of a list', { skip: browserSkip, timeout: 600_000 }, () => {
  it('are sorted, selected by keyboard, changed after a confirmation, and each has its outcome', async (t) => {
    await using server = await TestServer.start();
    const admin = await server.user('admin');
    const students = [await server.user(), await server.user()];
    const { body: group } = await server.post('/api/classes', admin.token, { name: 'Evening class' });
    await server.post(`/api/classes/${group.id}/members`, admin.token, { user_id: students[0]?.id });
    const page = await new Visitors(server).comeAs(t, admin, '/administration/users');
    await page.getByRole('button', { name: 'User', exact: true }).click();
    await page.waitForURL(/sort=username&order=asc/);
    await page.locator('th[aria-sort=ascending]', { hasText: 'User' }).waitFor();
    for (const { username } of students)
      await page.getByRole('checkbox', { name: new RegExp(username) }).press('Space');
    await page
      .getByRole('region', { name: '2 selected' })
      .getByRole('button', { name: 'Add to a class' })
      .press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add to a class: 2 selected' });
    for (const { username } of students) await dialog.getByText(username).waitFor();
    await assertAccessible(page, 'a confirmation for several users');
    await dialog.getByRole('button', { name: 'Continue with all 2' }).press('Enter');
    await dialog.getByText('1 of 2 done').waitFor();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: students[0]?.username ?? '' })
      .getByText('member')
      .waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // What failed stays selected.
    await page.getByRole('region', { name: '1 selected' }).waitFor();
    const { headers } = await server.get(`/api/classes/${group.id}/members`, admin.token);
    assert.equal(headers.get('x-total-count'), '3');
  });
});
