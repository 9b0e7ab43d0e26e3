import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';

export type Announcement = Answer<'/api/announcements'>[number];
export type AnnouncementSearch = ListSearch & { class_id?: number | undefined; is_read?: boolean | undefined };

/** All that is known of announcements, for invalidation. */
export const announcementsKey = ['announcements'] as const;

/** A page of those that the user sees, the unread ones first. */
export const announcementsQuery = (search: AnnouncementSearch) =>
  listQuery([...announcementsKey], search, (options) => api.GET('/api/announcements', options));
