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
