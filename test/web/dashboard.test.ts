import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';
import { assertWithinWindow } from './within-window.ts';

describeLong('the dashboard in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let classroom: Classroom;
  let visitors: Visitors;
  const themes: number[] = [];
  let course_id: number;
  let section_id: number;
  const server = () => classroom.server;

  before(async () => {
    classroom = await Classroom.open();
    visitors = new Visitors(classroom.server);
    const make = async (path: string, fields: object): Promise<number> => {
      const made = await server().post(`/api/admin/lessons/${path}`, classroom.admin.token, fields);
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    course_id = await make('courses', { name: 'Linux', description: 'From the start', icon: 'terminal' });
    section_id = await make('sections', { name: 'First steps', course_id, order_index: 0 });
    for (let order_index = 0; order_index < 6; order_index += 1) {
      const title = `Lesson ${order_index + 1}`;
      const fields = { title, section_id, order_index, markdown_file_path: 'a.md', duration_minutes: 30 };
      themes.push(await make('themes', fields));
    }
  });
  after(async () => {
    await classroom?.[Symbol.asyncDispose]();
  });

  it('shows the staff what to do first, until they hide it', async (t) => {
    const newcomer = await server().user('instructor');
    const page = await visitors.comeAs(t, newcomer, '/', { viewport: phone });
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 3 done').waitFor();
    await assertAccessible(page, 'the first steps');
    await steps.getByRole('link', { name: 'Plan an exam' }).click();
    await page.getByText('You have no class yet').waitFor();
    await page.goBack();
    const made = await server().post('/api/classes', newcomer.token, { name: 'First class' });
    assert.equal(made.status, 201);
    await visitors.openAs(page, newcomer, '/');
    await steps.getByText('1 of 3 done').waitFor();
    await steps.getByRole('button', { name: 'Hide the first steps' }).press('Enter');
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Your classes' }).waitFor();
    assert.equal(await steps.count(), 0);
    const russian = await visitors.comeAs(t, classroom.admin, '/', { language: 'ru' });
    await russian.getByRole('heading', { name: 'Первые шаги' }).waitFor();
    await russian.getByRole('listitem').filter({ hasText: 'Настроить резервные копии' }).waitFor();
  });

  const complete = async ({ token }: TestUser, ids: readonly number[]): Promise<void> => {
    for (const id of ids) {
      assert.equal((await server().post(`/api/lessons/themes/${id}/complete`, token)).status, 200);
    }
  };
  /** The value of a figure. */
  const figure = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Your progress' }).locator('dl > div', { hasText: name }).locator('dd');
  const now = (page: Page) => page.getByRole('region', { name: 'Now', exact: true });
  const next = (page: Page) => page.getByRole('region', { name: 'Next', exact: true });
  const activity = (page: Page) => page.getByRole('region', { name: 'Activity', exact: true });

  it('shows new users where to begin', async (t) => {
    const page = await visitors.comeAs(t, await server().user());
    const begin = page.getByRole('region', { name: 'Where to begin' });
    await begin.getByText('Start with the first lesson').waitFor();
    assert.equal(await page.locator('#content section').count(), 1, 'neither zeros nor empty plots');
    await assertAccessible(page, 'an empty dashboard');
    await begin.getByRole('link', { name: 'Enter the code' }).click();
    await page.getByRole('button', { name: 'Join a class' }).waitFor();
    await page.goBack();
    await begin.getByRole('link', { name: 'Read the lesson' }).click();
    await page.waitForURL(`**/lessons/${themes[0]}`);
  });

  // Long: one set-up for all figures of the page.
  it('shows figures, plots with tables, and activity', async (t) => {
    const student = await server().user();
    await complete(student, themes.slice(0, 5));
    for (const id of themes.slice(1, 5)) await server().delete(`/api/lessons/themes/${id}/complete`, student.token);
    await complete(student, themes.slice(1, 5));
    for (const id of themes.slice(3, 5)) await server().delete(`/api/lessons/themes/${id}/complete`, student.token);
    const exam = await classroom.make('exam', ['echo PASS', 'echo FAIL'], { title: 'Midterm' });
    await classroom.finish(student, 'exam', exam, [true, false]);
    await server().put('/api/profile/me', student.token, { full_name: 'Ada Lovelace' });

    const page = await visitors.comeAs(t, student);
    await page.getByRole('heading', { level: 1, name: 'Welcome, Ada Lovelace' }).waitFor();
    assert.match((await figure(page, 'Lessons completed').textContent()) ?? '', /^3 of 6/);
    assert.match((await figure(page, 'Exams passed').textContent()) ?? '', /^1 of 1/);
    assert.match((await figure(page, 'Average score').textContent()) ?? '', /^33\.3 %/);
    assert.match((await figure(page, 'Learning time').textContent()) ?? '', /^1\.5 h/);
    assert.equal(await figure(page, 'In a row').textContent(), '1 day');
    assert.equal(await figure(page, 'Laboratories passed').count(), 0, 'a zero is left out');
    await next(page).getByText('Lesson 4', { exact: true }).waitFor();

    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await page.locator('.recharts-scatter-symbol').first().waitFor();
    await page.getByText('4 in these 30 days, 0 in the 30 days before').waitFor();
    const chart = page.getByRole('application', { name: 'Activity by day' });
    await chart.focus();
    await chart.press('ArrowRight');
    await page.getByText('Lessons completed : 0').waitFor();
    const tables = page.getByText('Show as a table');
    await tables.first().click();
    const days = page.getByRole('table', { name: 'Activity by day' });
    // Reading all texts does not wait for the table.
    await days.waitFor();
    assert.deepEqual(
      await days
        .getByRole('row')
        .last()
        .getByRole('cell')
        .allTextContents()
        .then((all) => all.slice(1)),
      ['3', '1'],
    );
    // `.last()` would match the first one while the second plot is not drawn.
    await tables.nth(1).click();
    const scores = page.getByRole('table', { name: 'Scores' });
    await scores.waitFor();
    assert.deepEqual((await scores.getByRole('row').last().getByRole('cell').allTextContents()).slice(1), [
      'Exam: Midterm',
      '33.3 %',
      'Passed',
    ]);
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7');
    await page.waitForFunction(() => document.querySelectorAll('.recharts-bar-rectangle').length <= 14);

    await activity(page).getByRole('listitem').nth(9).waitFor();
    assert.equal(await activity(page).getByRole('listitem').count(), 10);
    await activity(page).getByText('Submitted the exam “Midterm”').waitFor();
    assert.equal(await activity(page).getByText('Joined the platform').count(), 0);
    await activity(page).getByRole('button', { name: 'Show more' }).click();
    await activity(page).getByText('Joined the platform').waitFor();
    assert.equal(await activity(page).getByRole('link', { name: 'Completed the lesson “Lesson 1”' }).count(), 1);
    await assertAccessible(page, 'a dashboard');
  });

  // Long: a class with what each part of the page shows.
  it('lists results, deadlines and planned exams by date, and what is open now', async (t) => {
    const [teacher, student] = [await server().user('instructor'), await server().user()];
    const post = async (path: string, fields: object, by: TestUser): Promise<{ id: number }> => {
      const { status, text, body } = await server().post(path, by.token, fields);
      assert.ok(status < 300, text);
      return body;
    };
    const group = await post('/api/classes', { name: 'Evening class', course_ids: [course_id] }, teacher);
    await post(`/api/classes/${group.id}/members`, { user_id: student.id }, teacher);
    const [graded, open, planned] = await Promise.all(
      ['Basics', 'Midterm', 'Final'].map((title) => classroom.make('exam', ['echo PASS'], { title })),
    );
    const laboratory = await classroom.make('laboratory', ['echo PASS'], { title: 'Practice', section_id });
    await classroom.finish(student, 'exam', graded ?? 0, [true]);
    const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const session = { class_id: group.id, opens_at: inHours(-1), closes_at: inHours(3) };
    await post('/api/exam-sessions', { ...session, exam_id: open }, teacher);
    await post(
      '/api/exam-sessions',
      { ...session, exam_id: planned, opens_at: inHours(50), closes_at: inHours(53) },
      teacher,
    );
    const deadline = { due_at: inHours(30) };
    const set = await server().put(`/api/classes/${group.id}/deadlines/${laboratory}`, teacher.token, deadline);
    assert.equal(set.status, 200, set.text);

    const page = await visitors.comeAs(t, student);
    await now(page).getByText('Midterm').waitFor();
    await now(page)
      .getByText(/^Open until /)
      .waitFor();
    const agenda = page.getByRole('region', { name: 'Agenda' });
    await agenda.getByRole('link', { name: 'Final' }).waitFor();
    assert.deepEqual(await agenda.getByRole('listitem').getByRole('link').allTextContents(), [
      'Basics',
      'Practice',
      'Final',
    ]);
    await agenda.getByText('Passed · 100 %').waitFor();
    await agenda.getByRole('button', { name: 'Save as a calendar' }).waitFor();
    await assertAccessible(page, 'a dashboard with an agenda');
    await agenda.getByRole('link', { name: 'Basics' }).click();
    await page.waitForURL(/\/exams\/results\/\d+$/);

    const staff = await visitors.comeAs(t, teacher);
    await staff.getByRole('region', { name: 'Running now' }).getByRole('link', { name: 'Midterm' }).waitFor();
    await staff.getByRole('region', { name: 'Coming up' }).getByRole('link', { name: 'Final' }).waitFor();
    await staff.getByText('Nothing waits for you.').waitFor();
    await staff
      .getByRole('region', { name: 'Your classes' })
      .getByRole('link', { name: 'Evening class', exact: true })
      .waitFor();
    await assertAccessible(staff, 'the dashboard of an instructor');
    const health = (await visitors.comeAs(t, classroom.admin)).getByRole('region', { name: 'Health' });
    await health.getByText('No problems').waitFor();
  });

  it('scrolls within the frame, whatever is hidden far down in it', async (t) => {
    const student = await server().user();
    await complete(student, themes.slice(0, 1));
    const page = await visitors.comeAs(t, student);
    // The captions of the tables are hidden, and positioned.
    await page.getByText('Show as a table').first().click();
    await page.getByRole('table', { name: 'Activity by day' }).waitFor();
    await assertWithinWindow(page, 'the dashboard');
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 20_000);
    const main = page.locator('main#content');
    await until(
      () => main.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollTop >= scrollHeight - clientHeight - 1),
      'the wheel to reach the end of the page',
    );
    await page.mouse.wheel(0, 20_000);
    await activity(page).getByText('Joined the platform').scrollIntoViewIfNeeded();
    await assertWithinWindow(page, 'the dashboard after the wheel');
  });

  // Long: one attempt, from its start to what follows its submission.
  it('leads to active attempts with the remaining time', async (t) => {
    const student = await server().user();
    const exam = await classroom.make('exam', ['echo PASS'], { title: 'Final' });
    const laboratory = await classroom.make('laboratory', ['echo PASS'], { title: 'Practice' });
    await classroom.start(student, 'exam', exam);
    await classroom.start(student, 'laboratory', laboratory);
    const page = await visitors.comeAs(t, student, '/', { viewport: phone, theme: 'dark' });
    const left = now(page).getByRole('timer', { name: 'Time left' });
    await left.waitFor();
    const shown = (await left.textContent()) ?? '';
    assert.match(shown, /^(2\d:\d\d|30:00)$/);
    await page.waitForFunction((text) => document.querySelector('#content [role=timer]')?.textContent !== text, shown);
    await now(page).getByText('No time limit').waitFor();
    assert.equal(
      await now(page).getByRole('link', { name: 'Continue the laboratory' }).getAttribute('href'),
      `/laboratories/${laboratory}`,
    );
    await assertAccessible(page, 'a dashboard on a phone');
    await now(page).getByRole('link', { name: 'Continue the exam' }).click();
    await page.waitForURL(`**/exams/${exam}`);

    const strip = page.getByRole('complementary', { name: 'An exam is in progress' });
    assert.equal(await strip.count(), 0, 'the page of the exam has a clock of its own');
    await goTo(page, '/notes');
    await strip.getByText('Final').waitFor();
    const clock = await strip.getByRole('timer').textContent();
    await page.waitForFunction((text) => document.querySelector('aside [role=timer]')?.textContent !== text, clock);
    await assertAccessible(page, 'a page with the clock of an exam');
    // A browser that does not know of the exam, and a page that does not ask for it.
    const other = await visitors.comeAs(t, student, '/notes', { isNew: true });
    await other.getByRole('complementary', { name: 'An exam is in progress' }).getByText('Final').waitFor();
    await page.reload();
    await strip.getByRole('link', { name: 'Continue the exam' }).click();
    await page.waitForURL(`**/exams/${exam}`);
    assert.equal((await server().post(`/api/exams/${exam}/submit`, student.token)).status, 200);
    await visitors.openAs(page, student, '/notes');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await strip.waitFor({ state: 'detached' });
  });
});
