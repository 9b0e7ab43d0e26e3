/**
 * The first script of the pages. It is small, so it runs while the others are still loading: it restores the session, loads the texts,
 * and requests the data of the page at this address.
 */
import { hasFrontPage } from './account/has-front-page.ts';
import { session } from './api/session.ts';
import { firstPageAt, frontPage } from './first-pages.ts';
import { loadStrings } from './strings/load-strings.ts';
import { listenForSearchKey } from './ui/search-key.ts';

listenForSearchKey();
const page = firstPageAt(location);
// The router loads the page as well, and shows a failure.
page?.load?.().catch(() => {});

async function restoreSession(): Promise<void> {
  await session.restore();
  const isOut = session.state.status === 'out';
  if (isOut && hasFrontPage && /^\/(welcome)?$/.test(location.pathname)) {
    frontPage.load?.().catch(() => {});
    session.prefetch(frontPage.requests);
    return;
  }
  // The document shows its login form, which the page of the login takes over.
  const { dataset } = document.documentElement;
  if (isOut && !('open' in dataset)) dataset.first = 'login';
  if (!isOut) session.prefetch(page?.requests ?? []);
}

/** The session is restored, and the texts of the first pages are loaded. */
export const isReady: Promise<unknown> = Promise.all([restoreSession(), loadStrings('first')]);
// main.tsx reports a failure, and may be loaded after it.
isReady.catch(() => {});
