import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery, pageQuery } from '../api/list-query.ts';
import { ok, okAll } from '../api/problem.ts';
import { isRunning } from '../attempts/status.ts';

/** Milliseconds between two polls of running containers. */
const liveInterval = 5000;

export type Assessment = Answer<'/api/instructor/subjects'>[number];
export type ListedAttempt = Answer<'/api/instructor/attempts'>[number];
export type Attempt = Answer<'/api/instructor/attempts/{id}'>;
export type Recording = Answer<'/api/instructor/attempts/{id}/recordings'>[number];
export type Watchable = Answer<'/api/instructor/containers'>[number];
export type Student = Answer<'/api/instructor/exams/{id}/grade-book'>['students'][number];

export type AttemptSearch = ListSearch & {
  exam_id?: number | undefined;
  laboratory_id?: number | undefined;
  user_id?: number | undefined;
  status?: ListedAttempt['status'] | undefined;
  passed?: boolean | undefined;
  search?: string | undefined;
  sort?: 'started_at' | 'username' | 'title' | 'status' | 'score' | undefined;
};
export type GradeBookSearch = ListSearch & {
  attempt?: 'best' | 'latest' | undefined;
  search?: string | undefined;
  sort?: 'username' | 'score' | undefined;
};

/** All of them: there are few to choose from. */
export const assessmentsQuery = queryOptions({
  queryKey: ['teaching', 'assessments'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/instructor/subjects', { params: { query }, signal })),
});

/** Exams and laboratories have the same grade book at two paths. */
export const gradeBookQuery = (kind: Assessment['kind'], id: number, search: GradeBookSearch) =>
  queryOptions({
    queryKey: ['teaching', 'grade-book', kind, id, search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: pageQuery(search) };
      const fetched =
        kind === 'exam'
          ? await api.GET('/api/instructor/exams/{id}/grade-book', { params, signal })
          : await api.GET('/api/instructor/laboratories/{id}/grade-book', { params, signal });
      const body = await ok<
        Answer<'/api/instructor/exams/{id}/grade-book'> | Answer<'/api/instructor/laboratories/{id}/grade-book'>
      >(Promise.resolve(fetched));
      const total = Number(fetched.response.headers.get('X-Total-Count'));
      return {
        assessment: 'exam' in body ? body.exam : body.laboratory,
        tasks: body.tasks,
        items: body.students.map((student) => ({ ...student, id: student.user_id })),
        total,
      };
    },
  });

export const attemptsQuery = (search: AttemptSearch) =>
  listQuery(['teaching', 'attempts'], search, (options) => api.GET('/api/instructor/attempts', options));

export const attemptQuery = (id: number) =>
  queryOptions({
    queryKey: ['teaching', 'attempt', id],
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/attempts/{id}', { params: { path: { id } }, signal })),
    // An attempt in progress changes without the user's action.
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? liveInterval : false),
  });

export const recordingsQuery = (attemptId: number) =>
  queryOptions({
    queryKey: ['teaching', 'recordings', attemptId],
    queryFn: ({ signal }) =>
      okAll((query) =>
        api.GET('/api/instructor/attempts/{id}/recordings', { params: { path: { id: attemptId }, query }, signal }),
      ),
  });

export const watchableQuery = (search: ListSearch & { kind?: Watchable['kind'] | undefined }) => ({
  ...listQuery(['teaching', 'watchable'], search, (options) => api.GET('/api/instructor/containers', options)),
  refetchInterval: liveInterval,
});

/** The open shells of a student's container, oldest first. */
export const shellsQuery = (containerId: number) =>
  queryOptions({
    queryKey: ['teaching', 'shells', containerId],
    refetchInterval: liveInterval,
    queryFn: ({ signal }) =>
      ok(api.GET('/api/containers/{id}/terminals', { params: { path: { id: containerId } }, signal })),
  });

/** One running container, or null. */
export const watchedQuery = (containerId: number) =>
  queryOptions({
    queryKey: ['teaching', 'watched', containerId],
    refetchInterval: liveInterval,
    queryFn: async ({ signal }) => {
      const query = { container_id: containerId };
      const [found] = await ok(api.GET('/api/instructor/containers', { params: { query }, signal }));
      return found ?? null;
    },
  });
