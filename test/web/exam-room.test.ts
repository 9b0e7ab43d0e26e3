import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, Visitors } from './browser.ts';
import { desktop, phone } from './page-pool.ts';

describeLong('the page of an exam room', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start();
    visitors = new Visitors(server);
    teacher = await server.user('instructor');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const setUp = async () => {
    const students = [await server.user(), await server.user()] as [TestUser, TestUser];
    const exam_id = await makeAssessment(server, await server.user('admin'), 'exam', ['echo PASS'], { title: 'Final' });
    const class_id = await schoolClass(server, teacher, students);
    const session = await openSession(server, teacher, { exam_id, class_id });
    return { session, students, class_id, path: `/classes/${class_id}/sessions/${session.id}` };
  };
  const rowOf = (page: Page, user: TestUser) => page.getByRole('row', { name: new RegExp(`${user.username}\\b`) });

  // Long: one exam, whose steps stand on each other.
  it('shows each student live, and gives one of them more time, a message and the end', async (t) => {
    const { session, class_id, students } = await setUp();
    const [first, second] = students;
    const page = await visitors.comeAs(t, teacher, `/classes/${class_id}?tab=exams`);
    await page.getByRole('link', { name: 'Final' }).click();
    await page.getByRole('heading', { name: 'Room: Final' }).waitFor();
    await rowOf(page, first).getByText('Not started').waitFor();
    const attempt = await runAttempt(server, first, session);
    await rowOf(page, first).getByText('Working').waitFor();
    await rowOf(page, first).getByText('No open terminal').waitFor();
    await rowOf(page, first).getByRole('timer').waitFor();
    const summary = page.getByRole('list', { name: 'Show' });
    const group = (name: string) => summary.getByRole('button', { name, exact: true });
    for (const text of ['Not started (1)', 'Working (1)', 'Need attention (1)']) await group(text).waitFor();
    assert.equal(await summary.getByRole('listitem').count(), 3);
    await assertAccessible(page, 'the room');
    await group('Not started (1)').click();
    await rowOf(page, first).waitFor({ state: 'detached' });
    await rowOf(page, second).waitFor();
    await group('Not started (1)').click();

    const choose = async (item: string) => {
      await rowOf(page, first)
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const dialog = page.getByRole('dialog');
    await choose('Give more time');
    await dialog.getByLabel('Additional minutes').fill('7');
    await dialog.getByRole('button', { name: 'Give more time' }).click();
    await page.getByText('7 minutes added', { exact: true }).waitFor();
    const deadline = async () =>
      (await server.get(`/api/exams/attempts/${attempt}/results`, first.token)).body.expires_at as string;
    const before = Date.parse(await deadline());
    await rowOf(page, first)
      .getByRole('button', { name: /^\+5 minutes for / })
      .click();
    await page.getByText('5 minutes added', { exact: true }).waitFor();
    assert.equal(Date.parse(await deadline()) - before, 5 * 60_000);
    await rowOf(page, first)
      .getByRole('button', { name: /^Message to / })
      .click();
    await dialog.getByLabel('Message').fill('Use the other door');
    await dialog.getByRole('button', { name: 'Send a message' }).click();
    await page.getByText('The message is sent', { exact: true }).waitFor();
    const messages = await server.application.db.selectFrom('exam_messages').select('user_id').execute();
    assert.deepEqual(messages, [{ user_id: first.id }]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ is_locked_down: true }).where('id', '=', attempt).execute();
    await db.updateTable('users').set({ locked_login: 'another' }).where('id', '=', first.id).execute();
    await rowOf(page, first).getByText('One login').waitFor();
    const refused = await server.post('/api/auth/login', undefined, first);
    assert.equal(refused.code, 'login_locked');
    await rowOf(page, first).getByText('Cannot log in again').waitFor();
    await rowOf(page, first).getByRole('button', { name: 'Let in' }).click();
    await answer(page, 'Allow another device');
    await rowOf(page, first).getByText('One login').waitFor({ state: 'detached' });
    await choose('End the attempt');
    await answer(page, 'End the attempt');
    await page.getByText(/^The attempt of .* ends$/).waitFor();
    const result = { status: 'finished', score: 2, passed: true, submitted_at: new Date() } as const;
    await db.updateTable('attempts').set(result).where('id', '=', attempt).execute();
    await rowOf(page, first).getByText('Submitted').waitFor();
    await rowOf(page, first).getByRole('link', { name: '2 of 3' }).waitFor();

    // What concerns everybody is in sight as well.
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: '+5 minutes for everybody' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Final' }).click();
    await page.getByRole('menuitem', { name: 'End for everybody' }).click();
    await answer(page, 'End for everybody');
    await page.getByText('Closed', { exact: true }).waitFor();
  });

  // Long: one page, from the switch to the last mark.
  it('turns silent checks on, and shows and filters by what they find of each task', async (t) => {
    const { session, students, path } = await setUp();
    const [first, second] = students;
    const page = await visitors.comeAs(t, teacher, path);
    await page.getByRole('checkbox', { name: 'Silent checks' }).check();
    await page.getByText('It ends 10 minutes after nobody watches the room.').waitFor();
    const { db } = server.application;
    const silent = db.selectFrom('silent_checks').select('interval_minutes').where('session_id', '=', session.id);
    await until(async () => (await silent.executeTakeFirst())?.interval_minutes === 5, 'the silent checks');
    await page.getByRole('combobox', { name: 'Interval of the silent checks' }).selectOption('every 10 minutes');
    await until(async () => (await silent.executeTakeFirst())?.interval_minutes === 10, 'the other interval');
    const tasks = ['First', 'Second'].map((title, index) => ({ task_id: index + 1, title }));
    for (const [user, states, ago] of [
      [first, ['passed', 'none'], 0],
      [second, ['failed', 'none'], 20],
    ] as const) {
      const attempt_id = await runAttempt(server, user, session);
      const marks = JSON.stringify(tasks.map((task, index) => ({ ...task, state: states[index] })));
      const now = new Date();
      const since = { marks_changed_at: new Date(now.getTime() - ago * 60_000) };
      const look = { attempt_id, session_id: session.id, began_at: now, ended_at: now, checked_at: now, marks };
      await db
        .insertInto('silent_looks')
        .values({ ...look, ...since })
        .execute();
      // As the end of a look does.
      await sql`select pg_notify('exam_session', ${`${session.id}`})`.execute(db);
    }
    await rowOf(page, first).getByText('First: passed').waitFor();
    await rowOf(page, second).getByText('First: not yet').waitFor();
    await rowOf(page, second).getByText('No progress for 15 minutes').waitFor();
    await page.getByRole('button', { name: 'No progress (1)' }).waitFor();
    await assertAccessible(page, 'the room with silent checks');
    // A table that is too wide keeps its actions in sight, and what needs attention beside them.
    const rightOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().right);
    const actions = rowOf(page, first).locator('td').last();
    const frame = page.getByRole('region', { name: 'Room' });
    for (const width of [900, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await until(async () => (await rightOf(actions)) <= (await rightOf(frame)), `the actions at ${width} px`);
      const notes = await rightOf(rowOf(page, first).getByText('No open terminal'));
      assert.ok(notes <= (await actions.evaluate((element) => element.getBoundingClientRect().left)), `${width} px`);
    }
    await page.setViewportSize(desktop);
    const filter = page.getByRole('button', { name: '1: 1/2' });
    await filter.click();
    await rowOf(page, first).waitFor({ state: 'detached' });
    await rowOf(page, second).waitFor();
    await filter.click();
    await rowOf(page, first).waitFor();
    await page.getByRole('checkbox', { name: 'Silent checks' }).uncheck();
    await filter.waitFor({ state: 'detached' });
    assert.equal(await silent.executeTakeFirst(), undefined);
  });

  it('counts the time since the last key, also while nothing changes', async (t) => {
    const { session, students, path } = await setUp();
    const attempt = await runAttempt(server, students[0], session);
    const typed = { last_input_at: new Date(Date.now() - 60_000) };
    await server.application.db.updateTable('containers').set(typed).where('attempt_id', '=', attempt).execute();
    const page = await visitors.comeAs(t, teacher, '/classes', { isNew: true });
    await page.clock.install();
    await page.goto(path);
    // The row has the time of the start as well.
    const shown = rowOf(page, students[0]).locator(`time[datetime="${typed.last_input_at.toISOString()}"]`);
    await shown.filter({ hasText: /^[12] minutes? ago$/ }).waitFor();
    await page.clock.fastForward(3_600_000);
    await shown.filter({ hasText: '1 hour ago' }).waitFor();
  });

  it('fits a phone in Russian, reports a lost connection and continues', async (t) => {
    const { session, students, path } = await setUp();
    const page = await visitors.comeAs(t, teacher, '/classes', { viewport: phone, language: 'ru', isNew: true });
    await page.clock.install();
    await page.goto(path);
    await rowOf(page, students[0]).getByText('Не начал').waitFor();
    await assertAccessible(page, 'the room on a phone');
    await page.context().setOffline(true);
    // The browser does not notice it: nothing arrives any more.
    await page.clock.fastForward(31_000);
    await page.getByText('Нет связи с сервисом.').waitFor();
    await runAttempt(server, students[0], session);
    await page.context().setOffline(false);
    await rowOf(page, students[0]).getByText('Работает').waitFor();
    await page.getByText('Нет связи с сервисом.').waitFor({ state: 'detached' });
  });
});
