import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Checkbox } from '../ui/forms/field.tsx';

type Consent = Answer<'/api/profile/recording-consent'>;

const consentQuery = queryOptions({
  queryKey: ['recording-consent'],
  queryFn: ({ signal }) => ok(api.GET('/api/profile/recording-consent', { signal })),
});

/** The user's consent to recordings. Undefined where nobody is asked, or it is not known yet. */
export function useConsent(isEnabled = true): Consent | undefined {
  const { data } = useQuery({ ...consentQuery, enabled: isEnabled });
  return data?.is_required ? data : undefined;
}

export function useDecision(): (is_given: boolean) => Promise<void> {
  const queries = useQueryClient();
  return async (is_given) => {
    queries.setQueryData(
      consentQuery.queryKey,
      await ok(api.PUT('/api/profile/recording-consent', { body: { is_given } })),
    );
  };
}

/** What is recorded, who sees it and for how long, and whether the user agrees. */
export function ConsentChoice({
  consent: { recording_days, decided_at },
  isGiven,
  onChange,
}: {
  consent: Consent;
  isGiven: boolean;
  onChange: (isGiven: boolean) => void;
}) {
  const words = useStrings().attempts.recordingConsent;
  const format = useFormat();
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{words.text(recording_days)}</p>
      <Checkbox label={words.agree} checked={isGiven} onChange={({ target }) => onChange(target.checked)} />
      {decided_at !== null && <p className="text-ink-soft">{words.decided(format.time(decided_at))}</p>}
    </div>
  );
}
