import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { okAll } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';

/** All that is known of exam sessions, for invalidation. */
export const sessionsKey = ['exam-sessions'] as const;

type Choice = { class_id?: number; exam_id?: number };

/** Milliseconds between two requests: shortly before a session opens or closes, and otherwise. */
const pace = { near: 1000, far: 20_000 };
/** Milliseconds before and after a change of state. */
const nearness = 5000;

const isNear = (moment: string): boolean => Math.abs(Date.parse(moment) - serverNow()) < nearness;

/** The sessions of the classes that the user sees, the last to open first. */
export const sessionsQuery = (choice: Choice = {}) =>
  queryOptions({
    queryKey: [...sessionsKey, 'list', choice],
    queryFn: ({ signal }) =>
      okAll((page) => api.GET('/api/exam-sessions', { params: { query: { ...choice, ...page } }, signal })),
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ opens_at, closes_at }) => isNear(opens_at) || isNear(closes_at)) ? pace.near : pace.far,
  });
