import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { schoolClass } from '../exam-session.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { assertAccessible } from './axe.ts';
import { browserSkip, Visitors } from './browser.ts';

describeLong('typing along in the browser', { skip: browserSkip || engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  let visitors: Visitors;
  before(async () => {
    room = await Classroom.open();
    visitors = new Visitors(room.server);
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  const shows = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.querySelector('.xterm-rows')?.textContent?.includes(wanted), text);
  const type = async (page: Page, text: string): Promise<void> => {
    await page.locator('.xterm textarea').focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  // Long: one terminal in two browsers.
  it('is asked, allowed and ended on the pages of both', async (t) => {
    const id = await room.make('laboratory', ['echo FAIL'], { title: 'Practice' });
    const student = await room.server.user();
    await schoolClass(room.server, room.instructor, [student]);
    const own = await visitors.comeAs(t, student, `/laboratories/${id}`);
    await own.getByRole('button', { name: 'Start the laboratory' }).click();
    await shows(own, '$');
    const watcher = await visitors.comeAs(t, room.instructor, '/teaching/live');
    await watcher.getByRole('link', { name: new RegExp(`^Watch ${student.username}`) }).click();
    await watcher.getByText('You are watching. Keys that you type are not sent.').waitFor();
    const [said, told] = [watcher, own].map((page) => page.getByRole('status', { name: 'Typing along' })) as [
      ReturnType<Page['getByRole']>,
      ReturnType<Page['getByRole']>,
    ];
    const ask = watcher.getByRole('button', { name: 'Ask to type along' });
    await ask.click();
    await said.getByText(`${student.username} is asked whether you may type.`).waitFor();
    await told.getByText(`${room.instructor.username} asks to type in this terminal.`).waitFor();
    await assertAccessible(own, 'the question whether somebody may type along');
    await assertAccessible(watcher, 'a terminal whose user is asked');
    // The keys of the student still go to the shell: nobody allows anything by accident.
    await type(own, 'echo own-$((1 + 1))');
    await shows(own, 'own-2');
    await own.getByRole('button', { name: 'Refuse' }).click();
    await said.getByText('You were not allowed to type.').waitFor();
    await ask.click();
    await own.getByRole('button', { name: 'Allow' }).click();
    await said.getByText(`You and ${student.username} type in this terminal.`).waitFor();

    await type(watcher, 'echo seen-$((40 + 2))');
    for (const page of [own, watcher]) await shows(page, 'seen-42');
    await told.getByText(`${room.instructor.username} is typing.`).waitFor();
    await own.locator('[data-terminal] > span', { hasText: room.instructor.username }).waitFor();
    await type(own, 'echo mine-$((1 + 2))');
    for (const page of [own, watcher]) await shows(page, 'mine-3');
    await said.getByText(`${student.username} is typing.`).waitFor();
    await watcher.locator('[data-terminal] > span', { hasText: student.username }).waitFor();
    await own.locator('[data-terminal] > span', { hasText: room.instructor.username }).waitFor({ state: 'hidden' });
    await assertAccessible(own, 'a terminal in which somebody types along');

    await own.keyboard.press('Control+Shift+E');
    await said.getByText('You no longer type along.').waitFor();
    // In a toast, which is announced as well.
    await own.getByText(`${room.instructor.username} no longer types along.`).first().waitFor();
    await type(watcher, 'echo intruder');
    await type(own, 'echo after-$((2 + 2))');
    for (const page of [own, watcher]) await shows(page, 'after-4');
    assert.doesNotMatch((await own.locator('.xterm-rows').textContent()) ?? '', /intruder/);

    // A reload ends it, and nothing is remembered.
    await ask.click();
    await own.getByRole('button', { name: 'Allow' }).click();
    await said.getByText(`You and ${student.username} type in this terminal.`).waitFor();
    await own.reload();
    await said.getByText('The connection was lost, so you no longer type along.').waitFor();
    await shows(own, 'after-4');
    assert.equal(await own.getByRole('button', { name: 'End (Ctrl+Shift+E)' }).count(), 0);
  });
});
