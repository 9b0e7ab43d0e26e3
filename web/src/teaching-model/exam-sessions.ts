import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import type { User } from '../api/user.ts';
import { mayChange } from './classes.ts';
import { sessionsKey } from './session-list.ts';

export type ExamSession = Answer<'/api/exam-sessions/{id}'>;
export type Accommodation = Answer<'/api/exam-sessions/{id}/accommodations'>[number];

export type Supervisor = Answer<'/api/exam-sessions/{id}/supervisors'>[number];
export type Candidate = Answer<'/api/exam-sessions/candidates'>[number];
export type NameProblem = Answer<'/api/exam-sessions/candidates', 'post'>['problems'][number]['problem'];
export type Student = { user_id: number; full_name: string | null; username: string };
/** Who takes part in a session. */
export type Participants = { class_id: number } | { user_ids: number[] };
export type ExamForecast = Answer<'/api/exam-sessions/forecast'>;
export type ClassAccommodation = Answer<'/api/classes/{id}/accommodations'>[number];

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

const studentsOfClass = (id: number, signal: AbortSignal) =>
  okAll((page) =>
    api.GET('/api/classes/{id}/members', { params: { path: { id }, query: { role: 'student', ...page } }, signal }),
  );

const chosenStudents = (id: number, signal: AbortSignal) =>
  okAll((query) => api.GET('/api/exam-sessions/{id}/users', { params: { path: { id }, query }, signal }));

/** The students of a class, for a choice. */
export const studentsQuery = (classId: number) =>
  queryOptions({
    queryKey: ['classes', 'students', classId],
    queryFn: ({ signal }) => studentsOfClass(classId, signal),
  });

/** The students of a session without a class. */
export const chosenStudentsQuery = (id: number) =>
  queryOptions({ queryKey: [...sessionsKey, 'users', id], queryFn: ({ signal }) => chosenStudents(id, signal) });

/** Those who supervise a session without a class. */
export const supervisorsQuery = (id: number) =>
  queryOptions({
    queryKey: [...sessionsKey, 'supervisors', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/{id}/supervisors', { params: { path: { id } }, signal })),
  });

/** The students of a session, for a choice. */
export const sessionStudentsQuery = ({ id, class_id }: Pick<ExamSession, 'id' | 'class_id'>) =>
  queryOptions({
    queryKey: [...sessionsKey, 'students', id],
    queryFn: ({ signal }): Promise<Student[]> =>
      class_id === null ? chosenStudents(id, signal) : studentsOfClass(class_id, signal),
  });

/** Students whom the user can choose for a session. @param q part of a name or an address; nobody if empty */
export const candidatesQuery = (q: string) =>
  queryOptions({
    queryKey: ['exam-candidates', q],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/candidates', { params: { query: { q } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });

/** The sessions for chosen students that the user sees. */
export const chosenSessionsQuery = queryOptions({
  queryKey: [...sessionsKey, 'chosen'],
  queryFn: ({ signal }) =>
    okAll((page) => api.GET('/api/exam-sessions', { params: { query: { is_for_chosen: true, ...page } }, signal })),
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
export const forecastQuery = (participants: Participants, window: { opens_at: string; closes_at: string }) =>
  queryOptions({
    queryKey: [...sessionsKey, 'forecast', participants, window],
    queryFn: ({ signal }) =>
      'class_id' in participants
        ? ok(api.GET('/api/exam-sessions/forecast', { params: { query: { ...participants, ...window } }, signal }))
        : ok(api.POST('/api/exam-sessions/forecast', { body: { ...participants, ...window }, signal })),
    placeholderData: keepPreviousData,
  });

const byTime = (name: 'opens_at' | 'closes_at') => (one: ExamSession, other: ExamSession) =>
  Date.parse(one[name]) - Date.parse(other[name]);

/**
 * The minutes that a start in a session has now, or has when the session opens: those of its limit, and at most until it closes.
 * @param ofExam the limit of the exam
 */
export function minutesIn(session: ExamSession | undefined, ofExam: number | null): number | null {
  const limit = session?.time_limit_minutes ?? ofExam;
  if (!session || session.state === 'closed') return limit;
  const from = Math.max(Date.now(), Date.parse(session.opens_at));
  const window = Math.max(1, Math.floor((Date.parse(session.closes_at) - from) / 60_000));
  return limit === null ? window : Math.min(limit, window);
}

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
