import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { LastUsed } from '../ui/last-used.tsx';
import { hasPasskeys } from '../ui/site.ts';
import { Fetched, Skeleton } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { secondFactorQuery } from './queries.ts';
import { RecoveryCodes } from './second-factor-set-up.tsx';
import { TitledCard } from './titled-card.tsx';

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => ok(api.GET('/api/auth/passkeys', { signal })),
});

/** The user's passkeys. Those of an installation that has none any more can be removed. */
export function PasskeysCard() {
  const words = useStrings().profile.passkeys;
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  if (!hasPasskeys && !passkeys.data?.length) return null;
  const close = (): void => setAdding(false);
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <Fetched query={passkeys} skeleton={<Skeleton className="h-10" />}>
        {(rows) => (
          <ul className="flex flex-col gap-2">
            {rows.length === 0 && <li className="text-sm text-ink-soft">{words.none}</li>}
            {rows.map(({ id, name, created_at, last_used_at }) => (
              <li key={id} className="flex items-start justify-between gap-2">
                <div className="min-w-0">
                  <p className="font-medium break-words">{name}</p>
                  <p className="text-sm text-ink-soft">
                    {format.time(created_at)} · <LastUsed time={last_used_at} words={words} />
                  </p>
                </div>
                <DeleteButton
                  label={words.remove(name)}
                  title={words.removeTitle}
                  onConfirm={async () => {
                    await ok(api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } }));
                    await queries.invalidateQueries(passkeysQuery);
                    await queries.invalidateQueries(secondFactorQuery);
                    toasts.done(words.removed);
                  }}
                >
                  <p>{words.removeHelp}</p>
                </DeleteButton>
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      {hasPasskeys && (
        <div>
          <Button aria-haspopup="dialog" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        </div>
      )}
      <Dialog title={words.add} isOpen={isAdding} onOpenChange={close}>
        <AddPasskey onDone={close} />
      </Dialog>
    </TitledCard>
  );
}

/** Lets the browser make a passkey, and shows the recovery codes where it is the first second factor. @param children as of the set-up */
export function AddPasskey({ onDone, children }: { onDone: () => void; children?: ReactNode }) {
  const words = useStrings().profile.passkeys;
  const toasts = useToasts();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const sent = useSentForm({ name: '' }, async ({ name }) => {
    const options = await ok(api.POST('/api/auth/passkeys/options'));
    const { startRegistration } = await import('@simplewebauthn/browser');
    // Whoever closes the browser's dialog gets no reason.
    const credential = await startRegistration({ optionsJSON: options as never }).catch(() => undefined);
    if (!credential) return toasts.warn(words.failed);
    const body = { name, credential: credential as never };
    const { recovery_codes } = await ok(api.POST('/api/auth/passkeys', { body }));
    await queries.invalidateQueries(passkeysQuery);
    toasts.done(words.added);
    if (recovery_codes.length > 0) setCodes(recovery_codes);
    else onDone();
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <>
      <SentForm sent={sent} action={words.add}>
        <TextField
          label={words.name}
          help={words.nameHelp}
          maxLength={100}
          required
          autoFocus
          {...sent.field('name')}
        />
      </SentForm>
      {children}
    </>
  );
}
