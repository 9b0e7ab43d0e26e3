import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { LocalRepository } from '../git-repository.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

const count = 52;

describeLong('many courses in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let repository: LocalRepository;
  let server: TestServer;
  let visitors: Visitors;
  let student: TestUser;
  let admin: TestUser;
  /** The two themes of each course. */
  const themes: [number, number][] = [];
  const courses: number[] = [];

  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({
      'course-1/first.md': '# First\n\n[another course](../course-2/second.md) and [nothing](../course-2/gone.md)',
      'course-2/second.md': '# Second',
      'course-5/first.md': '# First',
    });
    server = await TestServer.start({ LESSONS_REPO_URL: repository.path });
    visitors = new Visitors(server);
    admin = await server.user('admin');
    student = await server.user();
    const create = async (path: string, fields: object): Promise<number> => {
      const made = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    for (let number = 1; number <= count; number += 1) {
      const course_id = await create('courses', { name: `Course ${number}` });
      const section_id = await create('sections', { name: 'Section', course_id });
      const theme = (name: string) =>
        create('themes', {
          title: `${name} of ${number}`,
          section_id,
          markdown_file_path: `course-${number}/${name}.md`,
        });
      courses.push(course_id);
      themes.push([await theme('first'), await theme('second')]);
    }
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  /** The courses that a page reads, from now on. */
  function readsOf(page: Page): string[] {
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // The trees: who teaches a course is a small answer of its own.
      if (/^\/api\/lessons\/courses(\/\d+)?$/.test(pathname)) paths.push(pathname);
    });
    return paths;
  }
  const complete = async (theme: number | undefined) =>
    assert.equal((await server.post(`/api/lessons/themes/${theme}/complete`, student.token)).status, 200);

  it('are listed in pages, and read when they are opened', async (t) => {
    const page = await visitors.come(t, { mayRest: true });
    const reads = readsOf(page);
    await visitors.openAs(page, student, '/courses');
    await page.getByRole('heading', { level: 2, name: 'Course 2', exact: true }).waitFor();
    assert.equal(await page.getByRole('heading', { level: 2 }).count(), 50);
    await assertAccessible(page, 'many courses');
    assert.deepEqual(reads, []);
    await page.getByRole('link', { name: 'Course 2', exact: true }).click();
    await page.getByRole('link', { name: 'first of 2 (Not completed)' }).waitFor();
    assert.deepEqual(reads, [`/api/lessons/courses/${courses[1]}`]);
    await page.goBack();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**/courses?page=2');
    await page.getByRole('heading', { level: 2, name: 'Course 52' }).waitFor();
    assert.equal(await page.getByRole('heading', { level: 2 }).count(), 2);
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Course 51' }).waitFor();
  });

  it('have a course to continue with', async (t) => {
    await complete(themes[4]?.[0]);
    const page = await visitors.come(t, { mayRest: true });
    const reads = readsOf(page);
    await visitors.openAs(page, student, '/');
    await page.getByRole('heading', { level: 3, name: 'second of 5' }).waitFor();
    assert.deepEqual(reads, []);
    await page.getByRole('link', { name: 'Courses' }).first().click();
    await page.getByRole('link', { name: /^Continue to “second of 5” ?: Course 5$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'second of 5' }).waitFor();
    await page.getByRole('link', { name: /Previous lesson first of 5/ }).waitFor();
    assert.deepEqual([...new Set(reads)], [`/api/lessons/courses/${courses[4]}`]);
  });

  it('are opened one at a time in the editor, and have all sections as parents', async (t) => {
    const page = await visitors.come(t, { mayRest: true });
    const reads = readsOf(page);
    await visitors.openAs(page, admin, '/administration/courses');
    await page.getByRole('heading', { name: 'Course 52' }).waitFor();
    await page.getByText('1 section, 2 lessons').first().waitFor();
    assert.deepEqual(reads, []);
    await page.getByRole('button', { name: 'Sections of Course 3', exact: true }).click();
    await page.getByText('first of 3', { exact: true }).waitFor();
    assert.deepEqual(reads, [`/api/lessons/courses/${courses[2]}`]);
    await page.getByRole('button', { name: 'Actions: second of 3' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Section').selectOption('Course 52 / Section');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const moved = (course: number) =>
      page.locator(`[data-item="course-${courses[course]}"]`).getByText('second of 3', { exact: true });
    await moved(2).waitFor({ state: 'detached' });
    // It is shown where it is now.
    await moved(51).waitFor();
    const { body } = await server.get(`/api/lessons/courses/${courses[51]}`, admin.token);
    assert.deepEqual(
      body.sections[0].themes.map(({ title }: { title: string }) => title),
      ['first of 52', 'second of 52', 'second of 3'],
    );
    await page.getByRole('button', { name: 'Actions: Course 2', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await until(
      async () => (await server.get('/api/lessons/course-summaries', admin.token)).body[0].name === 'Course 2',
      'the other order',
    );
  });

  it('lead from one to another, by the links in their texts', async (t) => {
    const page = await visitors.comeAs(t, student, `/lessons/${themes[0]?.[0]}`);
    await page.getByTitle('This link leads to a page that is not a lesson').getByText('nothing').waitFor();
    await page.getByRole('link', { name: 'another course' }).click();
    await page.getByRole('heading', { level: 1, name: 'second of 2' }).waitFor();
    const tree = page.getByRole('navigation', { name: 'Lessons of this course' });
    await tree.getByText('Course 2', { exact: true }).waitFor();
    await page.goBack();
    await tree.getByText('Course 1', { exact: true }).waitFor();
  });
});
