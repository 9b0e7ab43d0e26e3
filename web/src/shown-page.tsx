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
import { currentPlace, goTo, type Place, subscribeToPlace } from './routing/place.ts';
import { PlaceContext } from './routing/place-context.ts';
import { restoreScroll, scrollToTop } from './routing/scroll.ts';
import { Loading } from './ui/states.tsx';

/** Milliseconds for which the page before stays while the next one is loading. */
const patience = 1000;

/** Loads the page of the address, or the one that the user is led to. A failure is shown in the place of the page. */
export async function loadFirstPage(): Promise<void> {
  const elsewhere = redirectFrom(currentPlace(), session.state);
  if (elsewhere !== undefined) goTo(elsewhere, { replace: true });
  const { to } = currentPlace();
  if (to !== undefined && maySee(to, session.state)) await pages[to].load().catch(() => {});
}

// Hardly anybody sees them.
const NotFound = lazy(() => lazyPart(async () => (await import('./layout/no-page.tsx')).NotFound));
const Forbidden = lazy(() => lazyPart(async () => (await import('./layout/no-page.tsx')).Forbidden));

/** The page of the address, within the frame of the pages that need a login. */
export function ShownPage() {
  const place = useLoadedPlace();
  useScroll(place);
  const shown = useMemo(() => ({ place, pages }), [place]);
  const needsLogin = roleFor(place.to) !== undefined;
  const state = useSession();
  const isRedirected = redirectFrom(place, state) !== undefined;
  const page = place.to && pages[place.to];
  const content = (
    <PageBoundary place={place} onFailure={() => page?.forgetFailure()}>
      <Suspense fallback={<Loading />}>
        {page === undefined ? (
          <NotFound />
        ) : maySee(place.to, state) ? (
          <Loaded key={place.to} page={page} />
        ) : (
          <Forbidden />
        )}
      </Suspense>
    </PageBoundary>
  );
  if (isRedirected) return null;
  return (
    <PlaceContext value={shown}>
      <WithDemonstrationStrip>{needsLogin ? <Shell>{content}</Shell> : content}</WithDemonstrationStrip>
    </PlaceContext>
  );
}

function Loaded({ page }: { page: LazyPage }): ReactNode {
  const Page = page.component ?? use(page.load());
  return <Page />;
}

/** The place that the user has gone to, once its page is loaded. A visitor who needs a session is led elsewhere. */
function useLoadedPlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  const [isLoading, startLoading] = useTransition();
  const elsewhere = redirectFrom(place, useSession());
  useEffect(() => {
    const follow = (): void => startLoading(() => setPlace(currentPlace()));
    follow();
    return subscribeToPlace(follow);
  }, []);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setPlace(currentPlace()), patience);
    return () => clearTimeout(timer);
  }, [isLoading]);
  useLayoutEffect(() => {
    if (elsewhere === undefined) return;
    goTo(elsewhere, { replace: true, ignoreBlocker: true });
    // At once: there is no page to keep meanwhile.
    setPlace(currentPlace());
  }, [elsewhere]);
  return place;
}

function useScroll({ index, way }: Place): void {
  useLayoutEffect(() => {
    if (way === 'forward') scrollToTop();
    if (way === 'through-history') restoreScroll(index);
  }, [index, way]);
}
