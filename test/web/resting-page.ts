import type { Page, Request } from 'playwright-core';
import type { TestServer, TestUser } from '../server.ts';
import { until } from '../until.ts';
import { changeNote, giveCookie } from './handed-session.ts';
import { timeFactor } from './slowness.ts';

/** An address without a page, where nothing is requested. */
const restPath = '/at-rest';

/** Pages that rest, which the next test may continue with. */
const resting = new WeakSet<Page>();
export const isAtRest = (page: Page): boolean => resting.has(page);
/** Called when something else is about to use the page. */
export const endRest = (page: Page): void => void resting.delete(page);

/** The requests of each page that are not answered yet. */
const underWay = new WeakMap<Page, Set<Request>>();
export const pendingRequests = (page: Page): Request[] => [...(underWay.get(page) ?? [])];

/** Counts the requests of a page from now on. */
export function watchRequests(page: Page): void {
  const requests = underWay.get(page) ?? new Set();
  underWay.set(page, requests);
  page.on('request', (request) => {
    // Chromium does not always report the end of the request for a worker's script: a page that has shown its text may have ended the worker.
    if (!/\/assets\/[\w-]*worker-[\w-]+\.js$/.test(request.url())) requests.add(request);
  });
  const forget = (request: Request): unknown => requests.delete(request);
  page.on('requestfinished', forget);
  page.on('requestfailed', forget);
}

/** Milliseconds for each step on the way to rest. */
const patience = 5000 * timeFactor;

/**
 * Ends the session of a loaded page as another tab would, and leaves the page without anything of its test, so that another user can continue
 * there without a load, which costs half a second of CPU time.
 * @returns false where something may be left: a page that is not the app, what was chosen for the browser
 * @throws where a request is not answered, or something does not go away
 */
export async function putToRest(page: Page): Promise<boolean> {
  if (!(await page.evaluate(mayRestInPage))) return false;
  await changeNote(page, null);
  await page.waitForFunction(() => !document.querySelector('[data-frame]'), undefined, { timeout: patience });
  await page.evaluate(goInPage, restPath);
  // Requests from before the end of the test still have their effects.
  await until(() => pendingRequests(page).length === 0, 'the last answers of a page', patience);
  await page.waitForFunction(isBareInPage, restPath, { timeout: patience });
  resting.add(page);
  return true;
}

/** Begins the session of a user on a page at rest, as another tab would, and opens a path with the app's own navigation. */
export async function continueAs(page: Page, server: TestServer, user: TestUser, path: string): Promise<void> {
  endRest(page);
  await giveCookie(page, server, user);
  const begun = page.waitForResponse((response) => response.url().endsWith('/api/auth/refresh'));
  await changeNote(page, user.id);
  await begun;
  await page.evaluate(goInPage, path);
  await page.waitForFunction(() => {
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    return document.querySelector('[data-frame]') && document.documentElement.dataset['theme'] === theme;
  });
}

/** Goes to another page as a link does. Unsaved changes of a page that has just been left no longer stop it in the next frame. */
export async function goInPage(path: string): Promise<void> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  // As the router does it, which listens to this.
  const { __TSR_index: index = 0 } = (history.state ?? {}) as { __TSR_index?: number };
  history.pushState({ __TSR_index: index + 1, __TSR_key: String(Math.random()) }, '', path);
}

/** @returns false where this is not the app, or where it has another theme or language than the browser */
function mayRestInPage(): boolean {
  const { dataset, lang } = document.documentElement;
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const language = navigator.language.split('-')[0];
  if (!document.querySelector('#root > :not(#start)') || dataset['theme'] !== theme || lang !== language) return false;
  return localStorage.getItem('theme') === null && localStorage.getItem('language') === null;
}

/** Whether only the page at rest is left, without notes. Closes those that are still there. */
function isBareInPage(path: string): boolean {
  for (const note of document.querySelectorAll('li[data-swipe-direction]'))
    [...note.querySelectorAll('button')].at(-1)?.click();
  localStorage.clear();
  sessionStorage.clear();
  getSelection()?.removeAllRanges();
  (document.activeElement as HTMLElement | null)?.blur();
  const left = document.querySelector(
    '[data-frame], [role=dialog], [role=alertdialog], li[data-swipe-direction], form',
  );
  return left === null && location.pathname === path;
}
