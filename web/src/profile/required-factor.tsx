import { lazy, Suspense } from 'react';
import { useSession } from '../api/use-session.ts';
import { neededPart } from '../routing/needed-part.ts';
import { loadStrings } from '../strings/load-strings.ts';

const RequiredFactorDialog = lazy(() =>
  neededPart(async () => {
    const [{ RequiredFactorDialog: dialog }] = await Promise.all([
      import('./required-factor-dialog.tsx'),
      loadStrings('learning'),
    ]);
    return dialog;
  }),
);

/** Leads a user whose role requires a second factor to set it up, on top of any page. */
export function RequiredFactor() {
  const state = useSession();
  if (state.status !== 'in' || !state.mustSetUp) return null;
  return (
    <Suspense>
      <RequiredFactorDialog />
    </Suspense>
  );
}
