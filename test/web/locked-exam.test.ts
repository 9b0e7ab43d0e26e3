import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { describeLong, isLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { answer, browserSkip, launchChromium, Visitors } from './browser.ts';
import { launchFirefox, whyNoFirefox } from './firefox.ts';
import { run, shows } from './shell.ts';

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

for (const { name, launch, skip } of [
  { name: 'Chromium', launch: launchChromium, skip: browserSkip },
  { name: 'Firefox', launch: launchFirefox, skip: isLong && whyNoFirefox() },
])
  describeLong(
    `an exam with a locked login over plain HTTP in ${name}`,
    { skip: skip || engineSkip, timeout: 600_000 },
    () => {
      let room: Classroom;
      let visitors: Visitors;
      before(async () => {
        room = await Classroom.open({ HOST: '0.0.0.0' });
        visitors = new Visitors(room.server, launch);
      });
      after(() => room?.[Symbol.asyncDispose]());

      /** With keys: Playwright's `fill` does not reach the fields in Firefox. */
      const logIn = async (page: Page, { username, password }: TestUser): Promise<void> => {
        await page.locator('#start').waitFor({ state: 'detached' });
        await page.locator('input[autocomplete=username]').focus();
        await page.keyboard.type(username);
        await page.locator('input[type=password]').focus();
        await page.keyboard.type(password);
        await page.keyboard.press('Enter');
      };
      const leaveWithoutQuestion = (page: Page) => page.on('dialog', (question) => void question.accept());

      // Long: one exam on two computers, whose steps stand on each other.
      it('goes on after a reload and in another tab, and on another computer once it is let in', async (t) => {
        const { server, instructor } = room;
        const student = await server.user();
        const exam_id = await room.make('exam', ['echo PASS'], { title: 'Final' });
        const class_id = await schoolClass(server, instructor, [student]);
        const session = await openSession(server, instructor, { exam_id, class_id, is_locked_down: true });
        const path = `http://${outside ?? '127.0.0.1'}:${new URL(server.url).port}/exams/${exam_id}`;

        const page = await visitors.come(t, { isNew: true });
        await page.goto(path);
        assert.equal(await page.evaluate(() => isSecureContext), outside === undefined);
        await logIn(page, student);
        await page.getByRole('button', { name: 'Start the exam' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Start' }).click();
        await run(page, 'clear; echo first-$((1 + 1))', 'first-2');
        leaveWithoutQuestion(page);
        await page.reload();
        await shows(page, 'first-2');

        const second = await page.context().newPage();
        await page.goto('about:blank');
        await second.goto(path);
        await second.getByRole('button', { name: 'Submit' }).waitFor();
        leaveWithoutQuestion(second);

        const elsewhere = await visitors.come(t, { isNew: true });
        await elsewhere.goto(path);
        await logIn(elsewhere, student);
        await elsewhere.getByText(/another login/).waitFor();
        const supervisor = await visitors.comeAs(t, instructor, `/classes/${class_id}/sessions/${session.id}`, {
          isNew: true,
        });
        await supervisor.getByText('Cannot log in again').waitFor();
        await supervisor.getByRole('button', { name: 'Let in' }).click();
        await answer(supervisor, 'Allow another device');
        await supervisor.getByText('Cannot log in again').waitFor({ state: 'detached' });
        await elsewhere.reload();
        await logIn(elsewhere, student);
        await elsewhere.getByRole('button', { name: 'Submit' }).waitFor();
        leaveWithoutQuestion(elsewhere);
        await elsewhere.reload();
        await elsewhere.getByRole('button', { name: 'Submit' }).waitFor();
        // The first computer has no login any more, and gets none by its cookie.
        await second.reload();
        await second.waitForURL('**/login**');
        await second.close();
      });
    },
  );
