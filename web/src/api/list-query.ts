import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { okPage } from './problem.ts';

/** Rows a page. */
export const pageSize = 25;

/** What the address of a list says: its filters, and the page from 1. */
export type ListSearch = { page?: number | undefined };
type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
type PageQuery<Search> = Given<Omit<Search, 'page'>> & { page: number; page_size: number };

/** The query string for a page of a list, without the filters that are not set. */
export const pageQuery = <Search extends ListSearch>({ page = 1, ...filter }: Search): PageQuery<Search> => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Given<Omit<Search, 'page'>>), page, page_size: pageSize };
};

/** One page of a list. The page before stays visible until it is there. */
export const listQuery = <Search extends ListSearch, Row>(
  key: readonly string[],
  search: Search,
  fetch: (options: { params: { query: PageQuery<Search> }; signal: AbortSignal }) => Parameters<typeof okPage<Row>>[0],
) =>
  queryOptions({
    queryKey: [...key, search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => okPage(fetch({ params: { query: pageQuery(search) }, signal })),
  });
