import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

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
