import { useSearch } from '@tanstack/react-router';
import type { Path, SearchOf } from './addresses.ts';
import { navigate } from './router.ts';

/** The values in the query string of the page, and a function that changes them. */
export function useAddress<To extends Path>(from: To) {
  const search = useSearch({ from } as never) as SearchOf<To>;
  const onSearch = (next: SearchOf<To>, replace = false): void =>
    navigate({ to: '.', search: next as never, replace, resetScroll: !replace });
  return { search, onSearch };
}

type Tabbed<To extends Path, Tab extends string> = Omit<Extract<SearchOf<To>, { tab?: Tab | undefined }>, 'tab'>;

/** As `useAddress`, for the values of a tab of the page. */
export function useTabAddress<To extends Path, const Tab extends string>(from: To, tab: Tab) {
  const { search: all, onSearch: change } = useAddress(from);
  const { tab: _tab, ...search } = all as { tab?: string };
  const onSearch = (next: Tabbed<To, Tab>, replace = false): void => change({ tab, ...next } as never, replace);
  return { search: search as Tabbed<To, Tab>, onSearch };
}
