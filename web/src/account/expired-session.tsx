import { lazy, Suspense } from 'react';
import { useSession } from '../session/use-session.ts';

const SessionDialog = lazy(async () => ({ default: (await import('./session-dialog.tsx')).SessionDialog }));

/** Asks a user whose token was refused to log in again, above whatever page they are on. */
export function ExpiredSession() {
  const state = useSession();
  if (state.status !== 'expired') return null;
  return (
    <Suspense>
      <SessionDialog user={state.user} />
    </Suspense>
  );
}
