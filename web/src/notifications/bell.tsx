import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../routing/lazy-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { notificationsQuery, unreadAmong } from './queries.ts';

const Panel = lazy(() => lazyPart(async () => (await import('./notification-panel.tsx')).NotificationPanel));
const Live = lazy(() => lazyPart(async () => (await import('./live-notifications.tsx')).LiveNotifications));

/** Milliseconds that a page has for its own requests first. */
const pause = 1000;

/** The number of unread notifications, and a button for their list. */
export function Bell({ userId }: { userId: number }) {
  const t = useStrings();
  const [isReady, setReady] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), pause);
    return () => clearTimeout(timer);
  }, []);
  // The stream brings the list.
  const { data } = useQuery({ ...notificationsQuery, enabled: false });
  const count = unreadAmong(data ?? []).length;
  const button = (
    <IconButton
      label={data ? t.common.unreadNotifications(count) : t.common.notifications}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className="relative min-h-10 min-w-10"
      onClick={() => setOpen(!isOpen)}
    >
      <BellIcon size={20} aria-hidden="true" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-accent px-1 text-center text-xs leading-4.5 text-on-accent"
        >
          {count}
        </span>
      )}
    </IconButton>
  );
  return (
    <>
      {isReady && (
        <Suspense>
          <Live userId={userId} list={data} />
        </Suspense>
      )}
      {isOpen ? (
        <Suspense fallback={button}>
          <Panel button={button} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        button
      )}
    </>
  );
}
