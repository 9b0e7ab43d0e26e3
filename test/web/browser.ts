import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';
import { within } from '../within.ts';
import { handSession } from './handed-session.ts';
import { type PageOptions, returnPage, takePage } from './page-pool.ts';

// The headless shell first: it takes two thirds of the time for a page.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
export const executablePath =
  process.env['CHROMIUM'] ?? programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** For `describe`'s `skip`: why tests of the pages cannot run here, or false. */
export const browserSkip: string | false = executablePath
  ? false
  : 'there is no Chromium (install the package chromium-headless-shell)';

let launched: Promise<Browser> | undefined;

/** One browser for all test files of a process. Visitors at the same time have separate contexts. */
function launchBrowser(): Promise<Browser> {
  // Chromium's sandbox does not run as root, and the pages are our own. Without WebGL the terminal consists of elements, which tests can
  // read.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // There is no graphics processor. The watchdog would restart the drawing process on a busy machine.
  const flags = ['--disable-3d-apis', '--disable-gpu', '--disable-gpu-watchdog'];
  launched ??= chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...flags] });
  return launched;
}

// The set-up of the tests also imports this file, in a process without tests.
if (process.env['NODE_TEST_CONTEXT']) {
  after(async () => {
    if (launched) await within(60_000, 'the end of the browser', (await launched).close());
  });
}

/** Visitors of a test server in Chromium. An error in the console of a page fails its test. */
export class Visitors {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** A visitor without a session, on an empty page. */
  async come(t: TestContext, options: PageOptions = {}): Promise<Page> {
    const page = await takePage(await launchBrowser(), this.server.url, options);
    const complaints = listen(page.context(), page);
    t.after(async () => {
      const found = [...complaints];
      await returnPage(page, this.server.url, options);
      assert.deepEqual(found, [], 'errors in the console of the page');
    });
    return page;
  }

  /** A visitor with a session, on the page at `path`. */
  async comeAs(t: TestContext, user: TestUser, path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.come(t, options);
    await this.openAs(page, user, path);
    return page;
  }

  /** Opens a path with the session of a user. The page receives the session as from another tab. */
  async openAs(page: Page, user: TestUser, path: string): Promise<void> {
    await handSession(page, this.server, user);
    await page.goto(path);
    // Every page of a logged-in user has this element.
    await page
      .locator('main#content')
      .waitFor()
      .catch(async (error: unknown) => {
        throw new Error(`${path} stays empty: ${await describePage(page)}`, { cause: error });
      });
  }
}

/** Fills and sends the login form, in either language. */
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

/** Describes an empty page for the message of a failure: its elements, what it has loaded, and whether it is drawn. */
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

/**
 * What the browser logs for requests that fail: of the page, and of its WebSockets and service worker while a test has taken it offline or
 * stopped the service.
 */
const failedRequests = [
  'Failed to load resource',
  'net::ERR_INTERNET_DISCONNECTED',
  'Error in connection establishment: net::ERR_CONNECTION_REFUSED',
  'An unknown error occurred when fetching the script',
];

/** Uncaught errors and violations of the policy. Failed requests are omitted: the browser logs every refusal of the service. */
function listen(context: BrowserContext, page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  context.on('console', (message) => {
    const text = message.text();
    const isRequest = failedRequests.some((part) => text.includes(part));
    if (message.type() === 'error' && !isRequest) complaints.push(text);
  });
  return complaints;
}
