import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { lazyPart } from '../routing/lazy-part.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { type Announcement, announcementsQuery } from './queries.ts';

const maxShown = 3;

/** It shows Markdown, whose scripts are large. */
const AnnouncementBody = lazy(() => lazyPart(async () => (await import('./announcement-body.tsx')).AnnouncementBody));

/** The unread announcements on the start page, each in one line until it is unfolded. */
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
      <ul className="divide-y panel">
        {unread.slice(0, maxShown).map((one) => (
          <Line key={one.id} of={one} />
        ))}
      </ul>
      <Link to="/announcements" className="self-start text-sm underline">
        {t.announcements.all}
      </Link>
    </section>
  );
}

function Line({ of }: { of: Announcement }) {
  const t = useStrings();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2 text-sm">
          <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">{of.title}</span>
          <Badge>{of.class_name ?? t.announcements.everybody}</Badge>
          <time dateTime={of.shows_from} className="text-xs text-ink-soft">
            {format.time(of.shows_from)}
          </time>
        </summary>
        {isOpen && (
          <div className="flex flex-col gap-2 px-4 pb-4">
            <Suspense>
              <AnnouncementBody of={of} />
            </Suspense>
          </div>
        )}
      </details>
    </li>
  );
}
