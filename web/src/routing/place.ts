import { addresses, hrefOf, matchPath, type Path, type Target } from './addresses.ts';
import { keepScroll } from './scroll.ts';

/** Where the user is. */
export type Place = {
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

function read(index: number, way: Place['way']): Place {
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

let place = read(indexOf(history.state) ?? 0, 'through-history');
let blocker: Blocker | undefined;
/** A step through the history that this module itself has taken, and that is to be ignored. */
let isOwnStep = false;
/** A step through the history that the user has confirmed. */
let isConfirmed = false;
const listeners = new Set<() => void>();

export const currentPlace = (): Place => place;

export function subscribeToPlace(listener: () => void): () => void {
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

function arrive(index: number, way: Place['way']): void {
  place = read(index, way);
  for (const listener of listeners) listener();
}

type Options = { replace?: boolean; ignoreBlocker?: boolean };

/** Goes to a path of this site, with its query and its fragment. */
export function goTo(href: string, { replace = false, ignoreBlocker = false }: Options = {}): void {
  if (blocker && !ignoreBlocker) {
    blocker(() => goTo(href, { replace, ignoreBlocker: true }));
    return;
  }
  keepScroll(place.index, replace ? 'stays' : 'forward');
  const index = place.index + (replace ? 0 : 1);
  if (replace) history.replaceState({ index }, '', href);
  else history.pushState({ index }, '', href);
  arrive(index, replace ? 'replaced' : 'forward');
}

/** Goes to a page. */
export function navigate<To extends Path>({ replace, ignoreBlocker, ...target }: Target<To> & Options): void {
  goTo(hrefOf(target as unknown as Target<To>), {
    ...(replace === undefined ? {} : { replace }),
    ...(ignoreBlocker === undefined ? {} : { ignoreBlocker }),
  });
}

addEventListener('popstate', ({ state }) => {
  if (isOwnStep) {
    isOwnStep = false;
    return;
  }
  const known = indexOf(state);
  // A link to a place in the page makes an entry without a number.
  const index = known ?? place.index + 1;
  if (known === undefined) history.replaceState({ index }, '');
  const steps = index - place.index;
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
  keepScroll(place.index, known === undefined ? 'forward' : 'stays');
  arrive(index, 'through-history');
});

if (indexOf(history.state) === undefined) history.replaceState({ index: place.index }, '');
