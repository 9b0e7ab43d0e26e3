import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { mayChange } from '../classes/queries.ts';
import type { User } from '../session/user.ts';

export type ExamSession = Answer<'/api/exam-sessions/{id}'>;
export type Accommodation = Answer<'/api/exam-sessions/{id}/accommodations'>[number];

export type ClassAccommodation = Answer<'/api/classes/{id}/accommodations'>[number];

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

export const sessionQuery = (id: number) =>
  queryOptions({
    queryKey: [...sessionsKey, 'one', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/{id}', { params: { path: { id } }, signal })),
  });

export const accommodationsQuery = (id: number) =>
  queryOptions({
    queryKey: [...sessionsKey, 'accommodations', id],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/exam-sessions/{id}/accommodations', { params: { path: { id }, query }, signal })),
  });

/** The time zone of the school, which does not change while the service runs. Null: it has none. */
export const schoolZoneQuery = queryOptions({
  queryKey: [...sessionsKey, 'time zone'],
  queryFn: async ({ signal }) => (await ok(api.GET('/api/exam-sessions/time-zone', { signal }))).school_time_zone,
  staleTime: Number.POSITIVE_INFINITY,
});

export const classAccommodationsQuery = (id: number) =>
  queryOptions({
    queryKey: [...sessionsKey, 'class accommodations', id],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/classes/{id}/accommodations', { params: { path: { id }, query }, signal })),
  });

/** The students of a class, for a choice. */
export const studentsQuery = (classId: number) =>
  queryOptions({
    queryKey: ['classes', 'students', classId],
    queryFn: ({ signal }) =>
      okAll((page) =>
        api.GET('/api/classes/{id}/members', {
          params: { path: { id: classId }, query: { role: 'student', ...page } },
          signal,
        }),
      ),
  });

/** The classes for which the user may plan sessions. */
export const plannedClassesQuery = (user: User) =>
  queryOptions({
    queryKey: ['classes', 'changeable', user.id],
    queryFn: ({ signal }) =>
      okAll((page) => api.GET('/api/classes', { params: { query: { is_archived: false, ...page } }, signal })),
    select: (classes) => classes.filter((of) => mayChange(of, user)),
  });

/** @param window instants */
export const forecastQuery = (class_id: number, { opens_at, closes_at }: { opens_at: string; closes_at: string }) =>
  queryOptions({
    queryKey: [...sessionsKey, 'forecast', class_id, opens_at, closes_at],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/exam-sessions/forecast', { params: { query: { class_id, opens_at, closes_at } }, signal })),
    placeholderData: keepPreviousData,
  });

const byTime = (name: 'opens_at' | 'closes_at') => (one: ExamSession, other: ExamSession) =>
  Date.parse(one[name]) - Date.parse(other[name]);

/** Of a user's sessions of an exam, the one to start in: the open one that closes first, the next one, or the last one. */
export function sessionToStart(sessions: readonly ExamSession[]): ExamSession | undefined {
  const own = sessions.filter(({ my_role }) => my_role !== null);
  const inState = (state: ExamSession['state']) => own.filter((session) => session.state === state);
  const open = inState('open').toSorted(byTime('closes_at'));
  return (
    open.find(({ attempts_left }) => attempts_left !== 0) ??
    open[0] ??
    inState('upcoming').toSorted(byTime('opens_at'))[0] ??
    inState('closed').toSorted(byTime('closes_at')).at(-1)
  );
}
