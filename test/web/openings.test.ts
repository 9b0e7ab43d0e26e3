import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { LocalRepository } from '../git-repository.ts';
import { image } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';

describeLong('what opens later in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let repository: LocalRepository;
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let [course, first, second, one, two, exam] = [0, 0, 0, 0, 0, 0];

  const made = async (path: string, fields: object, by = admin): Promise<number> => {
    const { status, body, text } = await server.post(`/api/${path}`, by.token, fields);
    assert.equal(status, 201, text);
    return body.id;
  };
  before(async () => {
    repository = await LocalRepository.create();
    await repository.commit({ 'a.md': '# One', 'b.md': '# Two' });
    server = await TestServer.start(
      { LESSONS_REPO_URL: repository.path },
      { engine: { reason: 'this test has none' } },
    );
    visitors = new Visitors(server);
    admin = await server.user('admin');
    course = await made('admin/lessons/courses', { name: 'Linux' });
    first = await made('admin/lessons/sections', { name: 'Files', course_id: course });
    second = await made('admin/lessons/sections', { name: 'Rights', course_id: course });
    const theme = (section_id: number, title: string, markdown_file_path: string) =>
      made('admin/lessons/themes', { title, section_id, markdown_file_path });
    [one, two] = [await theme(first, 'One', 'a.md'), await theme(second, 'Two', 'b.md')];
    const fields = { title: 'Final', container_image: image, passing_score: 1, time_limit_minutes: 5 };
    exam = await made('admin/exams', { ...fields, course_id: course, opens_at: '2099-01-05T08:00:00Z' });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });
  const waitsFor = async (opens_after: string[]) => {
    const path = `/api/admin/lessons/sections/${second}`;
    assert.equal((await server.put(path, admin.token, { opens_after })).status, 200);
  };

  it('has no link before it is open, and says what is missing and when it opens', async (t) => {
    await waitsFor([`section:${first}`]);
    const student = await server.user();
    const page = await visitors.comeAs(t, student, `/courses/${course}`);
    await page.getByText('Complete first: Files').waitFor();
    const link = page.getByRole('link', { name: /^Two/ });
    assert.equal(await link.count(), 0);
    await page.getByText(/^Opens on .*2099/).waitFor();
    assert.equal(await page.getByRole('link', { name: /Final/ }).count(), 0);
    await assertAccessible(page, 'what opens later');

    await goTo(page, `/lessons/${two}`);
    await page.getByRole('heading', { name: 'Not open yet', level: 1 }).waitFor();
    assert.equal(await page.getByText('Try again').count(), 0);
    await goTo(page, `/exams/${exam}`);
    await page.getByText(/^Opens on .*2099/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start' }).count(), 0);

    await goTo(page, `/lessons/${one}`);
    await page.getByRole('button', { name: 'Mark as completed' }).click();
    await page.getByRole('link', { name: 'Next lesson Two' }).waitFor();
    await goTo(page, `/courses/${course}`);
    await link.waitFor();
  });

  // Long: the form of a section, that of an exam, and the list of a class are used one after another.
  it('is set in the forms and for a class', async (t) => {
    await waitsFor([]);
    const page = await visitors.comeAs(t, admin, '/administration/courses');
    await page.getByRole('button', { name: 'Linux' }).first().click();
    await page.getByRole('button', { name: 'Actions: Rights' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('When it opens for students').click();
    await dialog.getByLabel('Not before').fill('2099-02-01T08:00');
    await dialog.getByLabel('Lesson: One').check();
    await dialog.getByLabel('Exam: Final').check();
    await dialog.getByRole('button', { name: /^Save$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const section = (await server.get(`/api/admin/lessons/sections/${second}`, admin.token)).body;
    assert.deepEqual([section.opens_at.slice(0, 4), section.opens_after], ['2099', [`theme:${one}`, `exam:${exam}`]]);
    await waitsFor([]);

    await goTo(page, `/administration/exams/${exam}?tab=settings`);
    await page.getByText('When it opens for students').click();
    await page.getByLabel('Not before').fill('');
    await page.getByLabel('Section: Files').check();
    await page.getByRole('button', { name: /^Save$/ }).click();
    await page.getByText('Unsaved').waitFor({ state: 'detached' });
    const saved = (await server.get(`/api/admin/exams/${exam}`, admin.token)).body;
    assert.deepEqual([saved.opens_at, saved.opens_after], [null, [`section:${first}`]]);

    const teacher = await server.user('instructor');
    const group = await made('classes', { name: 'Class', course_ids: [course] }, teacher);
    await visitors.openAs(page, teacher, `/classes/${group}`);
    await page.getByRole('button', { name: 'Set when Rights opens' }).click();
    await dialog.getByLabel('Opens').fill('2099-03-01T08:00');
    await dialog.getByRole('button', { name: /^Save$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: /Mar.*2099/ }).waitFor();
    await assertAccessible(page, 'what opens later');
  });
});
