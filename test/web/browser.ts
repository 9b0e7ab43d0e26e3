import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';
import { handSession } from './handed-session.ts';

// The shell first: without the parts that a window has, a page comes in two thirds of the time.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
export const executablePath =
  process.env['CHROMIUM'] ?? programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** For `describe`'s `skip`: why tests of the pages cannot run here, or false. */
export const browserSkip: string | false = executablePath
  ? false
  : 'there is no Chromium (install the package chromium-headless-shell)';

/** Milliseconds that a page is given for what it is waited for: generous, as nothing waits longer than it must. */
const patience = 20_000;

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

export type PageOptions = {
  viewport?: { width: number; height: number };
  theme?: 'light' | 'dark';
  language?: 'en' | 'ru';
};

let launched: Promise<Browser> | undefined;

/** One for all test files of a process; each visitor has a context of their own in it. */
function launchBrowser(): Promise<Browser> {
  // Chromium's own sandbox needs a user that is not root; the pages that it opens are ours. Without WebGL terminals are drawn as elements of
  // the page, which tests can read.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Pages are drawn by the processor in any case. The watchdog would restart what draws them where the machine is busy.
  const flags = ['--disable-3d-apis', '--disable-gpu', '--disable-gpu-watchdog'];
  launched ??= chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...flags] });
  return launched;
}

// The tests' set-up imports this file in a process without tests.
if (process.env['NODE_TEST_CONTEXT']) after(async () => await (await launched)?.close());

/** Debian's Chromium, looking at a test server. Each page is a visitor of its own. What a page's script complains of fails the test that closes it. */
export class Visitors {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** A visitor who has just come: an empty browser at the address of the service. */
  async come(
    t: TestContext,
    { viewport = desktop, theme = 'light', language = 'en' }: PageOptions = {},
  ): Promise<Page> {
    const context = await (await launchBrowser()).newContext({
      viewport,
      baseURL: this.server.url,
      colorScheme: theme,
      locale: language === 'ru' ? 'ru-RU' : 'en-GB',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const complaints = listen(context, page);
    t.after(async () => {
      await context.close();
      assert.deepEqual(complaints, [], 'what the page complained of');
    });
    return page;
  }

  /** A visitor who is logged in, and sees the page at `path`. */
  async comeAs(t: TestContext, user: TestUser, path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.come(t, options);
    await this.openAs(page, user, path);
    return page;
  }

  /** Opens an address in an empty browser with a user's session, handed over as another tab would. */
  async openAs(page: Page, user: TestUser, path: string): Promise<void> {
    await handSession(page, this.server, user);
    await page.goto(path);
    // What stands around each page of somebody who is logged in.
    await page
      .locator('main#content')
      .waitFor()
      .catch(async (error: unknown) => {
        throw new Error(`${path} stays empty: ${await describePage(page)}`, { cause: error });
      });
  }
}

/** Fills the login form that is shown, in either language. */
export async function logIn(
  page: Page,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<void> {
  const form = page.locator('form');
  const name = form.locator('input[autocomplete=username]');
  if (await name.isEditable()) await name.fill(username);
  await form.locator('input[type=password]').fill(password);
  await form.locator('button[type=submit]').click();
}

/** What an empty page consists of, for the message of a failure: its elements, what it has loaded, and whether it is drawn. */
async function describePage(page: Page): Promise<string> {
  const described = page.evaluate(async () => ({
    url: location.href,
    body: document.body.innerHTML.slice(0, 500),
    loaded: performance.getEntriesByType('resource').map(({ name, duration }) => `${name} ${Math.round(duration)} ms`),
    isVisible: document.visibilityState,
    isDrawn: await new Promise((resolve) => {
      requestAnimationFrame(() => resolve(true));
      setTimeout(resolve, 2000, false);
    }),
  }));
  return await described.then(JSON.stringify, String);
}

/** Uncaught errors, and what a policy has blocked. Answers that say no are the pages' daily bread, and the browser logs each. */
function listen(context: BrowserContext, page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  return complaints;
}
