import type { NotificationKind } from '../../database/tables.ts';

export const notificationKinds = [
  'exam_opens',
  'time_left',
  'more_time',
  'results',
  'deadline',
  'announcement',
] as const satisfies readonly NotificationKind[];
