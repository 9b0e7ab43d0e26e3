import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';

/** Each change of a hand or a report changes the notifications of its student and of the staff, so these queries are renewed with them. */
export const helpKey = ['help'];

export type WaitingHand = Answer<'/api/instructor/hands'>[number];

export const ownHandQuery = (container_id: number) =>
  queryOptions({
    queryKey: [...helpKey, 'own', container_id],
    queryFn: ({ signal }) => ok(api.GET('/api/hands', { params: { query: { container_id } }, signal })),
  });

/** The raised hands that the user may see to. */
export const queueQuery = queryOptions({
  queryKey: [...helpKey, 'queue'],
  queryFn: ({ signal }) => ok(api.GET('/api/instructor/hands', { signal })),
  staleTime: 0,
});

/** What the user has reported about the tasks of an exam or a laboratory. */
export const ownReportsQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: [...helpKey, 'own reports', kind, id],
    queryFn: ({ signal }) => ok(api.GET(pathOf(kind, '/api/exams/{id}/reports'), { params: { path: { id } }, signal })),
  });
