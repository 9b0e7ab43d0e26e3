import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

/** The identity providers to log in with. The service marks the document where there are any; elsewhere nothing is requested. */
export const providersQuery = queryOptions({
  queryKey: ['login-providers'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/providers', { signal })),
  enabled: 'hasProviders' in document.documentElement.dataset,
});
