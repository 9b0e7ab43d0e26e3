import { followEvents } from '../api/events.ts';
import type { Notification } from './queries.ts';

const path = '/api/notifications/events';
/** What a new tab asks the one with the connection. */
const question = 'list';

/** @param isFirst whether this tab has the connection, so that of several tabs one shows something outside of them */
type OnList = (list: Notification[], isFirst: boolean) => void;

/**
 * Follows the notifications of a user. A browser has few connections to a server, so of all tabs one has the stream and sends its events to
 * the others. When it is closed, another one connects.
 */
export function followNotifications(userId: number, signal: AbortSignal, onList: OnList): void {
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
