import { useQuery } from '@tanstack/react-query';
import { useUser } from '../api/use-session.ts';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import { NewAnnouncement } from './announcement-actions.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { type Announcement, announcementsQuery } from './queries.ts';

/** The announcements to everybody and to the user's classes. */
export function AnnouncementsPage() {
  const t = useStrings();
  const address = useAddress('/announcements');
  const { role } = useUser();
  return (
    <ListPage
      title={t.announcements.title}
      lead={t.announcements.lead}
      actions={role === 'admin' && <NewAnnouncement classId={null} />}
      {...address}
      query={useQuery(announcementsQuery(address.search))}
      chip={{
        names: ['class_id'],
        text: (first: Announcement | undefined) => t.teaching.onlyUser(first?.class_name ?? t.classes.class),
      }}
      empty={{ title: t.announcements.none }}
    >
      {({ items }) => (
        <ul className="flex flex-col gap-3">
          {items.map((one) => (
            <li key={one.id}>
              <AnnouncementCard of={one} hasActions />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}
