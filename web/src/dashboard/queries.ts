import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okPage } from '../api/problem.ts';

export type Stats = Answer<'/api/dashboard/stats'>;
export type Activity = Answer<'/api/dashboard/activity'>[number];
export type Analytics = Answer<'/api/dashboard/analytics'>;

const activityPage = 10;

export const statsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: ({ signal }) => ok(api.GET('/api/dashboard/stats', { signal })),
});

export const firstStepsQuery = queryOptions({
  queryKey: ['dashboard', 'first-steps'],
  queryFn: ({ signal }) => ok(api.GET('/api/first-steps', { signal })),
  // They are done on other pages.
  staleTime: 0,
});

/** The days that are plotted first. */
export const shownDays = 30;

/** As many days as the service counts. */
const maxDays = 365;

/** The days of a period, and those of the same length before it, where the service counts them. */
export const analyticsQuery = (period: number) =>
  queryOptions({
    queryKey: ['dashboard', 'analytics', period],
    queryFn: async ({ signal }) => {
      const query = { days: Math.min(maxDays, 2 * period) };
      const { days, scores, courses } = await ok(api.GET('/api/dashboard/analytics', { params: { query }, signal }));
      const shown = days.slice(-period);
      const first = shown[0]?.date ?? '';
      return {
        days: shown,
        before: days.length < 2 * period ? undefined : days.slice(0, period),
        scores: scores.filter(({ submitted_at }) => submitted_at >= first),
        courses,
      };
    },
    placeholderData: keepPreviousData,
  });

export const activityQuery = infiniteQueryOptions({
  queryKey: ['dashboard', 'activity'],
  queryFn: ({ pageParam: page, signal }) =>
    okPage(api.GET('/api/dashboard/activity', { params: { query: { page, page_size: activityPage } }, signal })),
  initialPageParam: 1,
  getNextPageParam: ({ hasNext }, _pages, page) => (hasNext ? page + 1 : undefined),
});

/** Milliseconds between two polls of the service's state on the start page. */
const systemInterval = 30_000;

export const systemQuery = queryOptions({
  queryKey: ['administration', 'system'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/system', { signal })),
  refetchInterval: systemInterval,
});

/** Whether the user has learned anything yet. Without it there is nothing to plot. */
export const hasLearned = (stats: Stats): boolean => stats.longest_streak_days > 0 || stats.completed_themes > 0;
