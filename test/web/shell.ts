import type { Page } from 'playwright-core';

/** The terminal on a page. */
export const terminal = (page: Page) => page.getByRole('region', { name: 'Terminal' });

/** Waits for the prompt in the terminal of the page, types a command, and waits for its output. */
export async function run(page: Page, command: string, output: string): Promise<void> {
  await terminal(page).getByText('Connected', { exact: true }).waitFor();
  await shows(page, '$ ');
  await terminal(page).getByRole('textbox', { name: 'Terminal' }).focus();
  await page.keyboard.type(`${command}\n`);
  await shows(page, output);
}

/** Waits until the screen no longer contains a text. */
export async function hides(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => !document.querySelector('.xterm-rows')?.textContent?.includes(wanted), text);
}

/** Waits until the screen contains a text. */
export async function shows(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('.xterm-rows')?.textContent?.includes(wanted), text);
}
