import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong, itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { answer, browserSkip, goTo, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describe('the pages of exam sessions', { skip: browserSkip, timeout: 600_000 }, () => {
  let server: TestServer;
  let visitors: Visitors;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    const variables = { SCHOOL_TIME_ZONE: 'Europe/Berlin', CONTAINERS_MAX: '1' };
    server = await TestServer.start({ loginFailuresPerAccount: 50, ...variables });
    visitors = new Visitors(server);
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const makeExam = (title: string) => makeAssessment(server, admin, 'exam', ['echo PASS'], { title });
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
  const choose = async (page: Page, session: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${session}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  // Long: one journey, whose steps stand on each other.
  itLong('plan a session, change it, give accommodations, pause and delete it', async (t) => {
    const student = await server.user();
    const classId = await schoolClass(server, teacher, [student, await server.user()]);
    await makeExam('Linux final');
    const page = await visitors.comeAs(t, teacher, `/classes/${classId}?tab=exams`);
    await page.getByText('No exam sessions are planned.').waitFor();
    await page.getByRole('link', { name: 'Plan an exam session' }).click();
    const main = page.getByRole('main');
    const dialog = page.getByRole('dialog');
    await main.getByLabel('Exam', { exact: true }).selectOption('Linux final');
    await main.getByRole('button', { name: 'Next Monday at 9:00' }).click();
    assert.match(await main.getByLabel('Opens').inputValue(), /T09:00$/);
    assert.match(await main.getByLabel('Closes').inputValue(), /T09:45$/, '30 minutes, and 15 to arrive');
    await main.getByRole('button', { name: 'Generate a code' }).click();
    assert.match(await main.getByLabel('Access code').inputValue(), /^[a-z2-9]{6}$/);
    await main.getByLabel('Opens').fill('2026-01-05T09:00');
    await main.getByLabel('Closes').fill('2026-01-05T08:00');
    await main.getByLabel('Access code').fill('room 12');
    await main.getByLabel('Networks').fill('192.0.2.0/24\nschool');
    await main.getByText(/Times are in your time zone/).waitFor();
    await assertAccessible(page, 'the page that plans a session');
    const plan = main.getByRole('button', { name: 'Plan an exam session' });
    await plan.click();
    await main.getByLabel('Networks').and(page.locator('[aria-invalid=true]')).waitFor();
    await main.getByLabel('Networks').fill('192.0.2.0/24\n2001:db8::/32');
    await plan.click();
    await main.getByLabel('Closes').and(page.locator('[aria-invalid=true]')).waitFor();
    await main.getByLabel('Closes').fill('2099-01-05T08:00');
    const preview = main.getByRole('region', { name: 'What students will see' });
    await preview.getByText('1 attempt left').waitFor();
    await preview.getByText('Up to 2 machines are needed. The service can run 1.').waitFor();
    await preview.getByText(/There are too few machines/).waitFor();
    await assertAccessible(page, 'the warning of too few containers');
    await main.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await main.getByRole('button', { name: 'Add', exact: true }).click();
    await main.getByText(`${student.username}: × 1.25`).waitFor();
    await plan.click();
    await main.getByRole('heading', { name: 'Linux final is planned' }).waitFor();
    await main.getByText('room 12', { exact: true }).waitFor();
    await assertAccessible(page, 'a session that was just planned');
    const saving = page.waitForEvent('download');
    await main.getByRole('button', { name: 'Save as a calendar' }).click();
    assert.match((await saving).suggestedFilename(), /^exam-session-\d+\.ics$/);
    await main.getByRole('link', { name: 'Supervise the session' }).click();
    await page.getByRole('heading', { name: 'Linux final' }).waitFor();
    await goTo(page, `/classes/${classId}?tab=exams`);
    await rowOf(page, 'Linux final').getByText('Open', { exact: true }).waitFor();
    const [planned] = (await server.get(`/api/exam-sessions?class_id=${classId}`, teacher.token)).body;
    const { has_access_code, networks, max_attempts, results_visible } = planned;
    assert.deepEqual(
      [has_access_code, networks, max_attempts, results_visible],
      [true, ['192.0.2.0/24', '2001:db8::/32'], 1, 'after_close'],
    );

    await choose(page, 'Linux final', 'Edit');
    await dialog.getByLabel('Title').fill('Final');
    await dialog.getByLabel('Remove the access code').check();
    await dialog.getByLabel('During the exam: one login').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await choose(page, 'Final', 'Accommodations');
    await rowOf(page, student.username).getByText('× 1.25').waitFor();
    await dialog.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await dialog.getByLabel('Time', { exact: true }).selectOption('1.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, student.username).getByText('× 1.5').waitFor();
    await assertAccessible(page, 'accommodations');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Accommodations', exact: true }).click();
    await dialog.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await dialog.getByLabel('Time', { exact: true }).selectOption('2');
    await dialog.getByLabel('Additional attempts').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, student.username).getByText('× 2').waitFor();
    assert.equal(await dialog.getByLabel('Additional attempts').inputValue(), '0', 'the form is empty again');
    await dialog.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await dialog.locator('select[name=time_factor]:has(option[value="2"]:checked)').waitFor();
    assert.equal(await dialog.getByLabel('Additional attempts').inputValue(), '3', 'what the student has');
    await assertAccessible(page, 'accommodations of a class');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    const changed = (await server.get(`/api/exam-sessions/${planned.id}`, student.token)).body;
    assert.deepEqual([changed.title, changed.has_access_code, changed.time_limit_minutes], ['Final', false, 45]);
    assert.deepEqual([changed.is_locked_down, changed.attempts_left], [true, 4]);

    await choose(page, 'Final', 'Pause');
    await rowOf(page, 'Final').getByText('Paused', { exact: true }).waitFor();
    await choose(page, 'Final', 'Resume');
    await rowOf(page, 'Final').getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
    await choose(page, 'Final', 'Give more time');
    await dialog.getByLabel('Additional minutes').fill('7');
    await dialog.getByRole('button', { name: 'Give more time' }).click();
    await page.getByText('7 minutes added', { exact: true }).waitFor();
    await choose(page, 'Final', 'Send a message');
    await dialog.getByLabel('Message').fill('Ten minutes left');
    await dialog.getByRole('button', { name: 'Send a message' }).click();
    await page.getByText('The message is sent', { exact: true }).waitFor();
    await choose(page, 'Final', 'Release the results');
    await page.getByText('This cannot be taken back.').waitFor();
    await answer(page, 'Release the results');
    await rowOf(page, 'Final').getByText('Released').waitFor();
    await choose(page, 'Final', 'Delete');
    await answer(page, 'Delete');
    await page.getByText('No exam sessions are planned.').waitFor();
  });

  describeLong('around a change of the clocks', () => {
    /** Sets the time zone of a page. The page keeps it as long as the session of the tools exists. */
    const zoneOf = async (page: Page) => {
      const tools = await page.context().newCDPSession(page);
      return async (timezoneId: string): Promise<void> => {
        await tools.send('Emulation.setTimezoneOverride', { timezoneId });
        await page.reload();
      };
    };
    const known = async (id: number) => (await server.get(`/api/exam-sessions/${id}`, admin.token)).body;

    it('change only what was edited: seconds and the hour that comes twice are kept', async (t) => {
      const student = await server.user();
      const class_id = await schoolClass(server, teacher, [student]);
      const exam_id = await makeExam('Night exam');
      // In Berlin it is 02:30 for the second time, and in New York it is the day before.
      const times = { opens_at: '2027-10-31T01:30:20.000Z', closes_at: '2027-10-31T03:00:40.000Z' };
      const { id } = await openSession(server, teacher, { exam_id, class_id, ...times });
      const terms = { time_factor: 1.4, closes_at: '2027-10-31T01:45:30.000Z' };
      const own = `/api/exam-sessions/${id}/accommodations`;
      assert.equal((await server.put(`${own}/${student.id}`, admin.token, terms)).status, 200);
      const page = await visitors.comeAs(t, teacher, `/classes/${class_id}?tab=exams`, { isNew: true });
      const moveTo = await zoneOf(page);
      await moveTo('Europe/Berlin');
      const dialog = page.getByRole('dialog');
      await choose(page, 'Night exam', 'Edit');
      assert.equal(await dialog.getByLabel('Opens').inputValue(), '2027-10-31T02:30');
      await dialog.getByLabel('Title').fill('Night shift');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { title, opens_at, closes_at } = await known(id);
      assert.deepEqual({ title, opens_at, closes_at }, { title: 'Night shift', ...times });

      await choose(page, 'Night shift', 'Accommodations');
      await dialog.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
      await dialog.locator('select[name=time_factor]:has(option[value="1.4"]:checked)').waitFor();
      await dialog.getByLabel('Minutes of breaks in each attempt').fill('5');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await rowOf(page, student.username).getByText('5', { exact: true }).waitFor();
      const [row] = (await server.get(own, teacher.token)).body;
      assert.deepEqual([row.time_factor, row.closes_at, row.break_minutes], [1.4, terms.closes_at, 5]);
      await moveTo('America/New_York');
      await page
        .getByText(/30 Oct 2027, 21:30/)
        .first()
        .waitFor();
    });

    it('plan a session by the time of the reader, and show that of the school', async (t) => {
      const student = await server.user();
      const class_id = await schoolClass(server, teacher, [student]);
      await makeExam('Spring exam');
      const page = await visitors.comeAs(t, teacher, `/plan-exam?class_id=${class_id}`, { isNew: true });
      await (await zoneOf(page))('America/New_York');
      const main = page.getByRole('main');
      await main.getByLabel('Exam', { exact: true }).selectOption('Spring exam');
      // In New York the hour from 02:00 is skipped, so these are two hours. Berlin sets its clocks two weeks later.
      await main.getByLabel('Opens').fill('2027-03-14T01:00');
      await main.getByLabel('Closes').fill('2027-03-14T04:00');
      const school = /At school \(Europe\/Berlin\): 14 Mar 2027, 07:00 – 14 Mar 2027, 09:00/;
      await main.getByRole('region', { name: 'What students will see' }).getByText(school).waitFor();
      await main.getByRole('button', { name: 'Plan an exam session' }).click();
      await main.getByRole('heading', { name: 'Spring exam is planned' }).waitFor();
      const [planned] = (await server.get(`/api/exam-sessions?class_id=${class_id}`, student.token)).body;
      assert.deepEqual([planned.opens_at, planned.closes_at], ['2027-03-14T06:00:00.000Z', '2027-03-14T08:00:00.000Z']);
      await visitors.openAs(page, student, '/exams');
      // In the list of the own sessions, and on the card of the exam.
      await main
        .getByText(/14 Mar 2027, 01:00 – 14 Mar 2027, 04:00/)
        .nth(1)
        .waitFor();
      await main.getByText(school).waitFor();
    });
  });

  // Long: one journey, whose steps stand on each other.
  itLong('plan a session for chosen students, found by name and by a list, and change who they are', async (t) => {
    const [found, listed, later] = [await server.user(), await server.user(), await server.user()];
    await makeExam('Resit exam');
    const page = await visitors.comeAs(t, teacher, '/plan-exam', { viewport: phone });
    const main = page.getByRole('main');
    await main.getByLabel('Who takes the exam').selectOption('Chosen students');
    await main.getByLabel('Search students').fill(found.username);
    await main.getByRole('button', { name: `Add ${found.username}` }).press('Enter');
    await main.getByText('1 student chosen').waitFor();
    await main.getByLabel('Paste a list').fill(`${listed.email}, nobody.here\n${found.username}`);
    await main.getByRole('button', { name: 'Add these students' }).click();
    await main.getByText('nobody.here: there is no such student whom you can choose.').waitFor();
    assert.equal(await main.getByLabel('Paste a list').inputValue(), 'nobody.here');
    await main.getByText('2 students chosen').waitFor();
    await main.getByLabel('Exam', { exact: true }).selectOption('Resit exam');
    await main.getByRole('button', { name: 'In an hour' }).click();
    await main.getByText('Up to 2 machines are needed.').waitFor();
    await main.getByLabel('Student', { exact: true }).selectOption(`${listed.id}`);
    const terms = main.getByRole('group', { name: 'Accommodations' });
    await terms.getByLabel('Closes for this student').fill('2099-01-05T08:00');
    await terms.getByLabel('Maximum attempts').fill('3');
    await terms.getByLabel('Minutes of breaks in each attempt').fill('20');
    await assertAccessible(page, 'a session that is planned for chosen students');
    await terms.getByRole('button', { name: 'Add', exact: true }).click();
    await terms.getByText(/× 1.25, until .*, 3 attempts, 20 min of breaks/).waitFor();
    await main.getByRole('button', { name: 'Plan an exam session' }).click();
    await main.getByRole('heading', { name: 'Resit exam is planned' }).waitFor();
    const [planned] = (await server.get('/api/exam-sessions?is_for_chosen=true', teacher.token)).body;
    const given = (await server.get(`/api/exam-sessions/${planned.id}/accommodations`, teacher.token)).body[0];
    assert.deepEqual([given.user_id, given.max_attempts, given.break_minutes], [listed.id, 3, 20]);
    await choose(page, 'Resit exam', 'Students');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search students').fill(later.username);
    await dialog.getByRole('button', { name: `Add ${later.username}` }).click();
    await dialog.getByRole('button', { name: `Remove ${found.username}` }).click();
    await rowOf(page, found.username).waitFor({ state: 'detached' });
    await rowOf(page, later.username).waitFor();
    await assertAccessible(page, 'the students of a session');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await main.getByRole('link', { name: 'Resit exam' }).click();
    await page.getByRole('heading', { name: 'Resit exam' }).waitFor();
    await rowOf(page, later.username).waitFor();
    await main.getByRole('link', { name: 'Exam sessions for chosen students' }).click();
    await main.getByLabel('Search students').waitFor();
  });

  // Long: one session, from one supervisor to another and back.
  itLong('give a session for chosen students further supervisors, who see its room, and can leave it', async (t) => {
    const [student, colleague] = [await server.user(), await server.user('instructor')];
    const exam_id = await makeExam('Shared exam');
    const session = await openSession(server, teacher, { exam_id, user_ids: [student.id] });
    const page = await visitors.comeAs(t, teacher, '/plan-exam', { viewport: phone });
    await choose(page, 'Shared exam', 'Supervisors');
    const dialog = page.getByRole('dialog');
    const who = dialog.getByLabel('Username or email of a colleague');
    await rowOf(page, teacher.username).waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Stop supervising' }).count(), 0, 'the only one');
    await who.fill(student.username);
    await who.press('Enter');
    await dialog.getByText('There is no active instructor or administrator with this name or address.').waitFor();
    await who.fill(colleague.email);
    await who.press('Enter');
    await rowOf(page, colleague.username).waitFor();
    assert.equal(await who.inputValue(), '');
    await who.fill(colleague.username);
    await dialog.getByRole('button', { name: 'Add a supervisor' }).click();
    await dialog.getByText('This user takes part in the session already.').waitFor();
    await assertAccessible(page, 'the supervisors of a session');

    // The colleague has no class.
    const theirs = await visitors.comeAs(t, colleague, '/notes');
    await theirs.getByRole('button', { name: /1 unread/ }).click();
    const notice = 'You were added as a supervisor: “Shared exam”';
    await theirs.getByRole('dialog').getByRole('link', { name: notice }).click();
    await rowOf(theirs, student.username).waitFor();
    await goTo(theirs, '/');
    await theirs.getByRole('link', { name: 'Shared exam' }).first().click();
    await theirs.getByRole('heading', { name: 'Shared exam' }).waitFor();
    await rowOf(theirs, student.username).waitFor();
    await choose(theirs, 'Shared exam', 'Supervisors');
    const other = theirs.getByRole('dialog');
    await other.getByRole('button', { name: `Remove ${teacher.username}` }).click();
    await rowOf(theirs, teacher.username).waitFor({ state: 'detached' });
    await other.getByLabel('Username or email of a colleague').fill(teacher.username);
    await other.getByRole('button', { name: 'Add a supervisor' }).click();
    await rowOf(theirs, teacher.username).waitFor();
    await other.getByRole('button', { name: 'Stop supervising' }).click();
    const question = theirs.getByRole('alertdialog', { name: 'Stop supervising Shared exam?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await other.getByRole('button', { name: 'Stop supervising' }).click();
    await question.getByRole('button', { name: 'Stop supervising' }).click();
    await theirs.getByText('You no longer supervise Shared exam', { exact: true }).waitFor();
    await theirs.getByRole('button', { name: 'Actions for Shared exam' }).waitFor({ state: 'detached' });
    const left = (await server.get(`/api/exam-sessions/${session.id}/supervisors`, admin.token)).body;
    assert.deepEqual(
      left.map(({ user_id }: { user_id: number }) => user_id),
      [teacher.id],
    );
    const russian = await visitors.comeAs(t, teacher, '/plan-exam', { language: 'ru' });
    await russian.getByRole('button', { name: 'Действия: Shared exam' }).click();
    await russian.getByRole('menuitem', { name: 'Наблюдатели' }).click();
    await russian.getByRole('dialog').getByRole('button', { name: 'Добавить наблюдателя' }).waitFor();
  });

  itLong('report an accommodation that could not be saved with a new session', async (t) => {
    const student = await server.user();
    const classId = await schoolClass(server, teacher, [student]);
    await makeExam('Lonely exam');
    const page = await visitors.comeAs(t, teacher, `/plan-exam?class_id=${classId}`);
    const main = page.getByRole('main');
    await main.getByLabel('Exam', { exact: true }).selectOption('Lonely exam');
    await main.getByRole('button', { name: 'In an hour' }).click();
    await main.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await main.getByRole('button', { name: 'Add', exact: true }).click();
    await server.delete(`/api/classes/${classId}/members/${student.id}`, teacher.token);
    await main.getByRole('button', { name: 'Plan an exam session' }).click();
    await main.getByRole('heading', { name: 'Lonely exam is planned' }).waitFor();
    await main.getByText(`The accommodation of ${student.username} was not saved.`).waitFor();
    await main.getByRole('button', { name: 'Plan another one' }).click();
    await main.getByLabel('Exam', { exact: true }).waitFor();
  });

  // Long: one student, from the list of sessions to the start in one of them.
  it('show students what awaits them, and start with an access code', async (t) => {
    const student = await server.user();
    const class_id = await schoolClass(server, teacher, [student]);
    const [now, later] = [await makeExam('Shell exam'), await makeExam('Network exam')];
    const code = { access_code: 'secret', results_visible: 'when_released' };
    const own = { max_attempts: 2, time_limit_minutes: 25, is_locked_down: true };
    await openSession(server, teacher, { exam_id: now, class_id, ...own, ...code });
    await openSession(server, teacher, { exam_id: later, class_id, opens_at: minutes(40), closes_at: minutes(80) });
    const page = await visitors.comeAs(t, student, '/exams', { viewport: phone });
    const mine = page
      .getByRole('region')
      .or(page.locator('section'))
      .filter({ has: page.getByRole('heading', { name: 'Your exam sessions' }) });
    const first = mine.getByRole('listitem').filter({ hasText: 'Shell exam' }).first();
    await first.getByText('2 attempts left').waitFor();
    await first.getByText('In one login only').waitFor();
    await mine.getByText('Opens in').getByRole('timer').waitFor();
    // The clocks change in between. The browser's zone has no such change.
    const change = { opens_at: '2027-03-28T00:30:00Z', closes_at: '2027-03-28T01:30:00Z', title: 'Night exam' };
    await openSession(server, teacher, { exam_id: later, class_id, ...change });
    await visitors.openAs(page, student, '/exams');
    const night = mine.getByRole('listitem').filter({ hasText: 'Night exam' }).first();
    await night.getByText(/At school \(Europe\/Berlin\): .*1:30.* – .*3:30/).waitFor();
    await assertAccessible(page, 'exam sessions');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a calendar' }).click();
    assert.equal((await saving).suggestedFilename(), 'exam-sessions.ics');
    await page.getByRole('link', { name: 'Go to the exam: Shell exam' }).click();
    await page.getByText('You have 25 minutes.').waitFor();
    assert.equal(await page.getByText('Afterwards you can start again.').count(), 0);
    await page.getByRole('button', { name: 'Start the exam' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('You see the results when your instructor releases them.').waitFor();
    await question.getByText('During the exam you can use only this login.').waitFor();
    await question.getByLabel('Access code').fill('wrong');
    await question.getByRole('button', { name: 'Start', exact: true }).click();
    await question.getByText('This is not the access code of the exam session.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await goTo(page, `/exams/${later}`);
    await page.getByText(/You can start at/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start the exam' }).count(), 0);
    const russian = await visitors.comeAs(t, student, '/exams', { language: 'ru' });
    await russian.getByRole('heading', { name: 'Ваши сеансы экзаменов' }).waitFor();
  });

  itLong('show a paused clock, and no results that are withheld', async (t) => {
    const student = await server.user();
    const class_id = await schoolClass(server, teacher, [student]);
    const exam_id = await makeExam('Quiet exam');
    const session = await openSession(server, teacher, { exam_id, class_id, results_visible: 'never' });
    const finished = await finishAttempt(server, student, 'exam', exam_id, [true]);
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', finished).execute();
    const page = await visitors.comeAs(t, student, `/exams/results/${finished}`);
    await page.getByText('The results of this exam session are not available to you, at least not yet.').waitFor();
    assert.equal(await page.getByText('Not passed').count(), 0);
    await runAttempt(server, student, session);
    await server.post(`/api/exam-sessions/${session.id}/pause`, teacher.token);
    await goTo(page, `/exams/${exam_id}`);
    await page.getByText('Paused: the clock is stopped').waitFor();
    await server.post(`/api/exam-sessions/${session.id}/message`, teacher.token, { text: 'Please wait' });
    await visitors.openAs(page, student, `/exams/${exam_id}`);
    await page.getByRole('status').filter({ hasText: 'Please wait' }).waitFor();
  });

  itLong('let a student take a break, which the room shows and ends', async (t) => {
    const student = await server.user();
    const class_id = await schoolClass(server, teacher, [student]);
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS'], { title: 'Long exam' });
    const session = await openSession(server, teacher, { exam_id, class_id });
    const room = await visitors.comeAs(t, teacher, `/classes/${class_id}?tab=exams`);
    const dialog = room.getByRole('dialog');
    await room.getByRole('button', { name: 'Accommodations', exact: true }).click();
    await dialog.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await dialog.getByLabel('Minutes of breaks in each attempt').fill('15');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(room, student.username).getByText('15', { exact: true }).waitFor();
    await goTo(room, `/classes/${class_id}/sessions/${session.id}`);
    await runAttempt(server, student, session);
    const page = await visitors.comeAs(t, student, `/exams/${exam_id}`, { viewport: phone });
    await page.getByText('You may take breaks: 15 minutes left.').waitFor();
    await assertAccessible(page, 'an exam with breaks');
    await page.getByRole('button', { name: 'Start a break' }).click();
    const panel = page.getByRole('region', { name: 'You are on a break' });
    await panel.getByText(/The break ends at .*, in 15 minutes\./).waitFor();
    await assertAccessible(page, 'a break');
    assert.equal(await page.getByRole('button', { name: /Give up|Task 1/ }).count(), 0, 'the tasks are covered');
    await rowOf(room, student.username).getByText('On a break until').waitFor();
    await panel.getByRole('button', { name: 'End the break' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start a break' }).click();
    await panel.waitFor();
    await choose(room, student.username, 'End the break');
    await answer(room, 'End the break');
    await room.getByText(`The break of ${student.username} has ended`, { exact: true }).waitFor();
    await rowOf(room, student.username).getByText('On a break until').waitFor({ state: 'detached' });
    await panel.waitFor({ state: 'detached' });
  });

  it('refuse an exam with sessions to those who are in none of its classes', async (t) => {
    const exam_id = await makeExam('Foreign exam');
    const class_id = await schoolClass(server, teacher, []);
    await openSession(server, admin, { exam_id, class_id });
    const student = await server.user();
    const page = await visitors.comeAs(t, student, `/exams/${exam_id}`);
    await page.getByText('none is planned for you').waitFor();
    await page.getByText('The tasks are shown when you start.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start the exam' }).count(), 0);
    assert.equal(await page.getByText('Task 1').count(), 0);
    // The session closes before the time of the exam is over.
    await server.post(`/api/classes/${class_id}/members`, teacher.token, { user_id: student.id });
    await visitors.openAs(page, student, `/exams/${exam_id}`);
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
    const [session] = (await server.get(`/api/exam-sessions?exam_id=${exam_id}`, admin.token)).body;
    await server.put(`/api/exam-sessions/${session.id}`, admin.token, { closes_at: minutes(20) });
    await page.reload();
    await page.getByText(/You have (1\d|20) minutes\./).waitFor();
    const attempt = await finishAttempt(server, student, 'exam', exam_id, [true]);
    await visitors.openAs(page, student, `/exams/results/${attempt}`);
    await page.getByText('You have passed this exam.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Start again' }).count(), 0);
  });

  // Long: one plan, whose preview each step changes.
  it('plan a session that opens now in five clicks, with a preview that stays in sight', async (t) => {
    const [busy, late] = [await server.user(), await server.user()];
    const class_id = await schoolClass(server, teacher, [busy, late]);
    await openSession(server, teacher, {
      exam_id: await makeExam('Old exam'),
      class_id: await schoolClass(server, teacher, [busy]),
    });
    await makeExam('Sudden exam');
    const terms = { time_factor: 2, break_minutes: 5 };
    await server.put(`/api/classes/${class_id}/accommodations/${late.id}`, teacher.token, terms);
    const page = await visitors.comeAs(t, teacher, `/plan-exam?class_id=${class_id}`);
    const main = page.getByRole('main');
    const preview = main.getByRole('region', { name: 'What students will see' });
    // The link of the class on the start page is the first click; a choice in a list is two.
    await main.getByRole('button', { name: 'Now', exact: true }).click();
    await main.getByText('As soon as it is saved').waitFor();
    await main.getByLabel('Exam', { exact: true }).selectOption('Sudden exam');
    await preview.getByText(`${late.username}: 60 minutes, 5 min of breaks`).waitFor();
    await preview.getByText(/^The session closes (19|20) minutes before the end of this time\.$/).waitFor();
    await preview.getByText(new RegExp(`^Old exam, .*: ${busy.username}$`)).waitFor();
    await assertAccessible(page, 'a preview with warnings');
    const plan = main.getByRole('button', { name: 'Plan an exam session' });
    await plan.scrollIntoViewIfNeeded();
    const { viewport, box } = { viewport: page.viewportSize(), box: await preview.boundingBox() };
    assert.ok(
      viewport && box && box.y >= 0 && box.y < viewport.height / 2,
      `the preview is in sight: ${JSON.stringify(box)}`,
    );
    await plan.click();
    await main.getByRole('heading', { name: 'Sudden exam is planned' }).waitFor();
    const [planned] = (await server.get(`/api/exam-sessions?class_id=${class_id}`, busy.token)).body;
    assert.equal(planned.state, 'open');
  });

  it('warn for whom a planned session closes too early, and count who works before results are released', async (t) => {
    const student = await server.user();
    const class_id = await schoolClass(server, teacher, [student]);
    const exam_id = await makeExam('Short window');
    const page = await visitors.comeAs(t, teacher, `/plan-exam?class_id=${class_id}`);
    const main = page.getByRole('main');
    await main.getByLabel('Exam', { exact: true }).selectOption('Short window');
    await main.getByLabel('Opens').fill('2098-01-06T09:00');
    await main.getByLabel('Closes').fill('2098-01-06T09:35');
    await main.getByText('Time limit: 30 minutes.').waitFor();
    await main.getByLabel('Student', { exact: true }).selectOption(`${student.id}`);
    await main.getByRole('button', { name: 'Add', exact: true }).click();
    await main.getByText(`${student.username}: 38 minutes`).waitFor();
    await main.getByText('The session closes 3 minutes before the end of this time.').waitFor();
    const early = main.getByText('The session closes too early for one student.');
    await early.waitFor();
    await main.getByRole('button', { name: /^Close at/ }).click();
    assert.equal(await main.getByLabel('Closes').inputValue(), '2098-01-06T09:38');
    await early.waitFor({ state: 'detached' });
    await main.getByLabel('Closes').fill('2098-01-06T09:20');
    await main.getByText('The session is open for 20 minutes, and the exam takes 30.').waitFor();
    await main.getByText('Time limit: 20 minutes.').waitFor();

    const session = await openSession(server, teacher, { exam_id, class_id, results_visible: 'when_released' });
    await runAttempt(server, student, session);
    await visitors.openAs(page, teacher, `/classes/${class_id}?tab=exams`);
    await choose(page, 'Short window', 'Release the results');
    await page.getByText('One student is still taking the exam.').waitFor();
    await answer(page, 'Cancel');
    assert.equal((await server.get(`/api/exam-sessions/${session.id}`, teacher.token)).body.is_released, false);
  });
});
