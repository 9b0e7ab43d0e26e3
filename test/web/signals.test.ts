import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('signals in the browser', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let teacher: TestUser;

  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    visitors = new Visitors(server);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** An attempt that has ended, in a session with or without signals. */
  async function taken(has_signals: boolean) {
    const student = await server.user();
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Shell' });
    const classId = await schoolClass(server, teacher, [student]);
    const plan = { exam_id: exam, class_id: classId, results_visible: 'at_end', has_signals };
    const session = await openSession(server, teacher, plan);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
    const first_key_at = new Date(Date.now() - 50_000);
    const counted = { first_key_at, pastes: 2, longest_paste: 480, networks: ['a', 'b'], commands: 31 };
    await db
      .insertInto('attempt_signals')
      .values({ attempt_id: attempt, ...counted, signature: [] })
      .execute();
    return { student, exam, attempt, room: `/classes/${classId}/sessions/${session.id}` };
  }
  const heading = (page: Page) => page.getByRole('heading', { name: 'Signals', exact: true });
  const explained = async (page: Page): Promise<void> => {
    await heading(page).waitFor();
    for (const text of [
      'Long pastes into terminals: 2, the longest of 480 characters.',
      'The terminals were opened from 2 networks. Another device or a mobile network is one, too.',
      'Commands entered: 31.',
      'The first key was pressed in a terminal after',
    ])
      await page.getByText(text).waitFor();
  };
  const notice = (page: Page) => page.getByText('During this exam the service counts long pastes').first();

  it('are explained to the staff, at the attempt and in the room', async (t) => {
    const { attempt, room } = await taken(true);
    const page = await visitors.comeAs(t, teacher, `/teaching/attempts/${attempt}`);
    await explained(page);
    await page.getByText('They prove nothing, and change no grade.').waitFor();
    await assertAccessible(page, 'an attempt with signals');
    await visitors.openAs(page, teacher, room);
    await explained(page);
    await assertAccessible(page, 'a room with signals');
  });

  it('are announced to students beforehand, and shown to them with their results', async (t) => {
    const { student, exam, attempt } = await taken(true);
    const page = await visitors.comeAs(t, student, `/exams/${exam}`);
    await notice(page).waitFor();
    await visitors.openAs(page, student, `/exams/results/${attempt}`);
    await explained(page);
    await page.getByText('It changes no grade, and what you typed was not kept.').waitFor();
    await assertAccessible(page, 'results with signals');
  });

  it('are nowhere where the session has none', async (t) => {
    const { student, exam, attempt, room } = await taken(false);
    const page = await visitors.comeAs(t, teacher, `/teaching/attempts/${attempt}`);
    await page.getByRole('heading', { level: 1, name: 'Shell' }).waitFor();
    await page.getByText('Task 1').first().waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await heading(page).count(), 0);
    await visitors.openAs(page, teacher, room);
    await page.getByText(student.username).first().waitFor();
    assert.equal(await heading(page).count(), 0);
    await visitors.openAs(page, student, `/exams/${exam}`);
    await page.getByRole('heading', { level: 1, name: 'Shell' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await notice(page).count(), 0);
    await visitors.openAs(page, student, `/exams/results/${attempt}`);
    await page.getByText('Task 1').first().waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await heading(page).count(), 0);
  });
});
