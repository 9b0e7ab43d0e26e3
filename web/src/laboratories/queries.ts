import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type Laboratory = Answer<'/api/laboratories/{id}'>;

export const laboratoryQuery = (id: number) =>
  queryOptions({
    queryKey: ['laboratories', id],
    queryFn: ({ signal }) => ok(api.GET('/api/laboratories/{id}', { params: { path: { id } }, signal })),
  });
