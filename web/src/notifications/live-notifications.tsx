import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { announcementsKey } from '../announcements/queries.ts';
import { followEvents } from '../api/events.ts';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { useSite } from '../ui/site.ts';
import { useToasts } from '../ui/toasts.tsx';
import { showBrowserNotice } from './browser-notices.ts';
import { markRead, type Notification, notificationsQuery, unreadAmong } from './queries.ts';
import { addressOf, textOf } from './text.ts';

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
      // Of help/queries.ts, which would be a further file of the first load.
      void queries.invalidateQueries({ queryKey: ['help'] });
      if (!before) return;
      const fresh = unreadAmong(next).filter((one) => !before.has(identity(one)));
      latest.current(fresh, isFirst);
      // What people decided and said, and the results that follow.
      if (fresh.some(({ kind }) => ['grade', 'review', 'reopen', 'reopened', 'reopen_declined'].includes(kind)))
        for (const key of ['feedback', 'attempts']) void queries.invalidateQueries({ queryKey: [key] });
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
  const { product } = useSite();
  const format = useFormat();
  const toasts = useToasts();
  return (found: readonly Notification[], isFirst: boolean): void => {
    const isVisible = document.visibilityState === 'visible';
    for (const one of found) {
      const text = textOf(texts, one, format.time);
      if (isVisible) (one.kind === 'time_left' ? toasts.warn : toasts.inform)(text);
      else if (isFirst)
        showBrowserNotice(one.class_name ?? product, text, one.key, () => navigate({ href: addressOf(one) }));
    }
  };
}

/** Whoever is on the page of a notification has seen it. */
function useVisits(list: readonly Notification[] | undefined): void {
  const { href } = useLocation();
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const seen = unreadAmong(list ?? []).filter((one) => addressOf(one) === href && !asked.current.has(identity(one)));
    if (seen.length === 0) return;
    for (const one of seen) asked.current.add(identity(one));
    markRead(seen.map(({ key }) => key)).catch(() => {});
  }, [list, href]);
}

const path = '/api/notifications/events';
/** What a new tab asks the one with the connection. */
const question = 'list';

/** @param isFirst whether this tab has the connection, so that of several tabs one shows something outside of them */
type OnList = (list: Notification[], isFirst: boolean) => void;

/**
 * Follows the notifications of a user. A browser has few connections to a server, so of all tabs one has the stream and sends its events to
 * the others. When it is closed, another one connects.
 */
function followNotifications(userId: number, signal: AbortSignal, onList: OnList): void {
  const name = `notifications-${userId}`;
  const channel = new BroadcastChannel(name);
  let last: Notification[] | undefined;
  channel.addEventListener('message', ({ data }: MessageEvent<Notification[] | typeof question>) => {
    if (data !== question) onList(data, false);
    else if (last) channel.postMessage(last);
  });
  channel.postMessage(question);
  signal.addEventListener('abort', () => channel.close());
  const connect = (until: AbortSignal): Promise<void> =>
    followEvents(path, {
      signal: until,
      onLive: () => {},
      onEvent: (event, data) => {
        if (event !== 'notifications' || until.aborted) return;
        last = data as Notification[];
        onList(last, true);
        channel.postMessage(last);
      },
    }).catch(() => {});
  // Only in a secure context: https, or this machine.
  if ('locks' in navigator) navigator.locks.request(name, { signal }, () => connect(signal)).catch(() => {});
  else whileVisible(signal, connect);
}

/** Tabs in the background have no connection. */
function whileVisible(signal: AbortSignal, connect: (until: AbortSignal) => Promise<void>): void {
  let end: AbortController | undefined;
  const check = (): void => {
    if (document.visibilityState === 'visible') {
      if (end) return;
      end = new AbortController();
      void connect(AbortSignal.any([signal, end.signal]));
    } else {
      end?.abort();
      end = undefined;
    }
  };
  document.addEventListener('visibilitychange', check, { signal });
  check();
}
