import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';

describeLong('the tabs of a page', { skip: browserSkip, timeout: 240_000 }, () => {
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

  const searchOf = (page: Page) => new URL(page.url()).search;
  const shown = (page: Page, name: string) => page.getByRole('tab', { name, selected: true }).waitFor();

  it('have addresses, which the back button leads through', async (t) => {
    const student = await server.user();
    const id = await schoolClass(server, teacher, [student]);
    const page = await visitors.comeAs(t, teacher, `/classes/${id}?tab=progress&state=not_begun`);
    await shown(page, 'Progress');
    await page.getByRole('row', { name: new RegExp(student.username) }).waitFor();
    await page.getByRole('tab', { name: 'Grades' }).click();
    await page.getByRole('tabpanel', { name: 'Grades' }).getByRole('heading', { name: 'Grades' }).waitFor();
    assert.equal(searchOf(page), '?tab=grades');
    await assertAccessible(page, 'a class on a tab');
    await page.goBack();
    await shown(page, 'Progress');
    assert.equal(searchOf(page), '?tab=progress&state=not_begun');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await shown(page, 'Overview');
    assert.equal(searchOf(page), '');
    // The pages that they were until now, with their filters.
    await goTo(page, `/classes/${id}/progress?state=stuck`);
    await shown(page, 'Progress');
    assert.equal(new URL(page.url()).pathname + searchOf(page), `/classes/${id}?tab=progress&state=stuck`);
    await goTo(page, `/classes/${id}/my-grades`);
    await shown(page, 'Grades');
  });

  it('are the first where the address names none that the user has', async (t) => {
    const student = await server.user();
    const id = await schoolClass(server, teacher, [student]);
    const page = await visitors.comeAs(t, teacher, `/classes/${id}?tab=nonsense&q=anna`);
    await shown(page, 'Overview');
    await visitors.openAs(page, student, `/classes/${id}?tab=members`);
    await shown(page, 'Overview');
    assert.equal(await page.getByRole('tab', { name: 'Members' }).count(), 0);
  });

  it('are moved through with the arrow keys, and request only what is shown', async (t) => {
    const id = await schoolClass(server, teacher, []);
    const page = await visitors.come(t, { isNew: true });
    const begun = page.waitForResponse(
      (response) => new URL(response.url()).pathname === `/api/classes/${id}/progress`,
    );
    await visitors.openAs(page, teacher, `/classes/${id}`);
    // The first tab has requested what it shows.
    await begun;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const focused = (name: string) => page.getByRole('tab', { name }).and(page.locator(':focus')).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await focused('Members');
    await page.keyboard.press('ArrowRight');
    await focused('Exams');
    await shown(page, 'Overview');
    await page.keyboard.press('ArrowLeft');
    await focused('Members');
    await page.keyboard.press('Space');
    await shown(page, 'Members');
    await focused('Members');
    await page.getByRole('table', { name: 'Members' }).waitFor();
    await page.keyboard.press('End');
    await focused('Settings');
    await page.keyboard.press('Enter');
    await page.getByText('There are no join codes.').waitFor();
    await focused('Settings');
    const own = requested.filter((path) => path.startsWith('/api/classes')).sort();
    assert.deepEqual(
      own,
      ['join-codes', 'lti-courses', 'members'].map((part) => `/api/classes/${id}/${part}`),
    );
  });

  it('of an attempt lead to the recordings, and to the other attempts of the student', async (t) => {
    const admin = await server.user('admin');
    const student = await server.user();
    const exam = await makeAssessment(server, admin, 'exam', ['true'], { title: 'Services' });
    const other = await makeAssessment(server, admin, 'exam', ['true'], { title: 'Networks' });
    await finishAttempt(server, student, 'exam', other, [true]);
    await finishAttempt(server, await server.user(), 'exam', exam, [true]);
    const [first, second] = [
      await finishAttempt(server, student, 'exam', exam, [false]),
      await finishAttempt(server, student, 'exam', exam, [true]),
    ];
    const page = await visitors.comeAs(t, teacher, `/teaching/attempts/${second}`);
    await shown(page, 'Tasks');
    await page.getByRole('tab', { name: 'Recordings' }).click();
    await page.getByText('No recording').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const history = page.getByRole('table', { name: 'Attempts' });
    await history.waitFor();
    assert.equal(await history.getByRole('row').count(), 3, 'the heading and the two attempts at this exam');
    await assertAccessible(page, 'the history of an attempt');
    await history.getByRole('link').last().click();
    await page.waitForURL(`**/teaching/attempts/${first}`);
    await shown(page, 'Tasks');
    await page.goBack();
    await shown(page, 'History');
  });

  it('of a user have all of one person, and administrators are led there by the name', async (t) => {
    const admin = await server.user('admin');
    const student = await server.user();
    const exam = await makeAssessment(server, admin, 'exam', ['true'], { title: 'Users and groups' });
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const id = await schoolClass(server, teacher, [student]);
    const page = await visitors.comeAs(t, admin, `/classes/${id}?tab=members`);
    await page.getByRole('link', { name: student.username, exact: true }).click();
    await page.waitForURL(`**/administration/users/${student.id}`);
    await shown(page, 'Account');
    await page.getByRole('tab', { name: 'Attempts' }).click();
    await page.getByRole('link', { name: /^Users and groups/ }).click();
    await page.waitForURL(`**/teaching/attempts/${attempt}`);
    await page.getByRole('link', { name: student.username, exact: true }).last().click();
    await page.waitForURL(`**/administration/users/${student.id}`);
    await page.getByRole('tab', { name: 'Containers' }).click();
    await page.getByText('There are no containers').waitFor();
    await visitors.openAs(page, teacher, `/classes/${id}?tab=members`);
    await page.getByRole('link', { name: student.username, exact: true }).click();
    await page.waitForURL(`**/teaching/attempts?user_id=${student.id}`);
  });

  // Long: one form over four tabs.
  it('of an editor keep what is typed, and open where a field is refused', async (t) => {
    const admin = await server.user('admin');
    const id = await makeAssessment(server, admin, 'exam', ['true', 'true'], { is_active: false });
    const page = await visitors.comeAs(t, admin, `/administration/exams/${id}`, { isNew: true });
    const open = (name: string) => page.getByRole('tab', { name }).click();
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const refused = (label: string) => page.getByLabel(label).and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await page.getByRole('button', { name: /^Task 2/ }).click();
    await page.getByLabel('Points', { exact: true }).fill('20');
    await open('Texts');
    await page.getByLabel('Introduction').fill('Welcome');
    await open('Machine');
    await page.getByLabel('Container image').selectOption('Another image of the container engine');
    const image = page.getByLabel('Its name in the engine');
    await image.fill('No image');
    await open('Tasks');
    assert.equal(await page.getByLabel('Points', { exact: true }).inputValue(), '20', 'the chosen task stays');
    // A field that the page refuses.
    await save();
    await shown(page, 'Machine');
    await refused('Its name in the engine');
    await assertAccessible(page, 'a refused field in its tab');
    await image.fill('image');
    // One that the service refuses.
    const detail = [{ loc: ['body', 'introduction'], msg: 'Not this one', type: 'value_error' }];
    const isSave = ({ pathname }: URL) => pathname === `/api/admin/exams/${id}`;
    await page.route(isSave, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 422, json: { detail } }) : route.continue(),
    );
    await save();
    await shown(page, 'Texts');
    await refused('Introduction');
    await page.unroute(isSave);
    await save();
    await page.getByText('There are unsaved changes').waitFor({ state: 'detached' });
    const { body } = await server.get(`/api/admin/exams/${id}`, admin.token);
    assert.deepEqual([body.introduction, body.container_image, body.tasks[1].points], ['Welcome', 'image', 20]);
    await page.goBack();
    await shown(page, 'Machine');
  });
});
