import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok, okAll } from '../api/problem.ts';

type ApiTask = Answer<'/api/exams/{id}'>['tasks'][number];
export type TaskKind = ApiTask['kind'];

/** An exam or a laboratory, with the fields that its attempts show. */
export type Task = Pick<
  ApiTask,
  'kind' | 'choices' | 'is_multiple' | 'accepted' | 'tolerance' | 'unit' | 'is_expression' | 'path'
> & {
  id: number;
  title: string;
  /** Null while it is locked. */
  description: string | null;
  points: number;
  hint?: string;
  /** The worked solution, where the user may see it. */
  solution?: string;
  is_locked?: boolean;
};
export type Assessment = {
  id: number;
  title: string;
  description: string;
  introduction: string;
  passing_score: number;
  max_score: number;
  time_limit_minutes: number | null;
  task_count: number;
  is_active: boolean;
  /** False: its attempts have no machine. */
  needs_machine: boolean;
  /** Of an exam. */
  course_id?: number | null;
  is_session_only?: boolean;
  /** Of a laboratory. */
  section_id?: number | null;
  tasks: readonly Task[];
};

/** The pages of each kind: one assessment, an attempt's results, and the page with the links to assessments. */
export const pages = {
  exam: { one: '/exams/$assessmentId', results: '/exams/results/$attemptId', all: '/exams', words: 'exams' },
  laboratory: {
    one: '/laboratories/$assessmentId',
    results: '/laboratories/results/$attemptId',
    all: '/courses',
    words: 'laboratories',
  },
} as const;

export type Exam = Answer<'/api/exams/{id}'>;

export const examsQuery = queryOptions({
  queryKey: ['assessments', 'exam'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/exams', { params: { query }, signal })),
});

export const assessmentQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['assessments', kind, id],
    queryFn: ({ signal }): Promise<Assessment> =>
      ok(api.GET(pathOf(kind, '/api/exams/{id}'), { params: { path: { id } }, signal })),
  });
