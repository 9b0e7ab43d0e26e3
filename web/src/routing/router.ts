import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type NavigateOptions,
  type Route,
  redirect,
  type ShouldBlockFn,
  type ToOptions,
} from '@tanstack/react-router';
import { addresses, type Path } from './addresses.ts';
import { scrollers, selectorOf } from './scrollers.ts';

type Context = {
  /** Where a visitor is led instead of a page. */
  redirectFrom: (to: Path | undefined, href: string) => string | undefined;
};

/** What all pages stand in. src/shown-page.tsx says what it shows. */
export const rootRoute = createRootRouteWithContext<Context>()({
  beforeLoad: ({ location, context }) => {
    const href = context.redirectFrom(pathAt(location.pathname), location.href);
    if (href !== undefined) throw redirect({ href });
  },
});

type PageRoute<To extends Path> = Route<unknown, typeof rootRoute, To, To, To, To, (typeof addresses)[To]>;

const routes = Object.entries(addresses).map(([path, validateSearch]) => [
  path,
  createRoute({ getParentRoute: () => rootRoute, path, validateSearch }),
]);

/** The pages by their paths. Their types are those of the table of addresses, which a loop over it does not keep. */
export const pageRoutes = Object.fromEntries(routes) as { [To in Path]: PageRoute<To> };

/** Any other address. */
export const strayRoute = createRoute({ getParentRoute: () => rootRoute, path: '$' });

/** Gets what it shows from src/shown-page.tsx: it has to be there for all areas, and the pages are above them. */
export const router = createRouter({
  routeTree: rootRoute.addChildren({ ...pageRoutes, strayRoute }),
  context: { redirectFrom: () => undefined },
  // Text, as the readers of the addresses expect it. The library would otherwise write and read JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return query.size > 0 ? `?${query}` : '';
  },
  search: { strict: true },
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  // The page before stays meanwhile.
  defaultPendingMs: 1000,
  scrollRestoration: true,
  scrollToTopSelectors: scrollers.map(selectorOf),
  // A page scrolls to what an address names, once it has that.
  defaultHashScrollIntoView: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** The path of a route that is a page's. */
export const pathOf = (route: string | undefined): Path | undefined =>
  route !== undefined && route in addresses ? (route as Path) : undefined;

/** The page at an address. Undefined where there is none. */
export const pathAt = (href: string): Path | undefined =>
  pathOf(router.getMatchedRoutes(href.replace(/[?#].*/s, ''))[2]?.id);

/** Leads the user to a page. */
export const navigate = <const To extends string | undefined>(
  target: NavigateOptions<typeof router, string, To>,
): void => void router.navigate(target);

/** Whether the user leaves the page, and not only for a heading in it. For `useBlocker`. */
export const leavesPage: ShouldBlockFn = ({ current, next }) => current.pathname !== next.pathname;

/** The address of a page as text. */
export const hrefOf = <const To extends Path>(target: ToOptions<typeof router, string, To>): string =>
  router.buildLocation(target as ToOptions).href;

/**
 * Gives an entry of the history its key, by which its scroll position is kept, where a link within the page has made it. Those links are the
 * browser's own, because it leads the keyboard's place to their target as well.
 */
export function keepAnchors(): void {
  const keep = (event: Event): void => {
    if (history.state !== null) return;
    // To the router it would look like a step back to the first entry.
    event.stopImmediatePropagation();
    const { __TSR_index: index } = router.history.location.state;
    const state = { __TSR_index: index + 1, __TSR_key: String(Math.random()), __hashScrollIntoViewOptions: false };
    history.replaceState(state, '');
  };
  addEventListener('popstate', keep, { capture: true });
}
