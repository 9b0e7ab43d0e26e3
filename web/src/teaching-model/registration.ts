import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type RegistrationRules = Answer<'/api/auth/registration'>;

/** Who may register. */
export const registrationRulesQuery = queryOptions({
  queryKey: ['registration-rules'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/registration', { signal })),
});
