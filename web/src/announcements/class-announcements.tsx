import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { Fetched } from '../ui/states.tsx';
import { NewAnnouncement } from './announcement-actions.tsx';
import { AnnouncementCard } from './announcement-card.tsx';
import { announcementsQuery } from './queries.ts';

const maxShown = 3;

/** The newest announcements to a class, which its instructors make and change. */
export function ClassAnnouncements({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const mayAnnounce = mayChange(of, useUser()) && !of.is_archived;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.announcements.title}</h2>
        {mayAnnounce && <NewAnnouncement classId={of.id} />}
      </div>
      <Fetched query={useQuery(announcementsQuery({ class_id: of.id }))}>
        {({ items, total }) =>
          total === 0 ? (
            <p className="text-sm text-ink-soft">{t.announcements.none}</p>
          ) : (
            <>
              <ul className="flex flex-col gap-3">
                {items.slice(0, maxShown).map((one) => (
                  <li key={one.id}>
                    <AnnouncementCard of={one} hasActions />
                  </li>
                ))}
              </ul>
              {total > maxShown && (
                <Link to="/announcements" search={{ class_id: of.id }} className="self-start text-sm underline">
                  {t.announcements.allOfClass(total)}
                </Link>
              )}
            </>
          )
        }
      </Fetched>
    </section>
  );
}
