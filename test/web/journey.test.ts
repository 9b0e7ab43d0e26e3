import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInFull, describeLong, isLong } from '../rounds.ts';
import { engineSkip, TestServer } from '../server.ts';
import { answer, browserSkip, launchChromium, logIn, Visitors } from './browser.ts';
import { launchFirefox, whyNoFirefox } from './firefox.ts';
import { seedContent } from './school.ts';
import { run, shows } from './shell.ts';

const content = join(import.meta.dirname, '../../content');
const password = 'correct horse';

// In Chromium other tests take each of the steps.
for (const { name, launch, skip, suite } of [
  { name: 'Chromium', launch: launchChromium, skip: browserSkip, suite: describeInFull },
  { name: 'Firefox', launch: launchFirefox, skip: isLong && whyNoFirefox(), suite: describeLong },
])
  suite(`a student in ${name}`, { skip: skip || engineSkip, timeout: 600_000 }, () => {
    let server: TestServer;
    let visitors: Visitors;
    before(async () => {
      server = await TestServer.start();
      visitors = new Visitors(server, launch);
      await seedContent(server);
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
    });

    /** Types the author's solution into the terminal of the page, as one command. */
    async function solve(page: Page, path: string): Promise<void> {
      const solution = Buffer.from(await readFile(join(content, path), 'utf8')).toString('base64');
      await run(page, `clear; echo ${solution} | base64 -d | bash; echo solved-$((40 + 2))`, 'solved-42');
    }
    /** Logs out, and in again with the form of the first answer, before any other file has arrived. */
    async function logInEarly(page: Page, username: string): Promise<void> {
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.waitForURL('**/login**');
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/assets/**', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto('/login', { waitUntil: 'commit' });
      const form = page.locator('#document-login');
      await form.waitFor();
      await logIn(page, { username, password });
      await form.locator('button[aria-busy]').waitFor();
      release();
      await page.getByRole('heading', { name: `Welcome, ${username}` }).waitFor();
      await page.unroute('**/assets/**');
    }

    // Long: one journey, and each step depends on the one before.
    it('registers, logs in, reads, experiments, practises, takes an exam and sees the results in the pages', async (t) => {
      const page = await visitors.come(t, { isNew: true });
      await page.goto('/');
      await page.getByRole('link', { name: 'Register' }).click();
      await page.getByLabel('Username', { exact: true }).fill('ada');
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: 'Welcome, ada' }).waitFor();
      await logInEarly(page, 'ada');

      // The first lesson, and one of its commands in the terminal.
      await page.getByRole('link', { name: 'Courses' }).first().click();
      await page.getByRole('link', { name: /^Begin.*Linux from the shell up/ }).click();
      await page.waitForURL(/\/lessons\/\d+$/);
      await page.getByRole('button', { name: 'Run in my terminal' }).first().click();
      await page.getByRole('button', { name: /^Create a sandbox/ }).click();
      await page.getByRole('region', { name: 'Terminal' }).getByText('Connected', { exact: true }).waitFor();
      await shows(page, 'Hello, Linux');
      await run(page, 'clear; echo here-$((40 + 2))', 'here-42');
      await page.getByRole('button', { name: 'Mark as completed' }).first().click();
      await page.getByRole('button', { name: 'Mark as not completed' }).first().waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Mark as not completed' }).first().waitFor();
      await shows(page, 'here-42');

      // The laboratory of its section.
      await page.getByRole('link', { name: 'Courses' }).first().click();
      await page.getByText('1 of ', { exact: false }).first().waitFor();
      await page.getByRole('link', { name: 'Linux from the shell up', exact: true }).click();
      await page.getByRole('link', { name: /Files and folders/ }).click();
      await page.getByRole('button', { name: 'Start the laboratory' }).click();
      await solve(page, 'laboratories/files-and-folders/tasks/01-garden/solution.sh');
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('1 of 3 tasks pass so far.').first().waitFor();
      await page.getByRole('button', { name: 'Submit' }).click();
      await answer(page, 'Submit');
      await page.waitForURL(/\/laboratories\/results\/\d+$/);
      await page.getByText('3 of 3 points', { exact: true }).waitFor();

      // The exam.
      await page.getByRole('link', { name: 'Exams' }).first().click();
      await page.getByRole('link', { name: 'Details: Linux basics' }).click();
      await page.getByRole('button', { name: 'Start the exam' }).click();
      await answer(page, 'Start');
      await page.getByRole('timer').waitFor();
      await page.reload();
      await page.getByRole('timer').waitFor();
      await solve(page, 'exams/linux-basics/tasks/01-project-folders/solution.sh');
      await page.getByRole('button', { name: 'Submit' }).click();
      await answer(page, 'Submit');
      await page.waitForURL(/\/exams\/results\/\d+$/);
      await page.getByRole('heading', { name: 'Results: Linux basics' }).waitFor();
      const results = (
        await server.get(`/api/exams/attempts/${page.url().split('/').at(-1)}/results`, await tokenOf('ada'))
      ).body;
      assert.deepEqual(
        results.results.map(({ passed }: { passed: boolean }) => passed),
        [true, false, false, false, false, false, false, false],
      );
      await page.getByText(`${results.score} of ${results.max_score} points`).first().waitFor();

      // The dashboard shows all of it.
      await page.getByRole('link', { name: 'Dashboard' }).click();
      for (const done of ['Files and folders', 'Linux basics'])
        await page.getByText(done).filter({ visible: true }).first().waitFor();
    });

    async function tokenOf(username: string): Promise<string> {
      const { body } = await server.request('POST', '/api/auth/login', {
        json: { username, password },
      });
      return body.access_token;
    }
  });
