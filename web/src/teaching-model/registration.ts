import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type RegistrationRules = Answer<'/api/auth/registration'>;

/** Who may register. */
export const registrationRulesQuery = queryOptions({
  queryKey: ['registration-rules'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/registration', { signal })),
});

/** Of the installation, what the document of the pages does not say. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => ok(api.GET('/api/site', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});
