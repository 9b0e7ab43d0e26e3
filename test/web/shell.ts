import type { Page } from 'playwright-core';

/** The terminal on a page. */
export const terminal = (page: Page) => page.getByRole('region', { name: 'Terminal' });

/** Waits until the shown shell is connected. Others of the machine are in hidden tabs. */
export async function connected(page: Page): Promise<void> {
  await terminal(page).getByText('Connected', { exact: true }).filter({ visible: true }).waitFor();
}

/**
 * Waits for the prompt in the terminal of the page, types a command, and waits for its output. The output must not be a part of the
 * command, or the echo of the command would end the wait before the command has run.
 */
export async function run(page: Page, command: string, output: string): Promise<void> {
  if (command.includes(output)) throw new Error(`the echo of "${command}" contains "${output}"`);
  await connected(page);
  await enter(page, command);
  await shows(page, output);
}

/** Waits for the prompt in the terminal of the page, and types a command. */
export async function enter(page: Page, command: string): Promise<void> {
  await shows(page, '$ ');
  await terminal(page).getByRole('textbox', { name: 'Terminal' }).focus();
  await page.keyboard.type(`${command}\n`);
}

/** Waits until the screen no longer contains a text. */
export async function hides(page: Page, text: string): Promise<void> {
  await describingScreen(page, `the screen still contains "${text}"`, async () => {
    await page.waitForFunction((wanted) => {
      const screens = [...document.querySelectorAll('.xterm-rows')];
      return !screens
        .find((screen) => screen.checkVisibility({ visibilityProperty: true }))
        ?.textContent?.includes(wanted);
    }, text);
  });
}

/** Waits until the screen contains a text. */
export async function shows(page: Page, text: string): Promise<void> {
  await describingScreen(page, `the screen does not show "${text}"`, async () => {
    await page.waitForFunction((wanted) => {
      const screens = [...document.querySelectorAll('.xterm-rows')];
      return screens
        .find((screen) => screen.checkVisibility({ visibilityProperty: true }))
        ?.textContent?.includes(wanted);
    }, text);
  });
}

/** Adds what the terminal shows to the message of a failure. */
async function describingScreen(page: Page, failure: string, wait: () => Promise<void>): Promise<void> {
  try {
    await wait();
  } catch (error) {
    const shown = await terminal(page)
      .locator('.xterm-rows')
      .filter({ visible: true })
      .textContent({ timeout: 1000 })
      .catch(String);
    throw new Error(`${failure}, but ${JSON.stringify(shown)}`, { cause: error });
  }
}
