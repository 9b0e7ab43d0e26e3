import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

/** All courses with their sections and themes. Editors move them from one place to any other. */
export const treeQuery = queryOptions({
  queryKey: ['authoring', 'tree'],
  queryFn: ({ signal }) => ok(api.GET('/api/lessons/courses', { signal })),
});
