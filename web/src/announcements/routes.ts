import { lazyPage } from '../routing/lazy-page.ts';

export const announcementRoutes = {
  // The field for Markdown uses texts of the staff's pages.
  '/announcements': lazyPage(() => import('./announcements-page.tsx'), 'AnnouncementsPage', ['learning', 'staff']),
};
