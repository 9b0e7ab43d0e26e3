import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { announcementsKey } from '../announcements/queries.ts';
import { navigate } from '../routing/location.ts';
import { useShown } from '../routing/location-context.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { showBrowserNotice } from './browser-notices.ts';
import { followNotifications } from './follow.ts';
import { addressOf, markRead, type Notification, notificationsQuery, unreadAmong } from './queries.ts';
import { textOf } from './text.ts';

/** Receives notifications, shows new ones, and marks those as read whose page the user has opened. It shows nothing itself. */
export function LiveNotifications({ userId, list }: { userId: number; list: readonly Notification[] | undefined }) {
  const queries = useQueryClient();
  const announce = useAnnouncement();
  const latest = useRef(announce);
  useEffect(() => {
    latest.current = announce;
  });
  useEffect(() => {
    const end = new AbortController();
    // Notifications from before the page was opened are counted, and not announced.
    let known: Set<string> | undefined;
    followNotifications(userId, end.signal, (next, isFirst) => {
      const before = known;
      known = new Set(next.map(identity));
      queries.setQueryData(notificationsQuery.queryKey, next);
      // Their texts are fetched, where a page shows them.
      void queries.invalidateQueries({ queryKey: announcementsKey });
      if (before)
        latest.current(
          unreadAmong(next).filter((one) => !before.has(identity(one))),
          isFirst,
        );
    });
    return () => end.abort();
  }, [userId, queries]);
  useVisits(list);
  return null;
}

/** A second notification of the same is new. */
const identity = ({ key, created_at }: Notification): string => `${key} ${created_at}`;

function useAnnouncement() {
  const t = useStrings();
  const { texts } = t.notifications;
  const format = useFormat();
  const toasts = useToasts();
  return (found: readonly Notification[], isFirst: boolean): void => {
    const isVisible = document.visibilityState === 'visible';
    for (const one of found) {
      const text = textOf(texts, one, format.time);
      if (isVisible) (one.kind === 'time_left' ? toasts.warn : toasts.inform)(text);
      else if (isFirst)
        showBrowserNotice(one.class_name ?? t.common.product, text, one.key, () => navigate(addressOf(one)));
    }
  };
}

/** Whoever is on the page of a notification has seen it. */
function useVisits(list: readonly Notification[] | undefined): void {
  const { href } = useShown().location;
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const seen = unreadAmong(list ?? []).filter((one) => addressOf(one) === href && !asked.current.has(identity(one)));
    if (seen.length === 0) return;
    for (const one of seen) asked.current.add(identity(one));
    markRead(seen.map(({ key }) => key)).catch(() => {});
  }, [list, href]);
}
