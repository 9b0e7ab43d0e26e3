import { useQuery } from '@tanstack/react-query';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { invitationLink } from './invitations.ts';

/** Issues an invitation to one user when it is shown, and shows its link. */
export function IssuedInvitation({
  userId,
  issue,
}: {
  userId: number;
  issue: () => Promise<{ code: string; expires_at: string }>;
}) {
  const t = useStrings();
  const format = useFormat();
  const issued = useQuery({
    queryKey: ['invitation', userId],
    queryFn: issue,
    // Each request issues another one.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  // A refusal stays one: the user has a password.
  if (issued.error) return <ProblemNote error={issued.error} />;
  return (
    <Fetched query={issued}>
      {({ code, expires_at }) => (
        <div className="flex flex-col gap-2">
          <code className="rounded-md bg-sunken p-3 text-sm [overflow-wrap:anywhere] select-all">
            {invitationLink(code)}
          </code>
          <p className="text-sm text-ink-soft">{t.imports.inviteUntil(format.date(expires_at))}</p>
        </div>
      )}
    </Fetched>
  );
}
