import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { ImportProblems } from '../imports/import-problems.tsx';
import { saveInvitations } from '../imports/invitations.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card, ProgressBar } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type UserImport, userImportsQuery } from './queries.ts';

/** The last import of users: its progress, its problems, or the invitations that were not used yet. */
export function ImportProgress() {
  const { imports: t } = useStrings();
  const queries = useQueryClient();
  const last = useQuery(userImportsQuery).data?.[0];
  const [hidden, setHidden] = useState<number>();
  const status = last?.status;
  // Also at the first visit: the list may be older than the end of the import.
  useEffect(() => {
    if (status === 'done') void queries.invalidateQueries({ queryKey: ['administration', 'users'] });
  }, [status, queries]);
  if (!last || last.id === hidden || (last.status === 'done' && last.invited === 0)) return undefined;
  return (
    <Card className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-2">
        <p className="font-medium">{titleOf(t.progress, last)}</p>
        {last.status === 'running' && (
          <>
            <ProgressBar value={(100 * last.done) / last.total} label={titleOf(t.progress, last)} />
            <p className="text-sm text-ink-soft">{t.progress.runningHelp}</p>
          </>
        )}
        {last.status === 'done' && <p className="text-sm">{t.progress.waiting(last.invited)}</p>}
      </div>
      {last.problems && <ImportProblems problems={last.problems} count={last.problems.length} />}
      <Actions of={last} onHide={() => setHidden(last.id)} />
    </Card>
  );
}

type Words = ReturnType<typeof useStrings>['imports']['progress'];
const titleOf = (t: Words, { status, done, total }: UserImport): string => {
  if (status === 'running') return t.running(done, total);
  return status === 'done' ? t.done(total) : t[status];
};

function Actions({ of: { id, status, has_codes }, onHide }: { of: UserImport; onHide: () => void }) {
  const { imports: t } = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const params = { path: { id } };
  const refresh = () => queries.invalidateQueries({ queryKey: userImportsQuery.queryKey });
  const cancel = async (): Promise<void> => {
    setBusy(true);
    await ok(api.POST('/api/admin/user-imports/{id}/cancel', { params }))
      .catch(toasts.failed)
      .finally(() => setBusy(false));
    await refresh();
  };
  const issue = async (): Promise<void> => {
    saveInvitations(await ok(api.POST('/api/admin/user-imports/{id}/invitations', { params })));
    await refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'running' && (
        <Button isBusy={isBusy} onClick={() => void cancel()}>
          {t.progress.cancel}
        </Button>
      )}
      {status === 'done' && (
        <Button look="primary" onClick={() => (has_codes ? setAsking(true) : void issue().catch(toasts.failed))}>
          {t.saveInvitations}
        </Button>
      )}
      {status !== 'running' && <Button onClick={onHide}>{t.progress.close}</Button>}
      <Confirm
        title={t.progress.renewTitle}
        action={t.progress.renew}
        look="primary"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={issue}
      >
        {t.progress.renewHelp}
      </Confirm>
    </div>
  );
}
