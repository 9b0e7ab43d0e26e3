import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { itemOf } from '../ui/lists/arrivals.ts';
import { AnnouncementActions } from './announcement-actions.tsx';
import { AnnouncementBody } from './announcement-body.tsx';
import type { Announcement } from './queries.ts';

/** An announcement with its text. */
export function AnnouncementCard({ of, hasActions = false }: { of: Announcement; hasActions?: boolean }) {
  const t = useStrings();
  const { id, title, class_name, is_read, is_shown, may_change } = of;
  const isNew = is_shown && !is_read;
  return (
    <article
      ref={useScrolledTo(id)}
      id={`announcement-${id}`}
      {...itemOf('announcement', id)}
      aria-labelledby={`announcement-${id}-title`}
      className="panel flex flex-col gap-2 p-4"
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 id={`announcement-${id}-title`} className="font-semibold [overflow-wrap:anywhere]">
            {title}
          </h3>
          <Facts of={of} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {isNew && <Badge tone="info">{t.announcements.unread}</Badge>}
          {!is_shown && <Badge>{t.announcements.notShown}</Badge>}
          <Badge>{class_name ?? t.announcements.everybody}</Badge>
          {hasActions && may_change && <AnnouncementActions of={of} />}
        </div>
      </div>
      <AnnouncementBody of={of} />
    </article>
  );
}

function Facts({ of: { author, shows_from, shows_until, edited_at } }: { of: Announcement }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <p className="flex flex-wrap gap-x-2 text-xs text-ink-soft">
      {author !== null && <span>{author}</span>}
      <time dateTime={shows_from}>{format.time(shows_from)}</time>
      {shows_until !== null && <span>{t.announcements.shownUntil(format.time(shows_until))}</span>}
      {edited_at !== null && <span>{t.announcements.edited}</span>}
    </p>
  );
}

/** Shows the announcement that the address names, which is loaded after the page. */
function useScrolledTo(id: number) {
  const { hash } = useLocation();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hash === `announcement-${id}`) box.current?.scrollIntoView({ block: 'start' });
  }, [hash, id]);
  return box;
}
