import { AnnouncementStore } from '../features/announcements/store.ts';
import { DueStore } from '../features/notifications/due-store.ts';
import { NotificationFeed } from '../features/notifications/feed.ts';
import { NotificationStore } from '../features/notifications/store.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Announcements, and the notifications of users. */
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
    dueNotifications: new DueStore(db, config.notifications),
  };
}

export type NotificationParts = ReturnType<typeof composeNotifications>;
