import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { renderSVG } from 'uqr';
import { api } from '../api/client.ts';
import { saveFile } from '../api/download.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { secondFactorQuery } from './queries.ts';

/** Shows a secret to the app, takes a code of it, and shows the recovery codes. @param children what else can be done before */
export function SecondFactorSetUp({ onDone, children }: { onDone: () => void; children?: ReactNode }) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const begun = useQuery({
    queryKey: ['second-factor', 'secret'],
    queryFn: () => ok(api.POST('/api/auth/totp')),
    // Each request makes another secret.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          onDone();
          void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
        }}
      />
    );
  return (
    <>
      <Fetched query={begun}>{(secret) => <ConfirmForm {...secret} onConfirmed={setCodes} />}</Fetched>
      {children}
    </>
  );
}

function ConfirmForm({
  secret,
  uri,
  onConfirmed,
}: {
  secret: string;
  uri: string;
  onConfirmed: (codes: readonly string[]) => void;
}) {
  const words = useStrings().profile.secondFactor;
  const { form, field, error, onSubmit } = useSentForm({ code: '' }, async ({ code }) => {
    const { recovery_codes } = await ok(api.POST('/api/auth/totp/confirm', { body: { code } }));
    onConfirmed(recovery_codes);
  });
  const isWrong = isRefusal(error, 'wrong_code');
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <p className="text-sm">{words.scan}</p>
      <img
        alt={words.picture}
        className="size-44 self-center rounded-md bg-white p-2"
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`}
      />
      <p className="text-sm text-ink-soft">
        {words.byHand} <code className="select-all [overflow-wrap:anywhere] text-ink">{secret}</code>
      </p>
      {!isWrong && error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        minLength={6}
        maxLength={20}
        {...field('code')}
        {...(isWrong ? { problem: words.wrong } : {})}
      />
      <Button type="submit" look="primary" className="self-start" isBusy={form.formState.isSubmitting}>
        {words.confirm}
      </Button>
    </form>
  );
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const words = useStrings().profile.secondFactor;
  const save = (): void =>
    saveFile(new Blob([`${codes.join('\r\n')}\r\n`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{words.recoveryLead}</p>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-md bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={save}>{words.save}</Button>
        <Button look="primary" onClick={onDone}>
          {words.saved}
        </Button>
      </div>
    </div>
  );
}
