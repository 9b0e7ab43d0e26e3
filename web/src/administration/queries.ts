import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Body } from '../api/client.ts';
import { ok, okAll, okPage } from '../api/problem.ts';
import type { User } from '../session/user.ts';

export const pageSize = 25;
/** Milliseconds between two polls of the service's state. */
const systemInterval = 5000;

export type { User };
export type ImportedUser = Answer<'/api/admin/users/import', 'post'>[number];
export type Template = Answer<'/api/admin/sandbox-templates'>[number];
export type NewTemplate = Body<'/api/admin/sandbox-templates', 'post'>;
export type RegistrationCode = Answer<'/api/admin/registration-codes'>[number];
export type Container = Answer<'/api/admin/containers'>[number];
export type ActivityEntry = Answer<'/api/admin/activity'>[number];
export type System = Answer<'/api/admin/system'>;
export type Stats = Answer<'/api/admin/stats'>;

export type UserFilter = {
  q?: string | undefined;
  role?: User['role'] | undefined;
  is_active?: boolean | undefined;
};
export type ContainerFilter = {
  user_id?: number | undefined;
  kind?: Container['kind'] | undefined;
  status?: Container['status'] | undefined;
};
export type ActivityFilter = {
  user_id?: number | undefined;
  actor_id?: number | undefined;
  type?: string | undefined;
};

const onPage = <Filter extends object>(filter: Filter, page: number): Given<Filter> & { page: number } => ({
  ...(Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Given<Filter>),
  page,
  page_size: pageSize,
});
type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

export const usersQuery = (filter: UserFilter, page: number) =>
  queryOptions({
    queryKey: ['administration', 'users', filter, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => okPage(api.GET('/api/admin/users', { params: { query: onPage(filter, page) }, signal })),
  });

/** All templates: there are few, and they have one order. */
export const templatesQuery = queryOptions({
  queryKey: ['administration', 'templates'],
  queryFn: ({ signal }) => okAll((query) => api.GET('/api/admin/sandbox-templates', { params: { query }, signal })),
});

export const registrationCodesQuery = (page: number) =>
  queryOptions({
    queryKey: ['administration', 'registration-codes', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      okPage(api.GET('/api/admin/registration-codes', { params: { query: onPage({}, page) }, signal })),
  });

export const containersQuery = (filter: ContainerFilter, page: number) =>
  queryOptions({
    queryKey: ['administration', 'containers', filter, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      okPage(api.GET('/api/admin/containers', { params: { query: onPage(filter, page) }, signal })),
  });

export const activityQuery = (filter: ActivityFilter, page: number) =>
  queryOptions({
    queryKey: ['administration', 'activity', filter, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      okPage(api.GET('/api/admin/activity', { params: { query: onPage(filter, page) }, signal })),
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
