import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ExpiredSession } from './account/expired-session.tsx';
import { dropAllDrafts } from './api/forgotten-drafts.ts';
import { Problem } from './api/problem.ts';
import { queryClient } from './api/query-client.ts';
import { session } from './api/session.ts';
import { isReady } from './early.ts';
import { RequiredFactor } from './profile/required-factor.tsx';
import { isReloading } from './routing/reload.ts';
import { router } from './routing/router.ts';
import { showPages } from './shown-page.tsx';
import { loadStrings } from './strings/load-strings.ts';
import { StringsProvider } from './strings/use-strings.tsx';
import { followSystem } from './ui/color-scheme.ts';
import { remember } from './ui/remember.ts';
import { Toasts } from './ui/toasts.tsx';

/** A page shows its error itself. Only mistakes of the pages are worth a line in the browser's log. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof Problem)) console.error(error);
}

const rememberLanguage = (language: string): void => remember('language', language);

/** Shows the pages. */
async function start(): Promise<void> {
  await isReady;
  const userId = (): number | undefined => {
    const { state } = session;
    return state.status === 'in' || state.status === 'expired' ? state.user.id : undefined;
  };
  // No data that one user has fetched is shown to the next.
  let lastUser = userId();
  session.subscribe(() => {
    const user = userId();
    if (user !== lastUser && lastUser !== undefined) {
      queryClient.clear();
      // Not for a session that is only lost: its user can log in again and continue.
      if (user === undefined) dropAllDrafts();
    }
    // Whoever has logged out is led elsewhere.
    if (user !== lastUser) void router.invalidate();
    lastUser = user;
  });
  followSystem();
  // The content of the document stays until there is a page to show.
  showPages();
  await router.load();
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <StringsProvider onChoice={rememberLanguage}>
        <QueryClientProvider client={queryClient}>
          <Toasts>
            <RouterProvider router={router} />
            <ExpiredSession />
            <RequiredFactor />
          </Toasts>
        </QueryClientProvider>
      </StringsProvider>
    </StrictMode>,
  );
  // What the first page did not need, but its errors can.
  if (userId() !== undefined) loadStrings('learning').catch(() => {});
}

// Not awaited: pages wait for this module, and it waits for the first page.
start().catch(async (error: unknown) => {
  if (await isReloading()) return;
  // document.js shows it.
  dispatchEvent(new Event('pages-failed'));
  if (!(error instanceof Problem)) throw error;
});
