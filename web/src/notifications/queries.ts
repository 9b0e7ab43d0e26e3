import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';

export type Notification = Answer<'/api/notifications'>[number];
export type NotificationKind = Notification['kind'];

/** The newest notifications. A stream of the service keeps them up to date. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal }) => ok(api.GET('/api/notifications', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const settingsQuery = queryOptions({
  queryKey: ['notifications', 'settings'],
  queryFn: ({ signal }) => ok(api.GET('/api/notifications/settings', { signal })),
});

export const mailSettingsQuery = queryOptions({
  queryKey: ['notifications', 'mail-settings'],
  queryFn: ({ signal }) => ok(api.GET('/api/notifications/mail-settings', { signal })),
});

export const addressQuery = queryOptions({
  queryKey: ['notifications', 'address'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/email', { signal })),
});

/** @param keys undefined for all */
export const markRead = (keys?: string[]): Promise<unknown> =>
  ok(api.POST('/api/notifications/read', { body: keys ? { keys } : {} }));

export const unreadAmong = (notifications: readonly Notification[]): Notification[] =>
  notifications.filter(({ is_read }) => !is_read);
