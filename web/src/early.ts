/**
 * The first script of the pages. It is small, so it runs while the others are still loading: it restores the session, loads the texts
 * and the page of this address, and requests the page's data.
 */
import { firstPageAt } from './first-pages.ts';
import { reloadOnNewVersion } from './routing/reload.ts';
import { session } from './session/session.ts';
import { loadStrings } from './strings/load-strings.ts';

reloadOnNewVersion();
const page = firstPageAt(location);
// The router loads the page as well, and shows a failure.
page?.load().catch(() => {});

async function restoreSession(): Promise<void> {
  await session.restore();
  // The document shows its login form, which the page of the login takes over.
  if (session.state.status === 'out' && location.pathname !== '/register')
    document.documentElement.dataset.first = 'login';
  session.askAhead(page?.requests ?? []);
}

/** The session is restored, and the texts of the first pages are loaded. */
export const isReady: Promise<unknown> = Promise.all([restoreSession(), loadStrings('first')]);
// main.tsx reports a failure, and may be loaded after it.
isReady.catch(() => {});
