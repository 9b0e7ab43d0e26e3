import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { browserNotices, switchBrowserNotices } from '../notifications/browser-notices.ts';
import { addressQuery, mailSettingsQuery, type NotificationKind, settingsQuery } from '../notifications/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/forms/field.tsx';
import { hasMail } from '../ui/site.ts';
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
  'supervision',
] as const satisfies readonly NotificationKind[];

/** What the user is notified of, and whether the browser shows it outside of the page. */
export function NotificationsCard() {
  const t = useStrings();
  return (
    <TitledCard title={t.common.notifications}>
      <Fetched query={useQuery(settingsQuery)} skeleton={<Skeleton className="h-48" />}>
        {(settings) => (
          <fieldset className="flex flex-col">
            <legend className="mb-1 text-sm text-ink-soft">{t.notifications.kindsHelp}</legend>
            {kinds.map((kind) => (
              <Kind key={kind} kind={kind} given={settings[kind]} />
            ))}
          </fieldset>
        )}
      </Fetched>
      <BrowserNotices />
      <Mails />
    </TitledCard>
  );
}

/** A kind that can be switched on and off. It is saved at once. */
function Kind({ kind, given }: { kind: (typeof kinds)[number]; given: boolean }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isOn, setOn] = useState(given);
  const save = async (next: boolean): Promise<void> => {
    setOn(next);
    try {
      const saved = await ok(api.PUT('/api/notifications/settings', { body: { [kind]: next } }));
      queries.setQueryData(settingsQuery.queryKey, saved);
    } catch (error) {
      setOn(!next);
      toasts.failed(error);
    }
  };
  return (
    <Checkbox label={t.notifications.kinds[kind]} checked={isOn} onChange={({ target }) => void save(target.checked)} />
  );
}

const mailKinds = ['exam_planned', 'results', 'feedback', 'hands'] as const;

/** The mails that the user can switch off, where mail is on. Those of `hands` are for staff. */
function Mails() {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const isStudent = useUser().role === 'student';
  const settings = useQuery({ ...mailSettingsQuery, enabled: hasMail });
  const address = useQuery({ ...addressQuery, enabled: hasMail });
  if (!hasMail) return null;
  const save = async (body: Partial<Answer<'/api/notifications/mail-settings'>>): Promise<void> => {
    queries.setQueryData(mailSettingsQuery.queryKey, (before) => before && { ...before, ...body });
    try {
      const saved = await ok(api.PUT('/api/notifications/mail-settings', { body }));
      queries.setQueryData(mailSettingsQuery.queryKey, saved);
    } catch (error) {
      toasts.failed(error);
      await queries.invalidateQueries(mailSettingsQuery);
    }
  };
  const check = async (): Promise<void> => {
    await ok(api.POST('/api/auth/email/check'));
    toasts.done(t.notifications.linkSent);
  };
  return (
    <>
      <Fetched query={settings} skeleton={<Skeleton className="h-28" />}>
        {(given) => (
          <fieldset className="flex flex-col">
            <legend className="mb-1 text-sm text-ink-soft">{t.notifications.mailsHelp}</legend>
            {mailKinds
              .filter((kind) => kind !== 'hands' || !isStudent)
              .map((kind) => (
                <Checkbox
                  key={kind}
                  label={t.notifications.mails[kind]}
                  checked={given[kind]}
                  onChange={({ target }) => void save({ [kind]: target.checked })}
                />
              ))}
          </fieldset>
        )}
      </Fetched>
      {address.data?.status === 'unconfirmed' && (
        <div className="flex flex-col items-start gap-2 text-sm">
          <p className="wrap-anywhere">{t.notifications.unconfirmed(address.data.email)}</p>
          <Button onClick={() => void check().catch(toasts.failed)}>{t.notifications.sendLinkAgain}</Button>
        </div>
      )}
    </>
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
