import { AnnouncementStore } from '../features/announcements/store.ts';
import { DeletionStore } from '../features/deletions/store.ts';
import { DueStore } from '../features/notifications/due-store.ts';
import { NotificationFeed } from '../features/notifications/feed.ts';
import { NotificationStore } from '../features/notifications/store.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Announcements, the notifications of users, and what was deleted. */
export function composeNotifications({ config, log, cleanup }: Surroundings, { db, feed }: DatabaseParts) {
  const notifications = new NotificationStore(db);
  const notificationFeed = cleanup.use(
    new NotificationFeed({ store: notifications, options: config.notifications, log }),
  );
  feed.on('notification', (users) => notificationFeed.changed(users));
  feed.on('announcement', (to) => notificationFeed.announced(to));
  return {
    ...{ notifications, notificationFeed },
    announcements: new AnnouncementStore(db, config.classes.maxAnnouncements),
    deletions: new DeletionStore(db, {
      ...config.deletions,
      catalogue: config.catalogue,
      siblings: {
        class_join_code: config.classes.maxJoinCodes,
        class_grade_column: config.classes.maxGradeColumns,
        exam_session: config.classes.maxExamSessions,
        announcement: config.classes.maxAnnouncements,
        note: config.lessons.notesPerUser,
      },
    }),
    dueNotifications: new DueStore(db, config.notifications),
  };
}

export type NotificationParts = ReturnType<typeof composeNotifications>;
