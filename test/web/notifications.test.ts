import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DeliveryRow, WebhookStore } from '../../src/features/webhooks/store.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong('announcements, deadlines and notifications in the pages', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start({ notificationSeconds: 1 });
    visitors = new Visitors(server);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const bell = (page: Page, unread: number) =>
    page.getByRole('button', { name: `Notifications: ${unread === 0 ? 'none' : unread} unread` });
  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: /^Notifications \(/ }).getByText(text, { exact: true });

  /** A class with a laboratory. */
  async function classWith(student: TestUser): Promise<{ classId: number; laboratory: number }> {
    const fresh = async (path: string, fields: object): Promise<number> =>
      (await server.post(`/api/admin/lessons/${path}`, admin.token, fields)).body.id;
    const course = await fresh('courses', { name: 'Linux' });
    const section_id = await fresh('sections', { name: 'Disks', course_id: course });
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id, title: 'RAID' });
    const classId = await schoolClass(server, teacher, [student]);
    await server.put(`/api/classes/${classId}`, teacher.token, { course_ids: [course] });
    return { classId, laboratory };
  }

  // Long: the journey of an announcement and of a deadline, from the instructor to the student.
  it('are made by an instructor and reach a student at once', async (t) => {
    const student = await server.user();
    const { classId, laboratory } = await classWith(student);
    const mine = await visitors.comeAs(t, student, '/');
    await bell(mine, 0).waitFor();
    const page = await visitors.comeAs(t, teacher, `/classes/${classId}`);
    await page.getByRole('button', { name: 'New announcement' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Bring your laptop');
    await dialog.getByRole('textbox', { name: /^Text/ }).fill('We meet in **room 12**.');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.locator('strong', { hasText: 'room 12' }).waitFor();
    await assertAccessible(page, 'the form of an announcement');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('article', { name: 'Bring your laptop' }).locator('strong').waitFor();

    await toast(mine, 'Announcement: Bring your laptop').waitFor();
    await bell(mine, 1).waitFor();
    // The start page has one line of it, which unfolds.
    const news = mine.getByRole('region', { name: 'Announcements' });
    await news.getByText('Bring your laptop').click();
    await news.locator('strong', { hasText: 'room 12' }).waitFor();
    await news.getByRole('button', { name: 'Mark as read' }).click();
    await bell(mine, 0).waitFor();
    await news.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Set the deadline of RAID' }).click();
    await dialog.getByLabel('Due').fill('2020-01-05T09:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /RAID/ }).getByText('2020').waitFor();
    await assertAccessible(page, 'a class with an announcement and a deadline');
    for (const where of ['progress', 'grades']) {
      await goTo(page, `/classes/${classId}?tab=${where}`);
      await page
        .getByRole('row', { name: new RegExp(student.username) })
        .getByText('overdue')
        .waitFor();
    }

    // On a phone a long name of the class leaves room for the title.
    await server.put(`/api/classes/${classId}`, teacher.token, { name: 'System administration, part-time' });
    const small = await visitors.comeAs(t, teacher, '/announcements', { viewport: phone });
    const title = small.getByRole('heading', { name: 'Bring your laptop' });
    assert.ok(((await title.boundingBox())?.width ?? 0) > 150, 'the title is squeezed');
    await server.put(`/api/classes/${classId}`, teacher.token, { name: 'Exam class' });

    await mine.setViewportSize(phone);
    await visitors.openAs(mine, student, '/');
    await mine.getByRole('region', { name: 'Agenda' }).getByText('overdue').waitFor();
    await mine.getByRole('link', { name: 'RAID' }).click();
    await mine.getByText(/^Due .*\(Exam class\)/).waitFor();
    assert.equal(new URL(mine.url()).pathname, `/laboratories/${laboratory}`);
    await assertAccessible(mine, 'a laboratory with a deadline');
  });

  // Long: each way in which a notification is shown and disappears.
  it('are listed below the bell, lead to their place, and can be switched off', async (t) => {
    const student = await server.user();
    const { classId } = await classWith(student);
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Final' });
    const page = await visitors.comeAs(t, student, '/courses', { viewport: phone });
    await bell(page, 0).waitFor();
    const other = await visitors.comeAs(t, student, '/notes');
    const session = await openSession(server, teacher, { exam_id, class_id: classId });
    await bell(page, 1).waitFor();
    await runAttempt(server, student, session, { started: minutes(-22), expires: minutes(8) });
    await toast(page, 'Less than 10 minutes left: “Trial”').waitFor();
    await bell(other, 2).waitFor();
    await server.post('/api/announcements', teacher.token, { class_id: classId, title: 'Be quiet' });
    await bell(page, 3).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('listitem').nth(2).waitFor();
    await assertAccessible(page, 'the list of notifications');
    await panel.getByRole('link', { name: /Announcement: Be quiet/ }).click();
    await page.getByRole('article', { name: 'Be quiet' }).waitFor();
    await bell(page, 2).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await Promise.all([bell(page, 0).waitFor(), bell(other, 0).waitFor()]);
    await panel.getByRole('link', { name: 'Settings' }).click();
    const off = page.getByLabel('there is an announcement');
    const saved = page.waitForResponse('**/api/notifications/settings');
    await off.uncheck();
    assert.equal((await saved).status(), 200);
    await page.getByLabel('results are available').waitFor();
    await assertAccessible(page, 'the settings of notifications');
    await server.post('/api/announcements', teacher.token, { class_id: classId, title: 'Not for the bell' });
    await server.post(`/api/exam-sessions/${session.id}/extend`, teacher.token, { minutes: 5 });
    await toast(page, 'You have 5 more minutes: “Trial”').waitFor();
    await bell(page, 1).waitFor();
  });

  it('say to administrators that a webhook was paused, until it is resumed', async (t) => {
    const events = ['member.added'];
    const hook = await server.post('/api/admin/webhooks', admin.token, { url: 'https://hooks.example.com/a', events });
    assert.equal(hook.status, 201, hook.text);
    const page = await visitors.comeAs(t, admin, '/');
    await bell(page, 0).waitFor();
    const delivery = { id: 0, webhook_id: hook.body.id } as DeliveryRow;
    await new WebhookStore(server.application.db, 1).markFailed(delivery, { code: 410, problem: null, retryAfter: 0 });
    await bell(page, 1).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: /^The webhook to hooks\.example\.com is paused/ }).click();
    await page.getByRole('row', { name: /hooks\.example\.com/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/administration/webhooks');
    await server.request('PATCH', `/api/admin/webhooks/${hook.body.id}`, {
      ...{ token: admin.token, json: { is_paused: false } },
    });
    await bell(page, 0).click();
    await panel.getByRole('link', { name: /webhook/ }).waitFor({ state: 'detached' });
  });

  // Long: a stand-in for the notifications of a desktop, and two tabs.
  it('are shown by the browser where the user has allowed it, and tabs share a connection', async (t) => {
    const student = await server.user();
    const page = await visitors.come(t, { isNew: true });
    await page.context().grantPermissions(['notifications']);
    // The browser of the tests has no desktop: what it would show is collected.
    await page.addInitScript(() => {
      const shown: string[] = [];
      class Notice extends EventTarget {
        static permission = 'granted';
        constructor(title: string, { body }: { body: string }) {
          super();
          shown.push(`${title}: ${body}`);
        }
      }
      Object.assign(globalThis, { Notification: Notice, shown });
    });
    await visitors.openAs(page, student, '/profile');
    await page.getByRole('button', { name: 'Show them in the browser' }).click();
    await page.getByRole('button', { name: 'Do not show them in the browser' }).waitFor();
    await bell(page, 0).waitFor();
    // The second tab has no connection of its own.
    const second = await page.context().newPage();
    const streams: string[] = [];
    second.on('request', (request) => {
      if (request.url().endsWith('/api/notifications/events')) streams.push(request.url());
    });
    await second.goto(`${server.url}/notes`);
    await bell(second, 0).waitFor();
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
    await server.post('/api/announcements', admin.token, { title: 'Holiday' });
    await page.waitForFunction(() => (globalThis as unknown as { shown: string[] }).shown.length > 0);
    const shown = await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    assert.deepEqual(shown, ['Learning platform: Announcement: Holiday']);
    await bell(second, 1).waitFor();
    assert.deepEqual(streams, []);
    // It connects when the first one is closed.
    const connected = second.waitForRequest((request) => request.url().endsWith('/api/notifications/events'));
    await page.goto('about:blank');
    await connected;
    await second.close();
  });
});
