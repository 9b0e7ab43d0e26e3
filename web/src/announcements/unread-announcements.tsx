import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useStrings } from '../strings/use-strings.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { announcementsQuery } from './queries.ts';

const maxShown = 3;

/** The unread announcements on the start page. */
export function UnreadAnnouncements() {
  const t = useStrings();
  const { data } = useQuery(announcementsQuery({ is_read: false }));
  const unread = (data?.items ?? []).filter(({ is_shown }) => is_shown);
  if (unread.length === 0) return null;
  return (
    <section aria-labelledby="announcements" className="flex flex-col gap-3">
      <h2 id="announcements" className="text-lg font-semibold">
        {t.announcements.title}
      </h2>
      {unread.slice(0, maxShown).map((one) => (
        <AnnouncementCard key={one.id} of={one} />
      ))}
      <Link to="/announcements" className="self-start text-sm underline">
        {t.announcements.all}
      </Link>
    </section>
  );
}
