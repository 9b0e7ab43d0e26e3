import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { sessionsQuery } from './queries.ts';
import { TitledCard } from './titled-card.tsx';

/** The user's sessions, which end one by one or all at once. */
export function SessionsCard() {
  const words = useStrings().profile.sessions;
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const end = async (id: number): Promise<void> => {
    await ok(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
    toasts.done(words.ended);
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  return (
    <TitledCard title={words.title}>
      <Fetched query={sessions}>
        {(list) => (
          <ul className="flex flex-col divide-y text-sm">
            {list.map(({ id, device, address, last_used_at, is_current }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-2">
                <div className="min-w-0 [overflow-wrap:anywhere]">
                  {device || words.unknown} {is_current && <Badge tone="info">{words.current}</Badge>}
                  <p className="text-ink-soft">
                    {address} · {format.ago(last_used_at)}
                  </p>
                </div>
                {!is_current && (
                  <Button
                    look="quiet"
                    aria-label={words.endOf(device || words.unknown)}
                    onClick={() => void end(id).catch(toasts.failed)}
                  >
                    {words.end}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          <LogOut size={16} aria-hidden="true" /> {words.logout}
        </Button>
      </div>
      <Confirm
        title={words.confirmTitle}
        action={words.logout}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => session.end({ everywhere: true })}
      >
        <p>{words.confirmHelp}</p>
      </Confirm>
    </TitledCard>
  );
}
