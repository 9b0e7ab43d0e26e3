import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';
import { ok, okAll } from '../api/problem.ts';
import type { User } from '../api/user.ts';

/** Milliseconds between two polls of the service's state. */
const systemInterval = 5000;
/** And of a running import. */
const importInterval = 1000;

export type { User };
export type UserImport = Answer<'/api/admin/user-imports'>[number];
export type Template = Answer<'/api/admin/sandbox-templates'>[number];
export type RegistrationCode = Answer<'/api/admin/registration-codes'>[number];
export type IdentityProvider = Answer<'/api/admin/identity-providers'>[number];
export type ServiceAccount = Answer<'/api/admin/service-accounts'>[number];
export type Webhook = Answer<'/api/admin/webhooks'>[number];
export type WebhookDelivery = Answer<'/api/admin/webhooks/{id}/deliveries'>[number];
export type Container = Answer<'/api/admin/containers'>[number];
export type ActivityEntry = Answer<'/api/admin/activity'>[number];
export type System = Answer<'/api/admin/system'>;
export type Stats = Answer<'/api/admin/stats'>;

export type Deletion = Answer<'/api/admin/deletions'>[number];

export type UserSearch = ListSearch & {
  q?: string | undefined;
  role?: User['role'] | undefined;
  is_active?: boolean | undefined;
  sort?: 'id' | 'username' | 'last_login_at' | undefined;
};
export type ContainerSearch = ListSearch & {
  user_id?: number | undefined;
  kind?: Container['kind'] | undefined;
  status?: Container['status'] | undefined;
  sort?: 'created_at' | 'name' | 'username' | 'status' | 'expires_at' | undefined;
};
export type ActivitySearch = ListSearch & {
  user_id?: number | undefined;
  actor_id?: number | undefined;
  type?: string | undefined;
  sort?: 'created_at' | undefined;
};
export type RegistrationCodeSearch = ListSearch & {
  sort?: 'created_at' | 'code' | 'uses' | 'expires_at' | undefined;
};

export const usersQuery = (search: UserSearch) =>
  listQuery(['administration', 'users'], search, (options) => api.GET('/api/admin/users', options));

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['administration', 'user', id],
    queryFn: ({ signal }) => ok(api.GET('/api/admin/users/{id}', { params: { path: { id } }, signal })),
  });

export const deletionRequestsQuery = queryOptions({
  queryKey: ['administration', 'deletion-requests'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/deletion-requests', { signal })),
});

/** The newest imports of users. */
export const userImportsQuery = queryOptions({
  queryKey: ['administration', 'user-imports'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/user-imports', { signal })),
  refetchInterval: ({ state }) => (state.data?.[0]?.status === 'running' ? importInterval : false),
});

export const deletionsKey = ['administration', 'deletions'];

export const deletionsQuery = (search: ListSearch) =>
  listQuery(deletionsKey, search, (options) => api.GET('/api/admin/deletions', options));

export const mailsKey = ['administration', 'mails'];

export const mailsQuery = (search: ListSearch) =>
  listQuery(mailsKey, search, (options) => api.GET('/api/admin/mails', options));

export const registrationCodesQuery = (search: RegistrationCodeSearch) =>
  listQuery(['administration', 'registration-codes'], search, (options) =>
    api.GET('/api/admin/registration-codes', options),
  );

export type LtiPlatform = Answer<'/api/admin/lti-platforms'>[number];
export const ltiPlatformsKey = ['administration', 'lti-platforms'];
export const ltiPlatformsQuery = (search: ListSearch) =>
  listQuery(ltiPlatformsKey, search, (options) => api.GET('/api/admin/lti-platforms', options));

export const identityProvidersKey = ['administration', 'identity-providers'];

export const identityProvidersQuery = (search: ListSearch) =>
  listQuery(identityProvidersKey, search, (options) => api.GET('/api/admin/identity-providers', options));

export const serviceAccountsKey = ['administration', 'service-accounts'];

export const serviceAccountsQuery = (search: ListSearch) =>
  listQuery(serviceAccountsKey, search, (options) => api.GET('/api/admin/service-accounts', options));

export const webhooksKey = ['administration', 'webhooks'];

export const webhooksQuery = (search: ListSearch) =>
  listQuery(webhooksKey, search, (options) => api.GET('/api/admin/webhooks', options));

/** The newest deliveries. They change by themselves. */
export const deliveriesQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: ({ signal }) =>
      ok(
        api.GET('/api/admin/webhooks/{id}/deliveries', {
          params: { path: { id }, query: { page_size: 100 } },
          signal,
        }),
      ),
    refetchInterval: systemInterval,
  });

export const containersQuery = (search: ContainerSearch) =>
  listQuery(['administration', 'containers'], search, (options) => api.GET('/api/admin/containers', options));

export const activityQuery = (search: ActivitySearch) =>
  listQuery(['administration', 'activity'], search, (options) => api.GET('/api/admin/activity', options));

/** All templates: there are few, and they have one order. */
export const templatesQuery = queryOptions({
  queryKey: ['administration', 'templates'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/admin/sandbox-templates', { params: { query }, signal })),
});

export const systemQuery = queryOptions({
  queryKey: ['administration', 'system'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/system', { signal })),
  refetchInterval: systemInterval,
});

export const statsQuery = queryOptions({
  queryKey: ['administration', 'stats'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/stats', { signal })),
  refetchInterval: systemInterval,
});

/** The translation of a name that the service uses. An unknown name is shown unchanged. */
export const wordOf = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name;
