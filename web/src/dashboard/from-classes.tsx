import { UnreadAnnouncements } from '../announcements/unread-announcements.tsx';
import { OwnDeadlines } from '../teaching-model/own-deadlines.tsx';

/** What the user's classes have to say. It is loaded after the page, because it shows Markdown. */
export function FromClasses() {
  return (
    <>
      <UnreadAnnouncements />
      <OwnDeadlines />
    </>
  );
}
