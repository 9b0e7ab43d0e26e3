import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { okPage } from './problem.ts';

/** Rows per page. */
export const pageSize = 50;

/** The query string of a list's URL: its filters, its order, and the page number from 1. */
export type ListSearch = {
  page?: number | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};
type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
type PageQuery<Search> = Given<Omit<Search, 'page'>> & { page: number; page_size: number };

/** The query string for a page of a list, without unset filters. */
export const pageQuery = <Search extends ListSearch>({ page = 1, ...filter }: Search): PageQuery<Search> => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Given<Omit<Search, 'page'>>), page, page_size: pageSize };
};

/** One page of a list. The previous page stays visible until it is loaded. */
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
