import type { Browser, BrowserContext, Page } from 'playwright-core';
import { within } from '../within.ts';

export type PageOptions = {
  viewport?: { width: number; height: number };
  theme?: 'light' | 'dark';
  language?: 'en' | 'ru';
  /** A page that no other test has used or will use, for a test of service workers, injected scripts, clocks, routed scripts or sockets. */
  isNew?: boolean;
};

type Seat = { context: BrowserContext; page: Page; address: string; language: string };

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Milliseconds that a test waits for an element. Generous, because a passing test never waits that long. */
const patience = 20_000;
const waiting: Seat[] = [];
/** The events that tests listen to. Playwright itself listens to others. */
const listenedTo = ['pageerror', 'request', 'requestfinished', 'requestfailed', 'dialog'];

/**
 * An empty page without storage or cookies. The first load in a new context costs a second of CPU time, most of it for the process and
 * the compilation of the scripts. Another load in the same context costs 0.4 s, so a test returns its page for the next one.
 */
export async function takePage(browser: Browser, address: string, options: PageOptions): Promise<Page> {
  const { viewport = desktop, theme = 'light', language = 'en', isNew = false } = options;
  const media = { colorScheme: theme, reducedMotion: 'reduce' } as const;
  const place = isNew ? -1 : waiting.findIndex((seat) => seat.address === address && seat.language === language);
  const [seat] = place === -1 ? [] : waiting.splice(place, 1);
  if (seat) {
    await seat.page.setViewportSize(viewport);
    await seat.page.emulateMedia(media);
    return seat.page;
  }
  const locale = language === 'ru' ? 'ru-RU' : 'en-GB';
  const context = await browser.newContext({ ...media, viewport, baseURL: address, locale });
  context.setDefaultTimeout(patience);
  return await context.newPage();
}

/**
 * Removes everything that a test left on a page, and keeps the page for the next test of the same service. A page that cannot be emptied
 * within `patience` is closed. Playwright itself waits without a limit for the answer of a page.
 */
export async function returnPage(page: Page, address: string, options: PageOptions): Promise<void> {
  const { language = 'en', isNew = false } = options;
  const isEmpty = !isNew && (await within(patience, 'emptying a page', emptyPage(page, address)).catch(() => false));
  if (!isEmpty) return await closeContext(page.context());
  // The pages of a service that has ended are not used again.
  for (const seat of waiting.filter((one) => one.address !== address)) {
    waiting.splice(waiting.indexOf(seat), 1);
    await closeContext(seat.context);
  }
  waiting.push({ context: page.context(), page, address, language });
}

/** @returns false if something of the test is left on the page */
async function emptyPage(page: Page, address: string): Promise<boolean> {
  const context = page.context();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const event of listenedTo) page.removeAllListeners(event);
    context.removeAllListeners('console');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearPermissions();
    await page.mouse.move(0, 0);
    // A page without scripts at the same address: another address would get another process.
    await page.goto('/healthz');
    const tools = await context.newCDPSession(page);
    await tools.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'all' });
    await tools.detach();
    const workers = await page.evaluate(async () => {
      sessionStorage.clear();
      return (await navigator.serviceWorker.getRegistrations()).length;
    });
    await context.clearCookies();
    return workers === 0;
  } catch {
    return false;
  }
}

/** A context that does not close is left to the end of the browser. */
async function closeContext(context: BrowserContext): Promise<void> {
  await within(patience, 'closing a page', context.close()).catch(() => undefined);
}
