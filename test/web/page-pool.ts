import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Language } from '../../web/src/strings/load-strings.ts';
import { within } from '../within.ts';
import { repeatInterrupted } from './interrupted-requests.ts';
import { endRest, isAtRest, putToRest, watchRequests } from './resting-page.ts';
import { slowContext, slowPage, timeFactor } from './slowness.ts';

export type PageOptions = {
  viewport?: { width: number; height: number };
  theme?: 'light' | 'dark';
  language?: Language;
  /** A page that no other test has used or will use, for a test of injected scripts, clocks, routed scripts or sockets. */
  isNew?: boolean;
  /** The pages may be loaded already, without a user, for `openAs`: see resting-page.ts. */
  mayRest?: boolean;
};

const locales = { en: 'en-GB', de: 'de-DE', ru: 'ru-RU' } satisfies Record<Language, string>;

/** Where the pages are, and their document, which can differ from service to service. */
export type Site = { address: string; document: string };
type Seat = { page: Page; site: Site; language: string };

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Milliseconds that a test waits for an element: on a busy machine the page of the API document alone takes half a minute. */
const patience = 90_000 * timeFactor;
const waiting: Seat[] = [];
/** The events that tests listen to. Playwright itself listens to others. */
const listenedTo = ['pageerror', 'request', 'requestfinished', 'requestfailed', 'dialog'];

/**
 * A page without storage or cookies. The first load in a new context costs a second of CPU time, most of it for the process and the
 * compilation of the scripts, and another load in the same context half of it. So a test returns its page for the next one.
 */
export async function takePage(browser: Browser, site: Site, options: PageOptions): Promise<Page> {
  const { viewport = desktop, theme = 'light', language = 'en', isNew = false, mayRest = false } = options;
  const media = { colorScheme: theme, reducedMotion: 'reduce' } as const;
  const seat = isNew ? undefined : takeSeat(site, language, mayRest);
  const mayStay = seat && (!isAtRest(seat.page) || (mayRest && seat.site.document === site.document));
  if (seat && (mayStay || (await inTime(emptyPage(seat.page, site))))) {
    await seat.page.setViewportSize(viewport);
    await seat.page.emulateMedia(media);
    return seat.page;
  }
  if (seat) await closeContext(seat.page.context());
  const context = await browser.newContext({ ...media, viewport, baseURL: site.address, locale: locales[language] });
  context.setDefaultTimeout(patience);
  if (browser.browserType().name() === 'chromium') await repeatInterrupted(context);
  await context.addInitScript(keepNotes);
  const page = await context.newPage();
  if (browser.browserType().name() === 'chromium') {
    await slowPage(page);
    slowContext(context);
  }
  if (!isNew) watchRequests(page);
  return page;
}

/**
 * Has the notes of a page stay until they are closed, as those below the pointer do. On a busy machine a test looks for one later
 * than it goes by itself.
 */
function keepNotes(): void {
  const keep = (): void => {
    const note = document.querySelector('li[data-swipe-direction]');
    note?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
  };
  new MutationObserver(keep).observe(document, { childList: true, subtree: true });
}

/** The page that was returned last, of those at rest or of the others where there are any. */
function takeSeat({ address }: Site, language: string, isResting: boolean): Seat | undefined {
  const seats = waiting.filter((seat) => seat.site.address === address && seat.language === language);
  const seat = seats.findLast(({ page }) => isAtRest(page) === isResting) ?? seats.at(-1);
  if (seat) waiting.splice(waiting.indexOf(seat), 1);
  return seat;
}

/**
 * Removes everything that a test left on a page, and keeps the page for the next test of the same service. A page that cannot be emptied
 * within `patience` is closed, and so is one that is not to be kept, as that of a failed test.
 */
export async function returnPage(
  page: Page,
  site: Site,
  { isKept, ...options }: PageOptions & { isKept: boolean },
): Promise<void> {
  const { language = 'en', isNew = false } = options;
  const isClean = !isNew && isKept && (await inTime(cleanPage(page, site)));
  if (!isClean) return await closeContext(page.context());
  // The pages at the address of a service that has ended are not used again.
  for (const seat of waiting.filter((one) => one.site.address !== site.address)) {
    waiting.splice(waiting.indexOf(seat), 1);
    await closeContext(seat.page.context());
  }
  waiting.push({ page, site, language });
}

/** Playwright itself waits without a limit for the answer of a page. @returns false for a failure as well */
const inTime = (work: Promise<boolean>): Promise<boolean> =>
  within(patience, 'emptying a page', work).catch(() => false);

/** @returns false if something of the test is left on the page */
async function cleanPage(page: Page, site: Site): Promise<boolean> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of listenedTo) page.removeAllListeners(event);
  watchRequests(page);
  context.removeAllListeners('console');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearPermissions();
  await context.clearCookies();
  await page.mouse.move(0, 0);
  return (await putToRest(page).catch(() => false)) || (await emptyPage(page, site));
}

/** Leaves the app. @returns false if something is left on the page */
async function emptyPage(page: Page, { address }: Site): Promise<boolean> {
  endRest(page);
  const context = page.context();
  try {
    // A page without scripts at the same address: another address would get another process.
    await page.goto('/healthz');
    const tools = await context.newCDPSession(page);
    await tools.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'all' });
    await tools.detach();
    await page.evaluate(() => sessionStorage.clear());
    return true;
  } catch {
    return false;
  }
}

/** A context that does not close is left to the end of the browser. */
/** A route that still fetches, such as an event stream, would fail another test when its page is gone. */
async function closeContext(context: BrowserContext): Promise<void> {
  const close = async () => {
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  await within(patience, 'closing a page', close()).catch(() => undefined);
}
