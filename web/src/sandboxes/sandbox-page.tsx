import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Button } from '../ui/button.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { type Container, containerQuery, useSandboxActions } from './queries.ts';
import { ResetButton } from './reset-button.tsx';

/** One sandbox: its terminal over the whole page. */
export function SandboxPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/sandboxes/$containerId' }).containerId);
  const container = useQuery(containerQuery(id));
  useTitle(container.data?.name ?? t.sandboxes.title);
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-3 border-b bg-surface px-3 py-2">
        <Crumbs>
          <Crumb to="/sandboxes">{t.sandboxes.title}</Crumb>
        </Crumbs>
        <h1 className="min-w-0 flex-1 truncate font-medium">{container.data?.name}</h1>
        {container.data && container.data.status !== 'creating' && <ResetButton container={container.data} />}
      </div>
      <div className="min-h-0 flex-1">
        <Fetched query={container} skeleton={<Skeleton className="m-4 h-64" />}>
          {(data) =>
            data.status === 'running' ? (
              <TerminalPane key={data.created_at} containerId={id} />
            ) : (
              <Stopped container={data} />
            )
          }
        </Fetched>
      </div>
    </div>
  );
}

function Stopped({ container: { id, status, stop_reason, kept_when_stopped } }: { container: Container }) {
  const t = useStrings();
  const { start } = useSandboxActions();
  const canStart = status === 'stopped' && stop_reason !== 'disk';
  return (
    <div className="flex flex-col gap-4 p-6">
      <Empty
        title={t.sandboxes.statuses[status]}
        action={
          canStart && (
            <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate(id)}>
              <Play size={16} aria-hidden="true" /> {t.sandboxes.start}
            </Button>
          )
        }
      >
        {stop_reason && <>{t.sandboxes.stopReasons[stop_reason]} </>}
        {canStart && t.sandboxes.stoppedHelp[kept_when_stopped]}
        {status !== 'stopped' && t.sandboxes.notRunningHelp}
      </Empty>
      {start.error && <ProblemNote error={start.error} />}
    </div>
  );
}
