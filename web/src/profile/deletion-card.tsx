import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

const deletionQuery = queryOptions({
  queryKey: ['profile', 'deletion'],
  queryFn: ({ signal }) => ok(api.GET('/api/profile/deletion', { signal })),
});

/** Asks for the deletion of the account, or withdraws that. */
export function DeletionCard() {
  const words = useStrings().profile.deletion;
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const refresh = () => queries.invalidateQueries(deletionQuery);
  return (
    <TitledCard title={words.title}>
      <Fetched query={useQuery(deletionQuery)}>
        {({ requested_at }) => (
          <>
            <p className="text-sm text-ink-soft">
              {requested_at === null ? words.lead : words.requested(format.time(requested_at))}
            </p>
            <div>
              {requested_at === null ? (
                <Button look="danger" aria-haspopup="dialog" onClick={() => setAsking(true)}>
                  {words.ask}
                </Button>
              ) : (
                <Button onClick={() => void ok(api.DELETE('/api/profile/deletion')).then(refresh).catch(toasts.failed)}>
                  {words.withdraw}
                </Button>
              )}
            </div>
            <Confirm
              title={words.confirmTitle}
              action={words.ask}
              isOpen={isAsking}
              onOpenChange={setAsking}
              onConfirm={async () => {
                await ok(api.POST('/api/profile/deletion'));
                await refresh();
              }}
            >
              <p>{words.lead}</p>
            </Confirm>
          </>
        )}
      </Fetched>
    </TitledCard>
  );
}
