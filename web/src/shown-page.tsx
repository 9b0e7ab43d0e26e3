import {
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useTransition,
} from 'react';
import { session } from './api/session.ts';
import { useSession } from './api/use-session.ts';
import { WithDemonstrationStrip } from './layout/demonstration.tsx';
import { PageBoundary } from './layout/page-boundary.tsx';
import { Shell } from './layout/shell.tsx';
import { maySee, pages, redirectFrom, roleFor } from './pages.ts';
import type { LazyPage } from './routing/lazy-page.ts';
import { lazyPart } from './routing/lazy-part.ts';
import { currentLocation, type Location, navigate, subscribeToLocation } from './routing/location.ts';
import { LocationContext } from './routing/location-context.ts';
import { restoreScroll, scrollToTop } from './routing/scroll.ts';
import { Loading } from './ui/states.tsx';

/** Milliseconds for which the page before stays while the next one is loading. */
const patience = 1000;

/** Loads the page of the address, or the one that the user is led to. A failure is shown instead of the page. */
export async function loadFirstPage(): Promise<void> {
  const elsewhere = redirectFrom(currentLocation(), session.state);
  if (elsewhere !== undefined) navigate(elsewhere, { replace: true });
  const { to } = currentLocation();
  if (to !== undefined && maySee(to, session.state)) await pages[to].load().catch(() => {});
}

// Hardly anybody sees them.
const NotFound = lazy(() => lazyPart(async () => (await import('./layout/no-page.tsx')).NotFound));
const Forbidden = lazy(() => lazyPart(async () => (await import('./layout/no-page.tsx')).Forbidden));

/** The page of the address, within the frame of the pages that need a login. */
export function ShownPage() {
  const location = useLoadedLocation();
  useScroll(location);
  const shown = useMemo(() => ({ location, pages }), [location]);
  const needsLogin = roleFor(location.to) !== undefined;
  const state = useSession();
  const isRedirected = redirectFrom(location, state) !== undefined;
  const page = location.to && pages[location.to];
  const content = (
    <PageBoundary location={location} onFailure={() => page?.forgetFailure()}>
      <Suspense fallback={<Loading />}>
        {page === undefined ? (
          <NotFound />
        ) : maySee(location.to, state) ? (
          <Loaded key={location.to} page={page} />
        ) : (
          <Forbidden />
        )}
      </Suspense>
    </PageBoundary>
  );
  if (isRedirected) return null;
  return (
    <LocationContext value={shown}>
      <WithDemonstrationStrip>{needsLogin ? <Shell>{content}</Shell> : content}</WithDemonstrationStrip>
    </LocationContext>
  );
}

function Loaded({ page }: { page: LazyPage }): ReactNode {
  const Page = page.component ?? use(page.load());
  return <Page />;
}

/** The location that the user has gone to, once its page is loaded. A visitor who needs a session is led elsewhere. */
function useLoadedLocation(): Location {
  const [location, setPlace] = useState(currentLocation);
  const [isLoading, startLoading] = useTransition();
  const elsewhere = redirectFrom(location, useSession());
  useEffect(() => {
    const follow = (): void => startLoading(() => setPlace(currentLocation()));
    follow();
    return subscribeToLocation(follow);
  }, []);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setPlace(currentLocation()), patience);
    return () => clearTimeout(timer);
  }, [isLoading]);
  useLayoutEffect(() => {
    if (elsewhere === undefined) return;
    navigate(elsewhere, { replace: true, ignoreBlocker: true });
    // At once: there is no page to keep meanwhile.
    setPlace(currentLocation());
  }, [elsewhere]);
  return location;
}

function useScroll({ index, way }: Location): void {
  useLayoutEffect(() => {
    if (way === 'forward') scrollToTop();
    if (way === 'through-history') restoreScroll(index);
  }, [index, way]);
}
