import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { hrefOf } from '../routing/router.ts';

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

/** @param keys undefined for all */
export const markRead = (keys?: string[]): Promise<unknown> =>
  ok(api.POST('/api/notifications/read', { body: keys ? { keys } : {} }));

export const unreadAmong = (notifications: readonly Notification[]): Notification[] =>
  notifications.filter(({ is_read }) => !is_read);

/** The address of the page that a notification is about. */
export function addressOf(notification: Notification): string {
  const { kind, exam_id, laboratory_id, attempt_id, announcement_id, session_id } = notification;
  if (announcement_id !== null) return hrefOf({ to: '/announcements', hash: `announcement-${announcement_id}` });
  if (kind === 'hand') return hrefOf({ to: '/teaching/live' });
  if (kind === 'supervision' && session_id !== null)
    return hrefOf({ to: '/exam-sessions/$sessionId', params: { sessionId: `${session_id}` } });
  if (kind === 'results' && attempt_id !== null) {
    const params = { attemptId: `${attempt_id}` };
    return exam_id === null
      ? hrefOf({ to: '/laboratories/results/$attemptId', params })
      : hrefOf({ to: '/exams/results/$attemptId', params });
  }
  if (exam_id !== null) return hrefOf({ to: '/exams/$assessmentId', params: { assessmentId: `${exam_id}` } });
  if (laboratory_id !== null)
    return hrefOf({ to: '/laboratories/$assessmentId', params: { assessmentId: `${laboratory_id}` } });
  return hrefOf({ to: '/' });
}
