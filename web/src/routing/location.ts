import { addresses, hrefOf, matchPath, type Path, type Target } from './addresses.ts';
import { keepScroll } from './scroll.ts';

/** Where the user is. */
export type Location = {
  href: string;
  pathname: string;
  /** The page. Undefined where there is none at this address. */
  to: Path | undefined;
  params: Record<string, string>;
  search: object;
  /** The number of the entry in the browser's history. */
  index: number;
  /** How the user came here. */
  way: 'forward' | 'replaced' | 'through-history';
};
/** Receives what continues a navigation that was stopped. */
type Blocker = (proceed: () => void) => void;

const indexOf = (state: unknown): number | undefined => {
  const index = (state as { index?: unknown } | null)?.index;
  return typeof index === 'number' ? index : undefined;
};

function read(index: number, way: Location['way']): Location {
  const { pathname, search, hash } = location;
  const found = matchPath(pathname);
  return {
    href: pathname + search + hash,
    pathname,
    to: found?.to,
    params: found?.params ?? {},
    search: found ? addresses[found.to](new URLSearchParams(search)) : {},
    index,
    way,
  };
}

let current = read(indexOf(history.state) ?? 0, 'through-history');
let blocker: Blocker | undefined;
/** A step through the history that this module itself has taken, and that is to be ignored. */
let isOwnStep = false;
/** A step through the history that the user has confirmed. */
let isConfirmed = false;
const listeners = new Set<() => void>();

export const currentLocation = (): Location => current;

export function subscribeToLocation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stops navigations and hands them over, until the returned function is called. */
export function blockNavigation(ask: Blocker): () => void {
  blocker = ask;
  return () => {
    if (blocker === ask) blocker = undefined;
  };
}

function arrive(index: number, way: Location['way']): void {
  current = read(index, way);
  for (const listener of listeners) listener();
}

type Options = { replace?: boolean; ignoreBlocker?: boolean };

/** Goes to a page, or to a path of this site with its query and its fragment. */
export function navigate<To extends Path>(
  target: Target<To> | string,
  { replace = false, ignoreBlocker = false }: Options = {},
): void {
  const href = typeof target === 'string' ? target : hrefOf(target);
  if (blocker && !ignoreBlocker) {
    blocker(() => navigate(href, { replace, ignoreBlocker: true }));
    return;
  }
  keepScroll(current.index, replace ? 'stays' : 'forward');
  const index = current.index + (replace ? 0 : 1);
  if (replace) history.replaceState({ index }, '', href);
  else history.pushState({ index }, '', href);
  arrive(index, replace ? 'replaced' : 'forward');
}

addEventListener('popstate', ({ state }) => {
  if (isOwnStep) {
    isOwnStep = false;
    return;
  }
  const known = indexOf(state);
  // A link to a heading in the page makes an entry without a number.
  const index = known ?? current.index + 1;
  if (known === undefined) history.replaceState({ index }, '');
  const steps = index - current.index;
  if (blocker && !isConfirmed && steps !== 0) {
    isOwnStep = true;
    history.go(-steps);
    blocker(() => {
      isConfirmed = true;
      history.go(steps);
    });
    return;
  }
  isConfirmed = false;
  keepScroll(current.index, known === undefined ? 'forward' : 'stays');
  arrive(index, 'through-history');
});

if (indexOf(history.state) === undefined) history.replaceState({ index: current.index }, '');
