import { createContext, useContext } from 'react';
import type { ParamsOf, Path, SearchOf } from './addresses.ts';
import { hrefOf, type Target } from './addresses.ts';
import type { LazyPage } from './lazy-page.ts';
import { goTo, type Place } from './place.ts';

/** The page that is shown, and all that there are. While another one is loading, it is the one before. */
export const PlaceContext = createContext<{ place: Place; pages: Record<Path, LazyPage> } | undefined>(undefined);

export function useShown(): { place: Place; pages: Record<Path, LazyPage> } {
  const shown = useContext(PlaceContext);
  if (!shown) throw new Error('There is no page outside PlaceContext');
  return shown;
}

function usePlaceOf(to: Path): Place {
  const { place } = useShown();
  if (place.to !== to) throw new Error(`The page of ${to} is shown at ${place.pathname}`);
  return place;
}

/** The parameters in the path of the page, for the page itself. */
export const useParams = <To extends Path>(to: To): ParamsOf<To> => usePlaceOf(to).params as ParamsOf<To>;

/** The parameters in the query string of the page, and a function that changes them. */
export function useAddress<To extends Path>(to: To) {
  const { search, params } = usePlaceOf(to);
  const onSearch = (next: SearchOf<To>, replace = false): void =>
    goTo(hrefOf({ to, params, search: next } as unknown as Target<To>), { replace });
  return { search: search as SearchOf<To>, onSearch };
}
