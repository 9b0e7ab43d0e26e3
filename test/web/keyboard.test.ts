import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { browserSkip, Visitors } from './browser.ts';
import { connected, shows } from './shell.ts';

/** More than any page of the way has before what is looked for. */
const maxSteps = 80;

/** What a screen reader says first of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
    const name = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} ${name.trim().replaceAll(/\s+/g, ' ')}`;
  });

/** Presses Tab, or Shift+Tab, until something has the focus, which must be seen. */
async function tabTo(page: Page, wanted: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const name = await focused(page);
    // A terminal shows its cursor. What has the focus is an invisible field at its place.
    if (wanted.test(name)) return name.startsWith('textarea ') ? undefined : await assertFocusIsSeen(page, name);
    passed.push(name);
    await page.keyboard.press(key);
  }
  assert.fail(`the keyboard does not reach ${wanted}; it passes ${passed.join(' | ')}`);
}

/** It has an outline, is in the window, and is not too small to be hit (WCAG 2.4.7, 2.4.11, 2.5.8). */
async function assertFocusIsSeen(page: Page, name: string): Promise<void> {
  const { outline, isInWindow, size } = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return {
      outline: outlineStyle !== 'none' || boxShadow !== 'none',
      isInWindow: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      size: Math.min(width, height),
    };
  });
  assert.ok(outline, `${name} shows no focus`);
  assert.ok(isInWindow, `${name} has the focus outside of the window`);
  // A link within a line is as high as its text.
  assert.ok(size >= 24 || name.startsWith('a '), `${name} is ${size} px`);
}

/** After a navigation the title of the page has the focus, which a screen reader announces. */
async function titleIsAnnounced(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === text,
    title,
  );
}

describeLong('the keyboard alone', { skip: browserSkip || engineSkip, timeout: 240_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
  });

  // Long: one way, from the login to the results.
  it('leads from the login through the terminal of an exam to its results', async (t) => {
    const student = await room.server.user();
    await room.make('exam', ['test -f /home/student/done && echo PASS || echo FAIL'], { title: 'Files' });
    const page = await new Visitors(room.server).come(t, { isNew: true });
    const press = (key: string) => page.keyboard.press(key);
    await page.goto('/login');
    await page.locator('#root main').waitFor();
    await tabTo(page, /^input Username/);
    await page.keyboard.type(student.username);
    await tabTo(page, /^input Password/);
    await page.keyboard.type(student.password);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await tabTo(page, /^a Exams$/);
    await press('Enter');
    await titleIsAnnounced(page, 'Exams');
    await page.getByRole('link', { name: 'Details: Files' }).waitFor();
    await tabTo(page, /^a Details: Files/);
    await press('Enter');
    await titleIsAnnounced(page, 'Files');
    await page.getByRole('button', { name: 'Start the exam' }).waitFor();
    await tabTo(page, /^button Start the exam/);
    await press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await tabTo(page, /^button Start$/);
    await press('Enter');
    await connected(page);
    await shows(page, '$ ');
    await tabTo(page, /^textarea /);
    await page.keyboard.type('touch done; echo is-$((40+2))\n');
    await shows(page, 'is-42');
    // The terminal has the Tab key, and says how it is left: to the buttons above it.
    await press('Control+Shift+ArrowDown');
    await tabTo(page, /^button Submit/, 'Shift+Tab');
    await press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await tabTo(page, /^button Submit/);
    await press('Enter');
    await page.getByText('You have passed this exam.').waitFor();
  });
});
