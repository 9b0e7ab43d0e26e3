import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { isRefusal, ok, okPage, type Page } from '../api/problem.ts';

/** Exams and laboratories are attempted in the same way; their attempts differ in a name on the wire. */
export type Kind = 'exam' | 'laboratory';
type OnWire = Answer<'/api/exams/attempts/{id}/results'>;
type ListedOnWire = Answer<'/api/exams/attempts'>[number];
export type Attempt = Omit<OnWire, 'exam_id'> & { subject_id: number | null };
export type ListedAttempt = Omit<ListedOnWire, 'exam_id'> & { subject_id: number | null };
export type Result = Attempt['results'][number];

type ExamNamed = { exam_id: number | null };
type LaboratoryNamed = { laboratory_id: number | null };
const ofExam = <Row extends ExamNamed>({ exam_id, ...row }: Row) => ({ ...row, subject_id: exam_id });
const ofLaboratory = <Row extends LaboratoryNamed>({ laboratory_id, ...row }: Row) => ({
  ...row,
  subject_id: laboratory_id,
});
const path = (id: number) => ({ params: { path: { id } } });

type Calls = {
  active: (signal: AbortSignal) => Promise<Attempt[]>;
  one: (id: number, signal: AbortSignal) => Promise<Attempt>;
  list: (page: number, pageSize: number, signal: AbortSignal) => Promise<Page<ListedAttempt>>;
  start: (subjectId: number) => Promise<{ attempt_id: number }>;
  submit: (subjectId: number) => Promise<Attempt>;
  abandon: (id: number) => Promise<unknown>;
};

const calls: Record<Kind, Calls> = {
  exam: {
    active: (signal) =>
      ok(api.GET('/api/exams/attempts/active', { signal })).then(
        (attempt) => [ofExam(attempt)],
        (error: unknown) => {
          if (isRefusal(error, 'no_active_attempt')) return [];
          throw error;
        },
      ),
    one: async (id, signal) => ofExam(await ok(api.GET('/api/exams/attempts/{id}/results', { ...path(id), signal }))),
    list: async (page, page_size, signal) => {
      const params = { query: { page, page_size } };
      const { items, total } = await okPage(api.GET('/api/exams/attempts', { params, signal }));
      return { items: items.map(ofExam), total };
    },
    start: (id) => ok(api.POST('/api/exams/{id}/start', path(id))),
    submit: async (id) => ofExam(await ok(api.POST('/api/exams/{id}/submit', path(id)))),
    abandon: (id) => ok(api.POST('/api/exams/attempts/{id}/abandon', path(id))),
  },
  laboratory: {
    active: async (signal) => (await ok(api.GET('/api/laboratories/attempts/active', { signal }))).map(ofLaboratory),
    one: async (id, signal) =>
      ofLaboratory(await ok(api.GET('/api/laboratories/attempts/{id}/results', { ...path(id), signal }))),
    list: async (page, page_size, signal) => {
      const params = { query: { page, page_size } };
      const { items, total } = await okPage(api.GET('/api/laboratories/attempts', { params, signal }));
      return { items: items.map(ofLaboratory), total };
    },
    start: (id) => ok(api.POST('/api/laboratories/{id}/start', path(id))),
    submit: async (id) => ofLaboratory(await ok(api.POST('/api/laboratories/{id}/submit', path(id)))),
    abandon: (id) => ok(api.POST('/api/laboratories/attempts/{id}/abandon', path(id))),
  },
};

/** The user's attempts that are not over: at most one of exams, at most one of each laboratory. */
export const activeQuery = (kind: Kind) =>
  queryOptions({ queryKey: ['attempts', kind, 'active'], queryFn: ({ signal }) => calls[kind].active(signal) });

/** One attempt with its results so far. */
export const attemptQuery = (kind: Kind, id: number) =>
  queryOptions({ queryKey: ['attempts', kind, 'one', id], queryFn: ({ signal }) => calls[kind].one(id, signal) });

/** The user's attempts, newest first. */
export const attemptsQuery = (kind: Kind, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['attempts', kind, 'list', page, pageSize],
    queryFn: ({ signal }) => calls[kind].list(page, pageSize, signal),
  });

/** The newest attempts, as many as a page holds. */
export const newestAttemptsQuery = (kind: Kind) => attemptsQuery(kind, 1, 100);

/** What a user does with attempts; each shows its outcome in all lists of them. */
export function useAttemptActions(kind: Kind) {
  const client = useQueryClient();
  const all = { queryKey: ['attempts', kind] };
  const seen = (attempt: Attempt): void => {
    client.setQueryData(attemptQuery(kind, attempt.id).queryKey, attempt);
    if (isOver(attempt))
      client.setQueryData(activeQuery(kind).queryKey, (active) => active?.filter(({ id }) => id !== attempt.id));
    void client.invalidateQueries(all);
  };
  return {
    /** An attempt was found to be over: so it is in all lists. */
    seen,
    start: useMutation({ mutationFn: calls[kind].start, onSettled: () => client.invalidateQueries(all) }),
    submit: useMutation({
      mutationFn: calls[kind].submit,
      onSuccess: seen,
      onError: () => client.invalidateQueries(all),
    }),
    check: useMutation({
      mutationFn: async (laboratoryId: number) =>
        ofLaboratory(await ok(api.POST('/api/laboratories/{id}/check', path(laboratoryId)))),
      onSuccess: seen,
      onError: () => client.invalidateQueries(all),
    }),
    abandon: useMutation({ mutationFn: calls[kind].abandon, onSettled: () => client.invalidateQueries(all) }),
  };
}

export const isOver = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== 'in_progress' && status !== 'grading';
