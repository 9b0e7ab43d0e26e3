import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { AttemptKind } from '../../src/database/tables.ts';
import { Classroom } from '../classroom.ts';
import { assessmentPaths } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { browserSkip, Visitors } from './browser.ts';
import { assertNothingCovered, controlBoxes, placeOfNextNote } from './notes-of-page.ts';
import { desktop, phone } from './page-pool.ts';
import { connected, run, shows, terminal } from './shell.ts';

describeLong('the terminal of an attempt in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const begin = async (kind: AttemptKind = 'exam') => {
    const user = await room.server.user();
    const id = await room.make(kind, ['echo PASS']);
    const started = await room.start(user, kind, id);
    const shells = async () =>
      (await room.server.get(`/api/containers/${started.container_id}/terminals`, user.token)).body as {
        id: string;
        is_connected: boolean;
      }[];
    return { ...started, user, path: `/${assessmentPaths[kind]}/${id}`, shells };
  };

  // Long: three browsers, one after another.
  it('goes on where it was left, in another browser: at once if nobody uses it, else after a question', async (t) => {
    const { user, path, shells } = await begin();
    const first = await visitors.comeAs(t, user, path, { isNew: true });
    await run(first, 'mark=le""ft; clear; echo "$mark here"', 'left here');
    const second = await visitors.comeAs(t, user, path, { isNew: true });
    await second.getByText('Your shell is open in another window.').waitFor();
    assert.equal((await shells()).length, 1, 'no other shell is opened without a word');
    await second.getByRole('button', { name: 'Use it here' }).click();
    await shows(second, 'left here');
    await first.getByText('This terminal was opened in another window or on another device.').waitFor();
    await second.goto('about:blank');
    await until(async () => (await shells())[0]?.is_connected === false, 'the loss of the second browser');
    const third = await visitors.comeAs(t, user, path, { isNew: true });
    await shows(third, 'left here');
    await run(third, 'echo "<$mark>"', '<left>');
    assert.equal((await shells()).length, 1);
  });

  for (const [name, viewport] of Object.entries({ desk: desktop, phone }))
    it(`keeps its size and its prompt in sight while a note is shown: on a ${name}`, async (t) => {
      // In the frame of an exam there are no notes about other things.
      const { user, path } = await begin('laboratory');
      const page = await visitors.comeAs(t, user, path, { viewport });
      if (viewport === phone) await page.getByRole('tab', { name: 'Terminal' }).click();
      await run(page, 'echo rea""dy; stty size', 'ready');
      // The prompt is in the last line.
      await run(page, 'seq 200; echo si""ze-$(stty size | tr " " x)', 'size-');
      await shows(page, '$ ');
      const rows = page.locator('.xterm-rows');
      const size = /size-\d+x\d+/.exec((await rows.textContent()) ?? '')?.[0] ?? assert.fail('no size');
      // From now on notifications are shown as notes.
      await page.getByRole('button', { name: /^Notifications: / }).waitFor();
      const before = await controlBoxes(page);
      const firstPlace = await placeOfNextNote(page);
      const admin = await room.server.user('admin');
      const title = 'The room closes at noon';
      const made = await room.server.post('/api/announcements', admin.token, { title, text: 'Really.' });
      assert.equal(made.status, 201);
      await page
        .getByRole('region', { name: /^Notifications \(/ })
        .getByText(title)
        .waitFor();
      assert.deepEqual(await firstPlace.jsonValue(), [{ isInWindow: true }], 'at once');
      await assertNothingCovered(page);
      const note = await page.getByRole('listitem').filter({ hasText: title }).boundingBox();
      const prompt = await rows.locator('> div').last().boundingBox();
      assert.ok(note && prompt && (note.y + note.height <= prompt.y || note.y >= prompt.y + prompt.height));
      assert.deepEqual(await controlBoxes(page), before, 'a note moves nothing');
      await run(page, 'clear; echo si""ze-$(stty size | tr " " x)', size);
    });

  it('is left for the text by Ctrl+Shift+Up, and entered again by it', async (t) => {
    const { user, path } = await begin();
    const page = await visitors.comeAs(t, user, path);
    await shows(page, '$ ');
    const task = page.getByRole('checkbox', { name: 'Mark as done: Task 1' });
    const input = terminal(page).getByRole('textbox', { name: 'Terminal' });
    const hasFocus = (locator: typeof task) => locator.evaluate((element) => element === document.activeElement);
    await task.focus();
    await page.keyboard.press('Control+Shift+ArrowUp');
    await until(() => hasFocus(input), 'the focus of the terminal');
    await page.keyboard.press('Control+Shift+ArrowUp');
    await until(() => hasFocus(task), 'the focus of the text, where it was');
    // A question keeps the focus.
    await page.getByRole('button', { name: 'Submit' }).click();
    const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await page.keyboard.press('Control+Shift+ArrowUp');
    assert.ok(await hasFocus(cancel));
    await cancel.click();
    // The keys of the terminal type nothing.
    await run(page, 'echo wor""ks', 'works');
  });

  it('keeps its tasks and its clock whatever a proxy writes as the date', async (t) => {
    const { user, path, attempt_id } = await begin();
    const page = await visitors.come(t, { isNew: true });
    await page.route('**/api/**', async (route) => {
      const answer = await route.fetch();
      const date = new Date(Date.now() + 29.9 * 60_000).toUTCString();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), date } });
    });
    await visitors.openAs(page, user, path);
    await connected(page);
    const clock = page.getByRole('timer').first();
    const { expires_at } = (await room.server.get(`/api/exams/attempts/${attempt_id}/results`, user.token)).body;
    const left = () => (Date.parse(expires_at) - Date.now()) / 1000;
    const most = left();
    const text = (await clock.textContent()) ?? '';
    const least = left();
    const [minutes = 0, seconds = 0] = text.split(':').map(Number);
    const shown = 60 * minutes + seconds;
    assert.ok(shown >= least - 3 && shown <= most + 3, `${text} instead of ${least} to ${most} s`);
  });

  it('counts the keys that wait, and offers another connection, on which they arrive once', async (t) => {
    const { user, path } = await begin();
    const page = await visitors.come(t, { isNew: true });
    let isDeaf = false;
    // The connection stays open, and nothing passes any more.
    await page.routeWebSocket(/\/ws\/terminal\//, (socket) => {
      const service = socket.connectToServer();
      let isOfDeafTime = false;
      socket.onMessage((message) => {
        isOfDeafTime ||= isDeaf;
        if (!isOfDeafTime) service.send(message);
      });
      service.onMessage((message) => {
        if (!isOfDeafTime) socket.send(message);
      });
    });
    await visitors.openAs(page, user, path);
    await run(page, 'echo rea""dy', 'ready');
    isDeaf = true;
    await page.keyboard.type('echo on""ce');
    await terminal(page).getByText('11 keys wait for the service').waitFor();
    isDeaf = false;
    await terminal(page).getByRole('button', { name: 'Reconnect' }).click();
    await terminal(page).getByText('keys wait for the service').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await shows(page, 'once');
  });

  it('takes the window above the keyboard of a phone, while it has the focus', async (t) => {
    const { user, path } = await begin();
    const page = await visitors.come(t, { viewport: phone, isNew: true });
    await visitors.openAs(page, user, path);
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await run(page, 'echo rea""dy', 'ready');
    const box = async () => await terminal(page).boundingBox();
    const before = await box();
    // As Chromium on Android: the page keeps its size, and less of it is seen.
    await page.evaluate(() => {
      const view = window.visualViewport;
      if (!view) return;
      Object.defineProperty(view, 'height', { value: 350, configurable: true });
      view.dispatchEvent(new Event('resize'));
    });
    await until(async () => (await box())?.height === 350 && (await box())?.y === 0, 'the terminal to take the room');
    assert.ok((before?.y ?? 0) > 0);
    await page.evaluate(() => document.querySelector<HTMLElement>('.xterm-helper-textarea')?.blur());
    await until(async () => ((await box())?.y ?? 0) > 0, 'the page to come back');
  });

  it('is a plain shell, and says so, where the own one ends at once', async (t) => {
    const { user, path, container_name } = await begin();
    const container = room.docker.getContainer(room.engineName(container_name));
    const exec = await container.exec({ Cmd: ['/bin/bash', '-c', 'echo exit >/home/student/.profile'], User: '0:0' });
    await exec.start({});
    await until(async () => !(await exec.inspect()).Running, 'the change of the profile');
    const page = await visitors.comeAs(t, user, path);
    await shows(page, 'This is a plain shell');
    await terminal(page).getByText('A plain shell, without your start-up files').first().waitFor();
    await run(page, 'echo wor""ks', 'works');
  });
});
