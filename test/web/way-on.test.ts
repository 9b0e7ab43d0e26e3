import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('the way on in a course', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let student: TestUser;
  let exam: number;
  let practice: number;
  let course: number;
  let passed: number;
  const themes: number[] = [];
  before(async () => {
    // The cleanup would end the attempt that has no container.
    server = await TestServer.start();
    visitors = new Visitors(server);
    const admin = await server.user('admin');
    student = await server.user();
    const create = async (path: string, fields: object): Promise<number> => {
      const { status, body, text } = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    const course_id = await create('courses', { name: 'Linux', description: 'All about it' });
    course = course_id;
    const sections = [
      await create('sections', { name: 'Files', course_id }),
      await create('sections', { name: 'Users', course_id }),
    ];
    for (const [index, title] of ['Paths', 'Links', 'Rights', 'Groups'].entries())
      themes.push(
        await create('themes', { title, section_id: sections[index < 2 ? 0 : 1], markdown_file_path: 'a.md' }),
      );
    const next = await create('sections', {
      name: 'Cables',
      course_id: await create('courses', { name: 'Networks' }),
    });
    await create('themes', { title: 'Sockets', section_id: next, markdown_file_path: 'a.md' });
    practice = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], {
      title: 'Tidy up',
      section_id: sections[0],
    });
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Basics', course_id });
    passed = await finishAttempt(server, student, 'laboratory', practice, [true]);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('ticks what is passed, and leads from a result to the next lesson', async (t) => {
    const page = await visitors.comeAs(t, student, '/courses');
    await page.getByRole('link', { name: 'Begin : Linux' }).waitFor();
    await page.getByRole('link', { name: 'Linux', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Linux' }).waitFor();
    await page.getByText('All about it').waitFor();
    await page.getByText('1 of 1 laboratory passed · 0 of 1 exam passed').waitFor();
    await page.getByRole('link', { name: 'Laboratory: Tidy up (Passed)' }).waitFor();
    await page.getByRole('link', { name: 'Exam: Basics (Not passed)' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'In progress now' }).count(), 0);
    // All sections are open, and one button is the primary one.
    await page.getByRole('link', { name: 'Groups (Not completed)' }).waitFor();
    await page.getByRole('link', { name: 'Begin', exact: true }).waitFor();
    await assertAccessible(page, 'a course with its laboratory and its exam');

    await page.getByRole('link', { name: 'Laboratory: Tidy up (Passed)' }).click();
    const way = page.getByRole('navigation', { name: 'You are here' });
    await way.getByRole('link', { name: 'Linux' }).waitFor();
    assert.equal((await way.textContent())?.trim(), 'Courses›Linux');

    await goTo(page, `/laboratories/results/${passed}`);
    await way.getByRole('link', { name: 'Linux' }).waitFor();
    await page.getByRole('link', { name: 'Continue to “Rights”' }).press('Enter');
    await page.waitForURL(/\/lessons\/\d+$/);
    await page.getByRole('heading', { level: 1, name: 'Rights' }).waitFor();
  });

  // Long: one course, from the end of its lessons to the next course.
  it('says what to learn after the last lesson, and in a completed course', async (t) => {
    const learner = await server.user();
    const complete = async (theme: number | undefined) =>
      assert.equal((await server.post(`/api/lessons/themes/${theme}/complete`, learner.token)).status, 200);
    const last = themes.at(-1);
    await complete(themes[0]);
    const page = await visitors.comeAs(t, learner, `/lessons/${last}`);
    const steps = page.getByRole('region', { name: 'What to learn next' });
    await steps.getByRole('heading', { name: 'Links' }).waitFor();
    await steps.getByRole('heading', { name: 'Tidy up' }).waitFor();
    assert.deepEqual(await steps.getByRole('heading', { level: 3 }).allTextContents(), ['Links', 'Tidy up', 'Basics']);
    await assertAccessible(page, 'the last lesson of a course');

    for (const theme of themes.slice(1)) await complete(theme);
    await finishAttempt(server, learner, 'laboratory', practice, [true]);
    // A load: what was completed beside this page is not known to it.
    await page.goto(`/courses/${course}`);
    await page.getByText('All lessons completed').waitFor();
    await steps.getByRole('heading', { name: 'Basics' }).waitFor();
    assert.deepEqual(await steps.getByRole('heading', { level: 3 }).allTextContents(), ['Basics', 'Networks']);
    await assertAccessible(page, 'a completed course');
    await steps.getByRole('link', { name: 'Open the course' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Networks' }).waitFor();
    await page.getByRole('link', { name: 'Begin', exact: true }).waitFor();

    await goTo(page, '/courses/999999');
    await page.getByRole('heading', { level: 1, name: 'Course not found' }).waitFor();
  });

  it('shows what runs and its remaining time on a phone', async (t) => {
    const { db } = server.application;
    const { id } = await db
      .insertInto('attempts')
      .values({
        ...{ kind: 'exam', assessment_id: exam, user_id: student.id, title: 'Basics', container_name: 'running' },
        ...{ status: 'in_progress', started_at: new Date(), expires_at: new Date(Date.now() + 1_800_000) },
        ...{ time_limit_minutes: 30, max_score: 1, passing_score: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    t.after(() => db.deleteFrom('attempts').where('id', '=', id).execute());
    const page = await visitors.comeAs(t, student, '/courses', { viewport: phone, theme: 'dark', language: 'ru' });
    const running = page.getByRole('region', { name: 'Сейчас идёт' });
    await running.getByText('Basics').waitFor();
    await running
      .getByRole('timer')
      .getByText(/^(29|30):\d\d$/)
      .waitFor();
    await assertAccessible(page, 'the courses with a running exam on a phone');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});
