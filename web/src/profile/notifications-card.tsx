import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { browserNotices, switchBrowserNotices } from '../notifications/browser-notices.ts';
import { type NotificationKind, settingsQuery } from '../notifications/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

const kinds = [
  'exam_opens',
  'time_left',
  'more_time',
  'results',
  'deadline',
  'announcement',
] as const satisfies readonly NotificationKind[];

/** What the user is notified of, and whether the browser shows it outside of the page. */
export function NotificationsCard() {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const save = async (kind: NotificationKind, isOn: boolean): Promise<void> => {
    const show = (value: boolean): unknown =>
      queries.setQueryData(settingsQuery.queryKey, (shown) => shown && { ...shown, [kind]: value });
    show(isOn);
    try {
      await ok(api.PUT('/api/notifications/settings', { body: { [kind]: isOn } }));
    } catch (error) {
      show(!isOn);
      toasts.failed(error);
    }
  };
  return (
    <TitledCard title={t.common.notifications}>
      <Fetched query={useQuery(settingsQuery)} skeleton={<Skeleton className="h-48" />}>
        {(settings) => (
          <fieldset className="flex flex-col">
            <legend className="mb-1 text-sm text-ink-soft">{t.notifications.kindsHelp}</legend>
            {kinds.map((kind) => (
              <Checkbox
                key={kind}
                label={t.notifications.kinds[kind]}
                checked={settings[kind]}
                onChange={({ target }) => void save(kind, target.checked)}
              />
            ))}
          </fieldset>
        )}
      </Fetched>
      <BrowserNotices />
    </TitledCard>
  );
}

function BrowserNotices() {
  const t = useStrings();
  const [state, setState] = useState(browserNotices);
  const isOn = state === 'on';
  const change = (): void => void switchBrowserNotices(!isOn).then(setState);
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p className="text-ink-soft">{t.notifications.browser[state]}</p>
      {state !== 'refused' && state !== 'unsupported' && (
        <Button onClick={change}>{isOn ? t.notifications.browserOff : t.notifications.browserOn}</Button>
      )}
    </div>
  );
}
