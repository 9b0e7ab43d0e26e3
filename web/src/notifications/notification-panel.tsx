import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CalendarClock,
  ClipboardCheck,
  Clock,
  ClockPlus,
  GraduationCap,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  UserRoundCheck,
  Webhook,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { markRead, type Notification, type NotificationKind, notificationsQuery, unreadAmong } from './queries.ts';
import { addressOf, textOf } from './text.ts';

const icons: Record<NotificationKind, LucideIcon> = {
  exam_opens: GraduationCap,
  time_left: Clock,
  more_time: ClockPlus,
  results: ClipboardCheck,
  deadline: CalendarClock,
  announcement: Megaphone,
  supervision: UserRoundCheck,
  hand: UserRoundCheck,
  help: UserRoundCheck,
  report: MessageSquare,
  report_answer: MessageSquare,
  grade: ClipboardCheck,
  review: ClipboardCheck,
  evidence: ClipboardCheck,
  reopen: ClipboardCheck,
  reopened: Clock,
  reopen_declined: ClipboardCheck,
  webhook: Webhook,
  account_deletion: Clock,
};

/** The notifications below the bell. It is open when it mounts, because it is loaded on the user's request. */
export function NotificationPanel({ button, onClose }: { button: ReactNode; onClose: () => void }) {
  const t = useStrings();
  const query = useQuery(notificationsQuery);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor asChild>
        <span>{button}</span>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t.common.notifications}
          className="z-50 flex max-h-[min(32rem,80dvh)] w-96 max-w-[calc(100vw-1rem)] flex-col rounded-lg border bg-raised shadow-lg"
        >
          <div className="flex items-center justify-between gap-2 border-b px-4 py-2">
            <h2 className="font-semibold">{t.common.notifications}</h2>
            {unreadAmong(query.data ?? []).length > 0 && <ReadAll />}
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <Fetched query={query}>{(list) => <Items list={list} onGo={onClose} />}</Fetched>
          </div>
          <div className="flex flex-wrap gap-x-4 gap-y-1 border-t px-4 py-2 text-sm">
            <Link to="/announcements" className="underline" onClick={onClose}>
              {t.notifications.toAnnouncements}
            </Link>
            <Link to="/profile" className="underline" onClick={onClose}>
              {t.notifications.toSettings}
            </Link>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function ReadAll() {
  const t = useStrings();
  const toasts = useToasts();
  // The stream brings the new list.
  return (
    <Button look="quiet" size="small" onClick={() => void markRead().catch(toasts.failed)}>
      {t.notifications.readAll}
    </Button>
  );
}

function Items({ list, onGo }: { list: readonly Notification[]; onGo: () => void }) {
  const t = useStrings();
  if (list.length === 0) return <p className="px-4 py-6 text-center text-sm text-ink-soft">{t.notifications.none}</p>;
  return (
    <ul className="divide-y text-sm">
      {list.map((one) => (
        <li key={one.key}>
          <Item of={one} onGo={onGo} />
        </li>
      ))}
    </ul>
  );
}

function Item({ of, onGo }: { of: Notification; onGo: () => void }) {
  const t = useStrings();
  const format = useFormat();
  const { kind, class_name, created_at, is_read } = of;
  const Icon = icons[kind];
  const href = addressOf(of);
  return (
    <a
      href={href}
      className="flex gap-3 px-4 py-3 hover:bg-sunken"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onGo();
        navigate({ href });
      }}
    >
      <Icon
        size={18}
        aria-hidden="true"
        className={classes('mt-0.5 shrink-0', is_read ? 'text-ink-soft' : 'text-accent')}
      />
      <span className="min-w-0 flex-1">
        <span className={classes('block [overflow-wrap:anywhere]', !is_read && 'font-medium')}>
          {textOf(t.notifications.texts, of, format.time)}
          {!is_read && <span className="sr-only"> ({t.notifications.unread})</span>}
        </span>
        <span className="block text-xs text-ink-soft">
          {class_name !== null && `${class_name} · `}
          <time dateTime={created_at}>{format.ago(created_at)}</time>
        </span>
      </span>
    </a>
  );
}
