import { Outlet, useMatches } from '@tanstack/react-router';
import { Suspense } from 'react';
import { session } from './api/session.ts';
import { useSession } from './api/use-session.ts';
import { WithDemonstrationStrip } from './layout/demonstration.tsx';
import { PageCrash } from './layout/page-crash.tsx';
import { Shell } from './layout/shell.tsx';
import { maySee, pages, redirectFrom, roleFor } from './pages.ts';
import type { Path } from './routing/addresses.ts';
import { lazyPage } from './routing/lazy-page.ts';
import { keepAnchors, pageRoutes, pathOf, rootRoute, router, strayRoute } from './routing/router.ts';
import { LateScroll, scrollers } from './routing/scrollers.ts';
import { Loading } from './ui/states.tsx';

// Hardly anybody sees them.
const NotFound = lazyPage(() => import('./layout/no-page.tsx'), 'NotFound');
const Forbidden = lazyPage(() => import('./layout/no-page.tsx'), 'Forbidden');

/** The page of the address, within the frame of the pages that need a login. */
export function ShownPage() {
  const to = useMatches({ select: (matches) => pathOf(matches.at(-1)?.routeId) });
  const state = useSession();
  // The session has just ended, and the router is about to lead elsewhere.
  if (redirectFrom(to, '', state) !== undefined) return null;
  const content = maySee(to, state) ? (
    <Outlet />
  ) : (
    <Suspense fallback={<Loading />}>
      <Forbidden />
    </Suspense>
  );
  return (
    <WithDemonstrationStrip>
      {roleFor(to) === undefined ? content : <Shell>{content}</Shell>}
      {scrollers.map((id) => (
        <LateScroll key={id} id={id} />
      ))}
    </WithDemonstrationStrip>
  );
}

/** Has the router show the pages, and lead those elsewhere who need a session. */
export function showPages(): void {
  for (const [to, component] of Object.entries(pages)) pageRoutes[to as Path].update({ component });
  keepAnchors();
  strayRoute.update({ component: NotFound });
  rootRoute.update({ component: ShownPage });
  router.update({
    ...router.options,
    context: { redirectFrom: (to, href) => redirectFrom(to, href, session.state) },
    defaultErrorComponent: PageCrash,
    defaultPendingComponent: Loading,
  });
}
