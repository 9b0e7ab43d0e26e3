import { lazy, Suspense } from 'react';
import { session } from '../api/session.ts';
import { useSession } from '../api/use-session.ts';
import { neededPart } from '../routing/needed-part.ts';

const SessionDialog = lazy(() => neededPart(async () => (await import('./session-dialog.tsx')).SessionDialog));

const ReplacedDialog = lazy(() => neededPart(async () => (await import('./replaced-dialog.tsx')).ReplacedDialog));

/**
 * Prompts a user whose token was refused to log in again, on top of the current page. Tells a user that this browser is logged in as another
 * one since.
 */
export function ExpiredSession() {
  const state = useSession();
  if (state.status === 'in' && state.isReplaced)
    return (
      <Suspense>
        <ReplacedDialog user={state.user} onStay={() => session.stay()} />
      </Suspense>
    );
  if (state.status !== 'expired') return null;
  return (
    <Suspense>
      <SessionDialog user={state.user} />
    </Suspense>
  );
}
