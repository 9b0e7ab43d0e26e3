import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';
import { within } from '../within.ts';
import { frontDoor } from './front-door.ts';
import { handSession } from './handed-session.ts';
import { isNetworkChange } from './interrupted-requests.ts';
import { type PageOptions, returnPage, type Site, takePage } from './page-pool.ts';
import { continueAs, endRest, goInPage, isAtRest, putToRest } from './resting-page.ts';
import { slowAnswers } from './slowness.ts';

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
export function launchChromium(): Promise<Browser> {
  // Chromium's sandbox does not run as root, and the pages are our own. Without WebGL the terminal consists of elements, which tests can
  // read.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // There is no graphics processor. The watchdog would restart the drawing process on a busy machine.
  const flags = ['--disable-3d-apis', '--disable-gpu', '--disable-gpu-watchdog'];
  // No page lives long enough for its scripts to earn the time of the optimizing compilers: without them a test takes 8 % less.
  flags.push('--js-flags=--no-maglev --no-turbofan');
  launched ??= chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...flags] });
  return launched;
}

// The set-up of the tests also imports this file, in a process without tests.
if (process.env['NODE_TEST_CONTEXT']) {
  after(async () => {
    if (launched) await within(60_000, 'the end of the browser', (await launched).close());
  });
}

/** Visitors of a test server, in Chromium unless another browser is given. An error in the console of a page fails its test. */
export class Visitors {
  readonly server: TestServer;
  readonly #launch: () => Promise<Browser>;
  #document: Promise<string> | undefined;

  /** @param launch another browser, whose pages are opened with `isNew` */
  constructor(server: TestServer, launch = launchChromium) {
    this.server = server;
    this.#launch = launch;
  }

  /** A visitor without a session, on an empty page. */
  async come(t: TestContext, options: PageOptions = {}): Promise<Page> {
    slowAnswers(this.server);
    const site = options.isNew ? { address: this.server.url, document: '' } : await this.#enter();
    const page = await takePage(await this.#launch(), site, options);
    const complaints = listen(page.context(), page);
    t.after(async () => {
      const found = [...complaints];
      // Node's types lack it.
      const { passed } = t as TestContext & { passed: boolean };
      // A page of a service that has ended would wait for its answers.
      const isKept = passed && found.length === 0 && !this.server.hasEnded;
      if (!passed) t.diagnostic(await within(10_000, 'the description of a page', describePage(page)).catch(String));
      await returnPage(page, site, { ...options, isKept });
      assert.deepEqual(found, [], 'errors in the console of the page');
    });
    return page;
  }

  /** Leads the browser to this server. */
  async #enter(): Promise<Site> {
    this.#document ??= fetch(this.server.url).then((answer) => answer.text());
    const { url, urls } = this.server;
    return { address: urls.length > 1 ? url : await frontDoor.leadTo(this.server), document: await this.#document };
  }

  /**
   * A visitor with a session, on the page at `path`. Where the test before has left the pages loaded, they are not loaded again. A test of
   * a first load uses `come` and `openAs`.
   */
  async comeAs(t: TestContext, user: TestUser, path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await this.come(t, { mayRest: true, ...options });
    await this.openAs(page, user, path);
    return page;
  }

  /**
   * Opens a path with the session of a user, which the browser has as from another tab. A page that is loaded is not loaded again: its
   * session ends, also that of the same user, with all that it has fetched and remembered.
   */
  async openAs(page: Page, user: TestUser, path: string): Promise<void> {
    if (isAtRest(page) || (await putToRest(page))) return await continueAs(page, this.server, user, path);
    await handSession(page, this.server, user);
    await page.goto(path).catch(async (error: unknown) => {
      if (!isNetworkChange(error)) throw error;
      await page.goto(path);
    });
    // Every page of a logged-in user has this element.
    await page
      .locator('main#content')
      .waitFor()
      .catch(async (error: unknown) => {
        throw new Error(`${path} stays empty: ${await describePage(page)}`, { cause: error });
      });
  }
}

/** Ends the session on a page as another tab would, and goes to a path. Unlike a log-out by the user, this revokes no token. */
export async function goOut(page: Page, path: string): Promise<void> {
  if (!(await putToRest(page))) throw new Error(`${page.url()} is not a page whose session can be ended`);
  endRest(page);
  await goTo(page, path);
}

/** Goes to a path as a link does. The pages are not loaded again, and what they have just fetched is not fetched again. */
export const goTo = (page: Page, path: string): Promise<void> => page.evaluate(goInPage, path);

/** Answers a question by its button. Its dialog is closed afterwards: while it is open, roles behind it are not found, also those that are still there. */
export async function answer(page: Page, name: string | RegExp): Promise<void> {
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name }).click();
  await question.waitFor({ state: 'detached' });
}

/** Fills and sends the login form, in any language. */
export async function logIn(
  page: Page,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<void> {
  const form = page.locator('form');
  const name = form.locator('input[autocomplete~=username]');
  if (await name.isEditable()) await name.fill(username);
  await form.locator('input[type=password]').fill(password);
  await form.locator('button[type=submit]').click();
}

/** Describes a page for the message of a failure: what it shows and has loaded, its fields, and whether it is drawn. */
async function describePage(page: Page): Promise<string> {
  const describing = page.evaluate(async () => ({
    url: location.href,
    focused: document.activeElement?.outerHTML.slice(0, 200),
    fields: [...document.querySelectorAll('input, select, textarea')].map((element) => {
      const { name, value, validationMessage } = element as HTMLInputElement;
      return `${name}=${value.slice(0, 100)} ${validationMessage}`;
    }),
    loaded: (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .slice(-20)
      .map(({ name, duration, responseStatus }) => `${name} ${responseStatus} ${Math.round(duration)} ms`),
    isVisible: document.visibilityState,
    isDrawn: await new Promise((resolve) => {
      requestAnimationFrame(() => resolve(true));
      setTimeout(resolve, 2000, false);
    }),
  }));
  // At once: it fails when the page is closed meanwhile.
  const described = describing.then(JSON.stringify, String);
  const shown = await page.locator('body').ariaSnapshot({ timeout: 2000 }).catch(String);
  return `${await described}\n${shown.slice(0, 5000)}`;
}

/**
 * What the browser logs for requests that fail: of the page, and of its WebSockets while a test has taken it offline or stopped the service.
 */
const failedRequests = [
  'Failed to load resource',
  'net::ERR_INTERNET_DISCONNECTED',
  'Error in connection establishment: net::ERR_CONNECTION_REFUSED',
  // The engine has made or removed a network while a terminal connected, which tries again.
  'Error in connection establishment: net::ERR_NETWORK_CHANGED',
  'An unknown error occurred when fetching the script',
  // Over plain HTTP.
  'The Cross-Origin-Opener-Policy header has been ignored',
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
