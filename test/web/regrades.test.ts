import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { describeLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

const folder = process.env['REGRADE_PICTURES'];
const picture = async (page: Page, name: string): Promise<void> => {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

describeLong('regrades and reopening in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(() => room?.[Symbol.asyncDispose]());

  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<Classroom['server']['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok([200, 201, 202].includes(status), `${status} ${text}`);
    return body;
  }
  const attemptPath = (attempt: number) => `/api/instructor/attempts/${attempt}`;
  const scoreOf = async (attempt: number) =>
    (await good(room.server.get(attemptPath(attempt), room.admin.token))).score;

  /** An attempt of a student who has run a script as root and submitted. @returns its id */
  async function submitted(student: TestUser, exam: number, script: string): Promise<number> {
    const { attempt_id: attempt, container_name } = await room.start(student, 'exam', exam);
    const { code, output } = await runInContainer(room.docker, room.engineName(container_name), script, 'root', '/');
    assert.equal(code, 0, output);
    await good(room.server.post(`/api/exams/${exam}/submit`, student.token));
    await until(
      async () =>
        (await room.server.get(`${attemptPath(attempt)}/evidence/summary`, room.admin.token)).body.status === 'kept',
      'the evidence',
      60_000,
    );
    return attempt;
  }
  /** An exam session of a class with students. */
  async function sessionWith(students: readonly TestUser[], checks: readonly string[]) {
    const exam = await room.make('exam', checks);
    const schoolClassId = await schoolClass(room.server, room.instructor, students);
    const { id } = await openSession(room.server, room.instructor, {
      ...{ exam_id: exam, class_id: schoolClassId, results_visible: 'when_released' },
    });
    return { exam, id: id as number, schoolClassId };
  }
  async function confirm(page: Page, title: string, action: string): Promise<void> {
    await page.getByRole('button', { name: action, exact: true }).click();
    const question = page.getByRole('alertdialog', { name: title });
    await question.getByRole('button', { name: action, exact: true }).click();
    await question.waitFor({ state: 'detached' });
  }

  // Long: a teacher regrades a session by a corrected check, compares, and applies it.
  it('compare the results of a session by a corrected check, and apply them', async (t) => {
    const students = [await room.server.user(), await room.server.user(), await room.server.user()];
    const [winner, loser] = students;
    const { exam, id, schoolClassId } = await sessionWith(students, ['grep -x 41 /srv/answer && echo PASS']);
    const attempts: number[] = [];
    for (const [index, answer] of [42, 41, 41].entries())
      attempts.push(await submitted(students[index] ?? assert.fail(), exam, `echo ${answer} >/srv/answer`));
    const { db } = room.server.application;
    const machines = db.selectFrom('containers').select('id');
    await until(async () => (await machines.execute()).length === 0, 'the end of the machines');
    await db
      .deleteFrom('attempt_evidence')
      .where('attempt_id', '=', attempts[2] ?? 0)
      .execute();
    const [task] = (await good(room.server.get(`/api/admin/exams/${exam}`, room.admin.token))).tasks;
    await good(
      room.server.put(`/api/admin/exams/${exam}/tasks/${task.id}`, room.admin.token, {
        verification_script: 'cat /srv/answer; grep -qx 42 /srv/answer && echo PASS',
      }),
    );

    const page = await visitors.comeAs(t, room.instructor, `/classes/${schoolClassId}/sessions/${id}`);
    await page.getByRole('button', { name: /^Actions/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Regrade', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Regrade the attempts of this session?' });
    await dialog.getByLabel('Reason').fill('The check was wrong');
    await dialog.locator('option:checked', { hasText: /\(current\)$/ }).waitFor({ state: 'attached' });
    await assertAccessible(page, 'the request for a regrade');
    await dialog.getByRole('button', { name: 'Regrade' }).click();

    await page.getByRole('heading', { level: 1, name: 'Regrade' }).waitFor();
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 120_000 });
    await page.getByText('The check was wrong', { exact: true }).waitFor();
    const part = (name: string) => page.locator('section', { has: page.getByRole('heading', { level: 2, name }) });
    const gains = part('Gain points (1)');
    await gains.getByRole('link', { name: winner?.username ?? '' }).waitFor();
    await gains.getByText('0 → 1 of 1 points').waitFor();
    assert.deepEqual(await gains.locator('pre').allTextContents(), ['42\nPASS\n'], 'it printed nothing before');
    const loses = part('Lose points (1)');
    await loses.getByRole('link', { name: loser?.username ?? '' }).waitFor();
    assert.deepEqual(await loses.locator('pre').allTextContents(), ['41\nPASS\n', '41\n']);
    await part('Left out (1)').getByText('its files are not kept').waitFor();
    await assertAccessible(page, 'the comparison');
    await picture(page, 'regrade');
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'it fits on a phone');
    await picture(page, 'regrade-390');

    await confirm(page, 'Apply these results?', 'Apply');
    await page.getByText('Applied', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Apply', exact: true }).count(), 0);
    assert.deepEqual([await scoreOf(attempts[0] ?? 0), await scoreOf(attempts[1] ?? 0)], [1, 0]);
  });

  it('mark a check that is not deterministic, and drop what it gave', async (t) => {
    const exam = await room.make('exam', ['[ ! -e /root/again ] && touch /root/again && echo PASS']);
    const attempt = await submitted(await room.server.user(), exam, 'true');
    const page = await visitors.comeAs(t, room.admin, `/teaching/attempts/${attempt}`);
    // What `verify-evidence` prints is compared with it.
    const { body } = await room.server.get(`${attemptPath(attempt)}/evidence/summary`, room.admin.token);
    await page.getByText(body.public_key, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Regrade' }).click();
    const dialog = page.getByRole('dialog', { name: 'Regrade this attempt?' });
    await dialog.getByLabel('Reason').fill('A look');
    await dialog.getByRole('button', { name: 'Regrade' }).click();
    await page.getByText('Not deterministic', { exact: true }).waitFor({ timeout: 120_000 });
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 120_000 });
    await confirm(page, 'Drop this regrade?', 'Drop');
    await page.getByText('Dropped', { exact: true }).waitFor();
    assert.equal(await scoreOf(attempt), 1);
  });

  // Long: one request is declined and the other one granted, which leaves an ending.
  it('answer the requests of students to have an attempt back', async (t) => {
    const students = [await room.server.user(), await room.server.user()];
    const { exam } = await sessionWith(students, ['echo PASS']);
    const attempts: number[] = [];
    for (const student of students) {
      const attempt = await submitted(student, exam, 'true');
      await good(room.server.post(`/api/exams/attempts/${attempt}/reopen-request`, student.token));
      attempts.push(attempt);
    }
    const [declined, granted] = students;
    const page = await visitors.comeAs(t, room.instructor, '/teaching/attempts');
    const queue = page.getByRole('region', { name: 'Requests to reopen' });
    await queue.getByRole('button', { name: `Decline : ${declined?.username}` }).click();
    await assertAccessible(page, 'the question before a request is declined');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click();
    await queue.getByRole('link', { name: declined?.username ?? '' }).waitFor({ state: 'detached' });
    await assertAccessible(page, 'the requests to reopen');
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'it fits on a phone');
    await picture(page, 'queue-390');
    await queue.getByRole('button', { name: `Reopen : ${granted?.username}` }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Give this attempt back?' });
    await dialog.getByLabel('Minutes from now on').fill('20');
    // The queue is read again before the new machine is there.
    const answered = page.waitForResponse((response) => response.url().endsWith('/reopen'), { timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Reopen' }).press('Enter');
    await queue.waitFor({ state: 'detached', timeout: 60_000 });
    await answered;
    const { is_declined } = await good(
      room.server.get(`/api/exams/attempts/${attempts[0]}/reopen-request`, declined?.token),
    );
    assert.equal(is_declined, true);

    await visitors.openAs(page, room.instructor, `/teaching/attempts/${attempts[1]}`);
    await page.getByRole('heading', { name: 'Before it was reopened' }).waitFor();
    await page.getByText(/^Was submitted .*, 1 of 1 points/).waitFor();
    await page.getByText(new RegExp(`^Reopened .* by ${room.instructor.username}$`)).waitFor();
    await assertAccessible(page, 'an attempt with an ending');
    await picture(page, 'endings');
  });

  it('answer a request to have an attempt back on its page', async (t) => {
    const student = await room.server.user();
    const { exam } = await sessionWith([student], ['echo PASS']);
    const attempt = await submitted(student, exam, 'true');
    await good(room.server.post(`/api/exams/attempts/${attempt}/reopen-request`, student.token));
    const page = await visitors.comeAs(t, room.instructor, `/teaching/attempts/${attempt}`);
    const asked = page.getByText('The student asks to have this attempt back');
    await asked.waitFor();
    await assertAccessible(page, 'an attempt that its student asks for');
    await confirm(page, 'Decline to reopen this attempt?', 'Decline');
    await asked.waitFor({ state: 'detached' });
    const { is_declined } = await good(room.server.get(`/api/exams/attempts/${attempt}/reopen-request`, student.token));
    assert.equal(is_declined, true);
  });

  it('give an attempt without a machine back', async (t) => {
    const exam = await room.make('exam', []);
    const task = { title: 'Name', points: 2, kind: 'answer', accepted: ['ssh'] };
    await good(room.server.post(`/api/admin/exams/${exam}/tasks`, room.admin.token, task));
    const { token } = await room.server.user();
    const { attempt_id } = await good(room.server.post(`/api/exams/${exam}/start`, token));
    await good(room.server.post(`/api/exams/${exam}/submit`, token));
    const page = await visitors.comeAs(t, room.admin, `/teaching/attempts/${attempt_id}`);
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Give this attempt back?' });
    await dialog.getByLabel('Minutes from now on').fill('20');
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('heading', { name: 'Before it was reopened' }).waitFor();
    const { status } = await good(room.server.get(attemptPath(attempt_id), room.admin.token));
    assert.equal(status, 'in_progress');
  });

  // Long: from the settings of an exam to its comparison, and to it again by the list.
  it('grade all attempts of an exam again, and list what came of it', async (t) => {
    const exam = await room.make('exam', []);
    const tasks = `/api/admin/exams/${exam}/tasks`;
    const task = { title: 'Name', points: 2, kind: 'answer', accepted: ['ssh'] };
    const { id } = await good(room.server.post(tasks, room.admin.token, task));
    for (const text of ['telnet', 'ssh']) {
      const { token } = await room.server.user();
      const { attempt_id } = await good(room.server.post(`/api/exams/${exam}/start`, token));
      await good(room.server.put(`/api/exams/attempts/${attempt_id}/answers/${id}`, token, { text }));
      await good(room.server.post(`/api/exams/${exam}/submit`, token));
    }
    await good(room.server.put(`${tasks}/${id}`, room.admin.token, { accepted: ['ssh', 'telnet'] }));
    const page = await visitors.comeAs(t, room.admin, `/administration/exams/${exam}?tab=settings`);
    await page.getByRole('button', { name: 'Regrade all attempts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Regrade all attempts?' });
    await dialog.getByLabel('Reason').fill('Telnet is right as well');
    await dialog.locator('option:checked', { hasText: /\(current\)$/ }).waitFor({ state: 'attached' });
    await assertAccessible(page, 'the request for a regrade of an exam');
    await dialog.getByRole('button', { name: 'Regrade' }).click();
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 120_000 });
    await page.getByText('0 → 2 of 2 points').waitFor();

    await visitors.openAs(page, room.admin, `/administration/exams/${exam}?tab=settings`);
    await page.getByRole('link', { name: 'Regrades until now' }).click();
    await page.getByText('1 more, 0 fewer').waitFor();
    await assertAccessible(page, 'the list of regrades');
    await picture(page, 'regrades');
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'it fits on a phone');
    await picture(page, 'regrades-390');
    await page.getByRole('link', { name: 'Telnet is right as well' }).click();
    await page.getByText(`Requested: ${room.admin.username}`).waitFor();

    // Another instructor reads it.
    await visitors.openAs(page, room.instructor, '/teaching/regrades');
    await page.getByRole('link', { name: 'Telnet is right as well' }).click();
    await page.getByText('Who has requested it, or an administrator, applies or drops it.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Apply', exact: true }).count(), 0);
  });
});
