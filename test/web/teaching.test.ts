import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';
import { phone } from './page-pool.ts';

describeLong("the instructors' pages", { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  let anna: TestUser;
  let boris: TestUser;
  let exam: number;
  /** A submitted attempt of Anna with a recording. */
  let submitted: number;
  /** The container of Boris's active attempt. */
  let container: number;
  let open: TerminalClient;

  before(async () => {
    room = await Classroom.open();
    const { server } = room;
    visitors = new Visitors(server);
    [anna, boris] = [await server.user(), await server.user()];
    await server.put('/api/profile/me', anna.token, { full_name: 'Anna Petrova' });
    exam = await room.make('exam', ['echo "<b>all is well</b>"; echo PASS', 'echo "port 80 is closed"; echo FAIL'], {
      title: 'Services',
    });
    await room.make('laboratory', ['echo PASS'], { title: 'Users and groups' });
    const first = await room.start(anna, 'exam', exam);
    submitted = first.attempt_id;
    const terminal = connect(first.container_id, anna);
    await terminal.ready();
    terminal.type('echo recorded-$((6 * 7))\n');
    await terminal.shows('recorded-42');
    terminal.type('echo later-$((6 * 7))\n');
    await terminal.shows('later-42');
    const graded = await server.post(`/api/exams/${exam}/submit`, anna.token);
    assert.equal(graded.status, 200, graded.text);
    await terminal.closed;
    container = (await room.start(boris, 'exam', exam)).container_id;
    open = connect(container, boris);
    await open.ready();
  });
  after(async () => {
    open?.socket.terminate();
    await room?.[Symbol.asyncDispose]();
  });

  const connect = (id: number, { token }: TestUser) =>
    new TerminalClient(`${room.server.url}/ws/terminal/${id}?token=${token}`, { protocol: 'terminal.v1' });
  const come = (t: Parameters<Visitors['comeAs']>[0], path: string, options = {}) =>
    visitors.comeAs(t, room.instructor, path, options);
  /** Clicks a button that downloads a file. @returns its name and text */
  async function download(page: Page, button: string | RegExp): Promise<[string, string]> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
  }

  it('show the grade book of an exam, and save it as a file', async (t) => {
    const page = await come(t, '/teaching/grade-book');
    // An exam with attempts is selected by default.
    const row = page.getByRole('row', { name: /Anna Petrova/ });
    await row.getByText('1 of 3').waitFor();
    await row.getByText('Passed').first().waitFor();
    await page
      .getByRole('row', { name: new RegExp(boris.username) })
      .getByText('In progress')
      .waitFor();
    await page
      .getByRole('columnheader', { name: /Task 2/ })
      .getByText('worth 2 points')
      .waitFor();

    const [name, csv] = await download(page, 'Save as CSV');
    assert.equal(name, `exam-${exam}-grades.csv`);
    assert.match(csv, /^username,full_name,.*Task 1,Task 2\r\n/);
    assert.match(csv, new RegExp(`${anna.username},Anna Petrova,`));

    await page.getByRole('searchbox', { name: 'Student' }).fill('petrova');
    await page.getByRole('row', { name: new RegExp(boris.username) }).waitFor({ state: 'detached' });
    await page.reload();
    await row.waitFor();
    assert.equal(await page.getByRole('searchbox', { name: 'Student' }).inputValue(), 'petrova');

    await page.getByRole('combobox', { name: 'Exam or laboratory' }).selectOption('Users and groups');
    await page.getByText('Nobody has attempted it yet').waitFor();
    await page.goBack();
    await row.waitFor();
  });

  it('find attempts by student, status and result, with filters kept in the address', async (t) => {
    const page = await come(t, '/teaching/attempts');
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    await rows.nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Finished');
    await page.waitForURL(/status=finished/);
    // While the list is loading it has no row of Boris either.
    await page.getByRole('row', { name: new RegExp(boris.username) }).waitFor({ state: 'detached' });
    await until(async () => (await rows.count()) === 1, 'the row of the other');
    await page.getByRole('combobox', { name: 'Result' }).selectOption('Not passed');
    await page.getByText('Nothing matches the filters').waitFor();
    await page.goBack();
    await rows.first().waitFor();
    const [name, csv] = await download(page, 'Save as CSV');
    assert.equal(name, 'attempts.csv');
    assert.equal(csv.trim().split('\r\n').length, 2, csv);
    await page.getByRole('link', { name: /Anna Petrova/ }).click();
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
  });

  it('sort attempts with the keyboard, with the order kept in the address', async (t) => {
    const page = await come(t, '/teaching/attempts');
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    await rows.nth(1).waitFor();
    const head = page.getByRole('columnheader', { name: 'Student' });
    await head.getByRole('button').press('Enter');
    await head.and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.waitForURL(/sort=username&order=asc/);
    await page.reload();
    await head.and(page.locator('[aria-sort=ascending]')).waitFor();
    // Reading all texts does not wait for the rows.
    await rows.nth(1).waitFor();
    const ascending = await rows.allTextContents();
    await head.getByRole('button').press('Enter');
    await head.and(page.locator('[aria-sort=descending]')).waitFor();
    await until(async () => `${await rows.allTextContents()}` === `${ascending.toReversed()}`, 'the other direction');
  });

  it('offer the usual order of a list that is too long for another one', async (t) => {
    const page = await come(t, '/teaching/attempts?sort=username&order=asc', { isNew: true });
    const detail = 'A list of more than 20000 rows cannot be sorted by this field';
    await page.route('**/api/instructor/attempts?**sort=username**', (route) =>
      route.fulfill({ status: 409, headers: { 'error-code': 'too_long_to_sort' }, json: { detail } }),
    );
    await page.reload();
    await page.getByText('The list is too long to be sorted by this column.').waitFor();
    await page.getByRole('button', { name: 'Usual order' }).click();
    await page.getByRole('link', { name: /Anna Petrova/ }).waitFor();
    assert.doesNotMatch(page.url(), /sort|order/);
  });

  it('show one attempt with the output of each check, and save its recording', async (t) => {
    const page = await come(t, `/teaching/attempts/${submitted}`);
    await page.getByText(/^port 80 is closed/).waitFor();
    const passed = page.getByRole('listitem').filter({ hasText: 'Task 1' });
    await passed.getByText('Output of the check').click();
    // As text, not as elements.
    await passed.getByText(/^<b>all is well<.b>/).waitFor();

    await page.getByRole('tab', { name: 'Recordings' }).click();
    const [name, cast] = await download(page, /^Download: Terminal of/);
    assert.match(name, /\.cast$/);
    assert.equal(JSON.parse(cast.split('\n')[0] ?? '').version, 2);
  });

  // Long: one recording, played from its start to its end.
  it('play a recording, pause it, and seek in it', async (t) => {
    const page = await come(t, `/teaching/attempts/${submitted}?tab=recordings`);
    // A minute longer than it is: it does not end before the player is paused. The player shortens longer pauses.
    await page.route('**/api/instructor/recordings/*', async (route) => {
      const response = await route.fetch();
      const [header, ...events] = (await response.text()).trimEnd().split('\n');
      // Nothing is on the screen at its start.
      const later = events.map((line) => {
        const [time, ...event] = JSON.parse(line) as [number, ...string[]];
        return [time + 1, ...event] as const;
      });
      const end = later.at(-1)?.[0] ?? 1;
      const silence = Array.from({ length: 60 }, (_, index) => JSON.stringify([end + index + 1, 'o', '']));
      const last = JSON.stringify([end + 61, 'o', 'the end\r\n']);
      await route.fulfill({
        response,
        body: [header, ...later.map((event) => JSON.stringify(event)), ...silence, last, ''].join('\n'),
      });
    });
    await page.getByRole('button', { name: /^Play: Terminal of/ }).click();
    const player = page.getByRole('region', { name: 'Player of the recording' });
    const position = player.getByRole('slider', { name: 'Position' });
    const rows = player.locator('.xterm-rows');
    const shows = (text: string) => rows.filter({ hasText: text }).waitFor();
    const lacks = (text: string) => rows.filter({ hasNotText: text }).waitFor();
    // It plays immediately and has the focus.
    await player.getByRole('button', { name: 'Pause' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Space');
    await player.getByRole('button', { name: 'Play' }).waitFor();
    const paused = await position.inputValue();
    await position.press('End');
    assert.notEqual(await position.inputValue(), paused);
    await shows('later-42');
    await assertAccessible(page, 'an attempt with its recording');
    await position.press('Home');
    await lacks('recorded-42');
    await until(async () => {
      await page.keyboard.press('ArrowRight');
      return (await rows.filter({ hasText: 'later-42' }).count()) > 0;
    }, 'a step to what was printed later');
    await until(async () => {
      await page.keyboard.press('ArrowLeft');
      return (await position.inputValue()) === '0';
    }, 'the steps back');
    await lacks('recorded-42');

    await position.press('End');
    await page.keyboard.press('ArrowLeft');
    await lacks('the end');
    await player.getByRole('combobox', { name: 'Speed' }).selectOption('8×');
    await player.getByRole('button', { name: 'Play' }).click();
    await shows('the end');
    // It stops at the end. Then it can be played from the start.
    await player.getByRole('button', { name: 'Play' }).click();
    await lacks('the end');
  });

  it("show a student's terminal live without input, and notify the student", async (t) => {
    const page = await come(t, '/teaching/live');
    const card = page.getByRole('listitem').filter({ hasText: boris.username });
    await card.getByText('Terminal open', { exact: true }).waitFor();
    await page.getByRole('link', { name: new RegExp(`^Watch ${boris.username}: Services`) }).click();
    await page.waitForURL(`**/teaching/live/${container}`);
    await page.getByText('You are watching. Keys that you type are not sent.').waitFor();
    open.type('echo seen-$((40 + 2))\n');
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent?.includes('seen-42'));
    await open.message('notice', ({ reason }) => reason === 'watched');
    await page.locator('.xterm textarea').focus();
    await page.keyboard.type('echo intruder\n');
    open.type('echo after-$((1 + 1))\n');
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent?.includes('after-2'));
    assert.doesNotMatch(open.output.toString(), /intruder/);
    await page.getByRole('link', { name: 'Go to the attempt' }).click();
    await page.getByText('Not graded yet').waitFor();
    await page.getByRole('button', { name: 'More time' }).waitFor();
  });

  for (const [language, told] of [
    ['en', 'Grading failed. The connection to the machine was lost.'],
    ['ru', 'Проверка не удалась. Соединение с машиной потеряно.'],
  ] as const) {
    it(`show why a grading failed in the language of the reader (${language})`, async (t) => {
      const { db } = room.server.application;
      const user_id = boris.id;
      const failed = { grading_error: 'reset by peer', grading_error_code: 'container_unreachable' } as const;
      const { id } = await db
        .updateTable('attempts')
        .set(failed)
        .where('user_id', '=', user_id)
        .returning('id')
        .executeTakeFirstOrThrow();
      t.after(
        () =>
          void db
            .updateTable('attempts')
            .set({ grading_error: null, grading_error_code: null })
            .where('id', '=', id)
            .execute(),
      );
      const page = await come(t, `/teaching/attempts/${id}`, { language });
      await page.getByText(told, { exact: true }).waitFor();
      const own = await room.server.get(`/api/exams/attempts/${id}/results`, boris.token);
      assert.equal(own.body.grading_error_code, 'grading_failed');
    });
  }

  it('let an instructor add minutes to an attempt, beside its tasks and checks', async (t) => {
    const { body } = await room.server.get(`/api/exams/attempts/active`, boris.token);
    const page = await come(t, `/teaching/attempts/${body.id ?? body.attempt_id}`);
    await page.getByRole('heading', { name: /^1\. / }).waitFor();
    await page.locator('summary').filter({ hasText: 'Check' }).first().press('Enter');
    await page.locator('pre').filter({ hasText: 'echo' }).first().waitFor();
    await page.getByText('The texts and checks are those with which the attempt started.').waitFor();
    await assertAccessible(page, 'an attempt in progress with its tasks');
    await page.getByRole('button', { name: 'More time' }).click();
    const dialog = page.getByRole('dialog');
    const before = Date.parse(body.expires_at);
    await dialog.getByRole('spinbutton', { name: 'Minutes to add' }).fill('20');
    await dialog.getByRole('button', { name: 'More time' }).click();
    await page.getByText('The student has 20 more minutes, until').first().waitFor();
    await until(async () => {
      const { body: now } = await room.server.get(`/api/exams/attempts/active`, boris.token);
      return Date.parse(now.expires_at) - before === 20 * 60_000;
    }, 'the new deadline');
  });

  it('fit a phone, with scrollable grades', async (t) => {
    const page = await come(t, '/teaching/grade-book', { theme: 'dark', language: 'ru', viewport: phone });
    const grades = page.getByRole('region', { name: 'Services' });
    await grades.getByText('Anna Petrova').waitFor();
    await grades.evaluate((element) => element.scrollBy(500, 0));
    // The names stay visible.
    await grades.getByRole('rowheader', { name: /Anna Petrova/ }).click({ trial: true });
    await assertAccessible(page, 'grades on a phone');
    const [width, wide] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.equal(wide, width);
  });
});
