import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

/** Each change of a hand changes the notifications of its student and of those who may help, so these queries are renewed with them. */
export const handsKey = ['hands'];

export type WaitingHand = Answer<'/api/instructor/hands'>[number];

export const ownHandQuery = (container_id: number) =>
  queryOptions({
    queryKey: [...handsKey, 'own', container_id],
    queryFn: ({ signal }) => ok(api.GET('/api/hands', { params: { query: { container_id } }, signal })),
  });

/** The raised hands that the user may see to. */
export const queueQuery = queryOptions({
  queryKey: [...handsKey, 'queue'],
  queryFn: ({ signal }) => ok(api.GET('/api/instructor/hands', { signal })),
  staleTime: 0,
});
