import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okPage } from '../api/problem.ts';

export type Overview = Answer<'/api/instructor/overview'>;

/** Milliseconds between two polls of the overview. */
const overviewInterval = 30_000;

/** Who is stuck, what waits, what runs, what comes next. */
export const overviewQuery = queryOptions({
  queryKey: ['teaching', 'overview'],
  queryFn: ({ signal }) => ok(api.GET('/api/instructor/overview', { signal })),
  staleTime: 0,
  refetchInterval: overviewInterval,
});

/** How many lessons have no file. */
export const missingFileCountQuery = queryOptions({
  queryKey: ['lessons', 'missing-file-count'],
  queryFn: async ({ signal }) => {
    const params = { query: { page: 1, page_size: 1 } };
    return (await okPage(api.GET('/api/admin/lessons/missing-files', { params, signal }))).total;
  },
  retry: false,
});
