import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { lazyPart } from '../routing/lazy-part.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { Figures } from './figures.tsx';
import { NextSteps } from './next-steps.tsx';
import { analyticsQuery, shownDays } from './queries.ts';
import { Part, WholePage } from './whole-page.tsx';

// It shows Markdown, whose scripts are large.
const FromClasses = lazy(() => lazyPart(async () => (await import('./from-classes.tsx')).FromClasses));
const plots = () => lazyPart(async () => (await import('./plots.tsx')).Plots);
const Plots = lazy(plots);
/** Loads them before the page is shown. */
const Prepared = lazy(async () => {
  await plots();
  return { default: () => null };
});
const ActivityFeed = lazy(() => lazyPart(async () => (await import('./activity-feed.tsx')).ActivityFeed));
const OpenSessions = lazy(() => lazyPart(async () => (await import('./open-sessions.tsx')).OpenSessions));

/** Only the staff need it, so it is not part of the first load. The page does without it if it cannot be loaded. */
const ForStaff = lazy(async (): Promise<{ default: () => ReactNode }> => {
  const load = Promise.all([import('./for-staff.tsx'), loadStrings('staff')]);
  return await load.then(
    ([module]) => ({ default: module.ForStaff }),
    () => ({ default: () => null }),
  );
});

/** The start page: what runs, what is open and what comes next, then the news, the user's progress and activity. */
export function DashboardPage() {
  const t = useStrings();
  const user = useUser();
  // The plots measure themselves, so they are drawn when the page is shown; their data is not late then.
  useQuery(analyticsQuery(shownDays));
  return (
    <Page title={t.dashboard.greeting(user.full_name || user.username)} lead={t.dashboard.lead}>
      <WholePage>
        {(isShown) => (
          <>
            {user.role !== 'student' && (
              <Part>
                <ForStaff />
              </Part>
            )}
            <NextSteps>
              <Part>
                <OpenSessions />
              </Part>
            </NextSteps>
            <Part>
              <FromClasses />
            </Part>
            <Figures />
            <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <Part>{isShown ? <Plots /> : <Prepared />}</Part>
              <Part>
                <ActivityFeed />
              </Part>
            </div>
          </>
        )}
      </WholePage>
    </Page>
  );
}
