import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok, okPage, type Page } from '../api/problem.ts';
import { courseAssessmentsKey } from '../teaching-model/courses.ts';
import { type Attempt, activeQuery, type OfSession, withAssessment } from './active.ts';
import { isOver } from './status.ts';

type ApiListedAttempt = Answer<'/api/exams/attempts'>[number];
export type ListedAttempt = Omit<ApiListedAttempt, 'exam_id' | keyof OfSession> &
  OfSession & { assessment_id: number | null };
export type Result = Attempt['results'][number];

const path = (id: number) => ({ params: { path: { id } } });
/** Without a free container the attempt is queued (RFC 7240). */
const mayQueue = (id: number) => ({ params: { path: { id }, header: { prefer: 'respond-async' } } });
/** The session in which an exam is started, if it has sessions. */
export type Entry = { session_id: number; access_code?: string };

/** Milliseconds between two polls of a queued attempt: the clock starts without the page, so it must not be late. */
const queuePace = { least: 1000, most: 5000, afterFailures: 30_000 };

/**
 * The user's unfinished attempts. A queued one is polled until it starts, in a page in the background as well: otherwise it would lose its
 * turn.
 * @param pace milliseconds between two polls of another one, if it is polled
 */
export function useActive(kind: Kind, pace?: number) {
  return useQuery({
    ...activeQuery(kind),
    // An attempt may have begun elsewhere since another part of the page asked.
    staleTime: 0,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, fetchFailureCount } }) => {
      const queued = data?.find(({ status }) => status === 'queued');
      if (queued === undefined) return data?.length ? (pace ?? false) : false;
      const { least, most, afterFailures } = queuePace;
      const calm = Math.min(most, Math.max(least, (queued.estimated_seconds ?? 0) * 200));
      return Math.min(afterFailures, calm * 2 ** fetchFailureCount);
    },
  });
}

/** One attempt with its results so far. */
export const attemptQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['attempts', kind, 'one', id],
    queryFn: ({ signal }) => readAttempt(kind, id, signal),
  });

const readAttempt = async (kind: Kind, id: number, signal: AbortSignal): Promise<Attempt> =>
  withAssessment(await ok(api.GET(pathOf(kind, '/api/exams/attempts/{id}/results'), { ...path(id), signal })));

/** The user's attempts, newest first. */
export const attemptsQuery = (kind: Kind, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['attempts', kind, 'list', page, pageSize],
    queryFn: async ({ signal }): Promise<Page<ListedAttempt>> => {
      const params = { query: { page, page_size: pageSize } };
      const { items, ...rest } = await okPage(api.GET(pathOf(kind, '/api/exams/attempts'), { params, signal }));
      return { items: items.map(withAssessment), ...rest };
    },
  });

/** The newest attempts, as many as a page holds. */
export const newestAttemptsQuery = (kind: Kind) => attemptsQuery(kind, 1, 100);

/** The actions on attempts. Each updates all lists of attempts. */
export function useAttemptActions(kind: Kind) {
  const client = useQueryClient();
  const all = { queryKey: ['attempts', kind] };
  /** The tasks of a laboratory can open during an attempt. */
  const refreshTasks = (): void => {
    if (kind === 'laboratory') void client.invalidateQueries({ queryKey: ['assessments', kind] });
  };
  const seen = (attempt: Attempt): void => {
    client.setQueryData(attemptQuery(kind, attempt.id).queryKey, attempt);
    if (isOver(attempt))
      client.setQueryData(activeQuery(kind).queryKey, (active) => active?.filter(({ id }) => id !== attempt.id));
    void client.invalidateQueries(all);
    if (isOver(attempt)) void client.invalidateQueries({ queryKey: courseAssessmentsKey });
  };
  return {
    /** Updates an attempt in all lists. */
    seen,
    /** What a submission consists of: it is not one request. */
    calls: {
      submit: async (assessmentId: number, signal: AbortSignal): Promise<Attempt> =>
        withAssessment(await ok(api.POST(pathOf(kind, '/api/exams/{id}/submit'), { ...path(assessmentId), signal }))),
      read: (id: number, signal: AbortSignal): Promise<Attempt> => readAttempt(kind, id, signal),
      refresh: () => client.invalidateQueries(all),
    },
    start: useMutation({
      mutationFn: ({ id, entry }: { id: number; entry?: Entry }) =>
        ok(api.POST(pathOf(kind, '/api/exams/{id}/start'), { ...mayQueue(id), body: entry ?? {} })),
      onSettled: () => {
        refreshTasks();
        return client.invalidateQueries(all);
      },
    }),
    check: useMutation({
      mutationFn: async (id: number) => withAssessment(await ok(api.POST('/api/laboratories/{id}/check', path(id)))),
      onSuccess: (attempt) => {
        refreshTasks();
        seen(attempt);
      },
      onError: () => client.invalidateQueries(all),
    }),
    abandon: useMutation({
      mutationFn: (id: number) => ok(api.POST(pathOf(kind, '/api/exams/attempts/{id}/abandon'), path(id))),
      onSettled: () => client.invalidateQueries(all),
    }),
  };
}

/** What graders say of attempts, and what students ask about them. */
export const feedbackKey = ['feedback'];

/** The requests for a review that wait for the user, at most the first hundred. */
export const reviewsQuery = queryOptions({
  queryKey: [...feedbackKey, 'reviews'],
  queryFn: ({ signal }) =>
    ok(api.GET('/api/instructor/review-requests', { params: { query: { page_size: 100 } }, signal })),
});

/** The attempts that students ask to have back, about which the user may decide, at most the first hundred. */
export const reopenRequestsQuery = queryOptions({
  queryKey: [...feedbackKey, 'reopen-requests'],
  queryFn: ({ signal }) =>
    ok(api.GET('/api/instructor/reopen-requests', { params: { query: { page_size: 100 } }, signal })),
});

/** Of a session, of a class, or of all. */
export type Awaiting = { session_id?: number; class_id?: number };

/** Milliseconds between two polls. */
const awaitingInterval = 60_000;

/** How many results await the user, by exam and laboratory. */
export const awaitingQuery = (query: Awaiting) =>
  queryOptions({
    queryKey: ['teaching', 'grading', 'awaiting', query],
    refetchInterval: awaitingInterval,
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/grading/awaiting', { params: { query }, signal })),
  });

/** Where the grading page shows an exam or a laboratory. */
export const gradedSearch = (kind: 'exam' | 'laboratory', id: number) =>
  kind === 'exam' ? { exam_id: id } : { laboratory_id: id };
