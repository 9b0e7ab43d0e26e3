import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { useUser } from '../api/use-session.ts';
import { lazyPart } from '../routing/lazy-part.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/states.tsx';
import { Next } from './next.tsx';
import { analyticsQuery, hasLearned, shownDays, statsQuery } from './queries.ts';

// What no other page of the first ones shares is not part of the first load.
const Now = lazy(() => lazyPart(async () => (await import('./now.tsx')).Now));
const Agenda = lazy(() => lazyPart(async () => (await import('./agenda.tsx')).Agenda));
const UnreadAnnouncements = lazy(() =>
  lazyPart(async () => (await import('../announcements/unread-announcements.tsx')).UnreadAnnouncements),
);
const plots = () => lazyPart(async () => (await import('./plots.tsx')).Plots);
const Plots = lazy(plots);
/** Loads them before the page is shown. */
const Prepared = lazy(async () => {
  await plots();
  return { default: () => null };
});
const ActivityFeed = lazy(() => lazyPart(async () => (await import('./activity-feed.tsx')).ActivityFeed));

/** Only the staff need it, so it is not part of the first load. The page does without it if it cannot be loaded. */
const ForStaff = lazy(async (): Promise<{ default: () => ReactNode }> => {
  const load = Promise.all([import('./for-staff.tsx'), loadStrings('staff')]);
  return await load.then(
    ([module]) => ({ default: module.ForStaff }),
    () => ({ default: () => null }),
  );
});

/** The start page: what runs now, for the staff their work, what comes next and is due, the news, and what the user has learned. */
export function DashboardPage() {
  const t = useStrings();
  const user = useUser();
  return (
    <Page title={t.dashboard.greeting(user.full_name || user.username)}>
      <WholePage>
        {(isShown) => (
          <>
            <Part>
              <Now />
            </Part>
            {user.role !== 'student' && (
              <Part>
                <ForStaff />
              </Part>
            )}
            <Next />
            <Part>
              <Agenda />
            </Part>
            <Part>
              <UnreadAnnouncements />
            </Part>
            <Learned isShown={isShown} />
          </>
        )}
      </WholePage>
    </Page>
  );
}

/** What the user has learned, in numbers, plots and entries. Nothing, where that is nothing yet. */
function Learned({ isShown }: { isShown: boolean }) {
  const { data: stats } = useQuery(statsQuery);
  // The plots measure themselves, so they are drawn when the page is shown; their data is not late then.
  useQuery(analyticsQuery(shownDays));
  if (!stats || !hasLearned(stats)) return null;
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Part>{isShown ? <Plots stats={stats} /> : <Prepared />}</Part>
      <Part>
        <ActivityFeed />
      </Part>
    </div>
  );
}

/** Milliseconds after which the page is shown without what is still missing. */
const patience = 3000;
/** Queries without an answer, of any part of the page. */
const unanswered = { predicate: ({ state }: { state: { status: string } }) => state.status === 'pending' };

type Count = (change: 1 | -1) => void;
const Waiting = createContext<Count>(() => {});

/**
 * Shows its parts together, once each has its script and its data: parts that appear one after the other would move those below them under
 * the reader's eyes.
 */
function WholePage({ children }: { children: (isShown: boolean) => ReactNode }) {
  const client = useQueryClient();
  // On the way back to it, the page has its data.
  const [isShown, setShown] = useState(() => client.getQueryData(statsQuery.queryKey) !== undefined);
  const [scripts, setScripts] = useState(0);
  const [count] = useState((): Count => (change) => setScripts((before) => before + change));
  const fetching = useIsFetching(unanswered);
  // The effects of the parts, which begin their requests, run before this one.
  useEffect(() => {
    if (scripts === 0 && fetching === 0 && client.isFetching(unanswered) === 0) setShown(true);
  }, [scripts, fetching, client]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Waiting value={count}>
      {!isShown && <Loading rows={6} className="h-24" />}
      <div hidden={!isShown} className={isShown ? 'contents' : undefined}>
        {children(isShown)}
      </div>
    </Waiting>
  );
}

/** A part of the page whose script is loaded after the page. */
const Part = ({ children }: { children: ReactNode }) => <Suspense fallback={<Awaited />}>{children}</Suspense>;

function Awaited(): ReactNode {
  const count = useContext(Waiting);
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, [count]);
  return null;
}
