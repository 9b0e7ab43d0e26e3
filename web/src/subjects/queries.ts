import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok, okAll } from '../api/problem.ts';
import type { Subject } from '../attempts/subject.ts';

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
