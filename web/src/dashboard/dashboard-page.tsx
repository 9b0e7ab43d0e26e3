import { lazy, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../routing/lazy-part.ts';
import { useUser } from '../session/use-session.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { ActivityFeed } from './activity-feed.tsx';
import { Figures } from './figures.tsx';
import { NextSteps } from './next-steps.tsx';
import { Plots } from './plots.tsx';

// It shows Markdown, whose scripts are large.
const FromClasses = lazy(() => lazyPart(async () => (await import('./from-classes.tsx')).FromClasses));

/** Only the staff need it, so it is not part of the first load. The page does without it if it cannot be loaded. */
const ForStaff = lazy(async (): Promise<{ default: () => ReactNode }> => {
  const load = Promise.all([import('./for-staff.tsx'), loadStrings('staff')]);
  return await load.then(
    ([module]) => ({ default: module.ForStaff }),
    () => ({ default: () => null }),
  );
});

/** The start page: the next steps, the user's progress, and the user's activity. */
export function DashboardPage() {
  const t = useStrings();
  const user = useUser();
  return (
    <Page title={t.dashboard.greeting(user.full_name || user.username)} lead={t.dashboard.lead}>
      <Suspense>
        <FromClasses />
      </Suspense>
      {user.role !== 'student' && (
        <Suspense>
          <ForStaff />
        </Suspense>
      )}
      <NextSteps />
      <Figures />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Plots />
        <ActivityFeed />
      </div>
    </Page>
  );
}
