import { createContext, useContext } from 'react';
import { hrefOf, type ParamsOf, type Path, type SearchOf, type Target } from './addresses.ts';
import type { LazyPage } from './lazy-page.ts';
import { type Location, navigate } from './location.ts';

/** The page that is shown, and all that there are. While another one is loading, it is the one before. */
export const LocationContext = createContext<{ location: Location; pages: Record<Path, LazyPage> } | undefined>(
  undefined,
);

export function useShown(): { location: Location; pages: Record<Path, LazyPage> } {
  const shown = useContext(LocationContext);
  if (!shown) throw new Error('There is no page outside LocationContext');
  return shown;
}

function useLocationOf(to: Path): Location {
  const { location } = useShown();
  if (location.to !== to) throw new Error(`The page of ${to} is shown at ${location.pathname}`);
  return location;
}

/** The parameters in the path of the page, for the page itself. */
export const useParams = <To extends Path>(to: To): ParamsOf<To> => useLocationOf(to).params as ParamsOf<To>;

/** The parameters in the query string of the page, and a function that changes them. */
export function useAddress<To extends Path>(to: To) {
  const { search, params } = useLocationOf(to);
  const onSearch = (next: SearchOf<To>, replace = false): void =>
    navigate(hrefOf({ to, params, search: next } as unknown as Target<To>), { replace });
  return { search: search as SearchOf<To>, onSearch };
}
