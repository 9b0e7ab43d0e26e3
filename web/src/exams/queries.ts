import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';

export type Exam = Answer<'/api/exams/{id}'>;

export const examsQuery = queryOptions({
  queryKey: ['exams'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/exams', { params: { query }, signal })),
});

export const examQuery = (id: number) =>
  queryOptions({
    queryKey: ['exams', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exams/{id}', { params: { path: { id } }, signal })),
  });
