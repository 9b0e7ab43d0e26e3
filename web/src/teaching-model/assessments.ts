import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok, okAll } from '../api/problem.ts';

/** An exam or a laboratory, with the fields that its attempts show. */
export type Task = {
  id: number;
  title: string;
  /** Null while it is locked. */
  description: string | null;
  points: number;
  hint?: string;
  is_locked?: boolean;
};
export type Subject = {
  id: number;
  title: string;
  description: string;
  introduction: string;
  passing_score: number;
  max_score: number;
  time_limit_minutes: number | null;
  task_count: number;
  is_active: boolean;
  /** Of an exam. */
  course_id?: number | null;
  is_session_only?: boolean;
  /** Of a laboratory. */
  section_id?: number | null;
  tasks: readonly Task[];
};

/** The pages of each kind: one subject, an attempt's results, and the page with the links to subjects. */
export const pages = {
  exam: { one: '/exams/$subjectId', results: '/exams/results/$attemptId', all: '/exams', words: 'exams' },
  laboratory: {
    one: '/laboratories/$subjectId',
    results: '/laboratories/results/$attemptId',
    all: '/courses',
    words: 'laboratories',
  },
} as const;

export type Exam = Answer<'/api/exams/{id}'>;

export const examsQuery = queryOptions({
  queryKey: ['subjects', 'exam'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/exams', { params: { query }, signal })),
});

export const subjectQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['subjects', kind, id],
    queryFn: ({ signal }): Promise<Subject> =>
      ok(api.GET(pathOf(kind, '/api/exams/{id}'), { params: { path: { id } }, signal })),
  });
