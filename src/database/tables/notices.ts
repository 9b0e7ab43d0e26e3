import type { Generated, GeneratedAlways } from 'kysely';
import type { Optional } from './columns.ts';

/** An announcement to a class, or to everybody. */
export type AnnouncementsTable = {
  id: GeneratedAlways<number>;
  /** Null: everybody. */
  class_id: Optional<number>;
  author_id: Optional<number>;
  title: string;
  text: Generated<string>;
  shows_from: Generated<Date>;
  shows_until: Optional<Date>;
  /** Whether its readers were notified. */
  is_due: Generated<boolean>;
  created_at: Generated<Date>;
  edited_at: Optional<Date>;
};

export type StoredNotificationKind =
  | 'exam_opens'
  | 'time_left'
  | 'more_time'
  | 'results'
  | 'deadline'
  | 'supervision'
  | 'hand'
  | 'help'
  | 'report'
  | 'report_answer'
  | 'grade'
  | 'review'
  | 'evidence'
  | 'reopen'
  | 'reopened'
  | 'reopen_declined'
  | 'webhook'
  | 'account_deletion';
/** Unread announcements are notifications as well, without a row of their own. */
export type NotificationKind = StoredNotificationKind | 'announcement';

export type NotificationsTable = {
  user_id: number;
  /** What it is about: a second notification of the same replaces the first. */
  key: string;
  kind: StoredNotificationKind;
  attempt_id: Optional<number>;
  session_id: Optional<number>;
  class_id: Optional<number>;
  laboratory_id: Optional<number>;
  hand_id: Optional<number>;
  webhook_id: Optional<number>;
  /** That are left, or were added. */
  minutes: Optional<number>;
  until: Optional<Date>;
  created_at: Generated<Date>;
  read_at: Optional<Date>;
};
