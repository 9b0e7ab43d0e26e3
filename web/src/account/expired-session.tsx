import { lazy, Suspense } from 'react';
import { useSession } from '../session/use-session.ts';

const SessionDialog = lazy(async () => ({ default: (await import('./session-dialog.tsx')).SessionDialog }));

/** Prompts a user whose token was refused to log in again, on top of the current page. */
export function ExpiredSession() {
  const state = useSession();
  if (state.status !== 'expired') return null;
  return (
    <Suspense>
      <SessionDialog user={state.user} />
    </Suspense>
  );
}
