import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { okAll } from '../api/problem.ts';
import { classesKey } from './classes.ts';

/** All that is known of deadlines, for invalidation. */
export const deadlinesKey = ['deadlines'] as const;

/** Those of the user as a student, the first that are due first. */
export const ownDeadlinesQuery = (laboratoryId?: number) =>
  queryOptions({
    queryKey: [...deadlinesKey, 'own', laboratoryId],
    queryFn: ({ signal }) =>
      okAll((page) => {
        const query = laboratoryId === undefined ? page : { laboratory_id: laboratoryId, ...page };
        return api.GET('/api/deadlines', { params: { query }, signal });
      }),
  });

export const classDeadlinesQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'deadlines', id],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/classes/{id}/deadlines', { params: { path: { id }, query }, signal })),
  });
