import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { invitationLink } from '../imports/invitations.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Fetched } from '../ui/states.tsx';
import type { User } from './queries.ts';

/** Issues an invitation to one user, and shows its link. */
export function UserInvitation({ user: { id } }: { user: User }) {
  const t = useStrings();
  const format = useFormat();
  const issued = useQuery({
    queryKey: ['invitation', id],
    queryFn: () => ok(api.POST('/api/admin/users/{id}/invitation', { params: { path: { id } } })),
    // Each request issues another one.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  return (
    <Fetched query={issued}>
      {({ code, expires_at }) => (
        <div className="flex flex-col gap-2">
          <code className="rounded-md bg-sunken p-3 text-sm [overflow-wrap:anywhere] select-all">
            {invitationLink(code)}
          </code>
          <p className="text-sm text-ink-soft">{t.administration.inviteUntil(format.date(expires_at))}</p>
        </div>
      )}
    </Fetched>
  );
}
