import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { ActionButton } from '../terminal/bar-action.tsx';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Button } from '../ui/button.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { type Container, containerQuery, useSandboxActions } from './queries.ts';
import { useReset } from './reset-button.tsx';

/** One sandbox: its terminal over the whole page. */
export function SandboxPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/sandboxes/$containerId' }).containerId);
  const container = useQuery(containerQuery(id));
  useTitle(container.data?.name ?? t.sandboxes.title);
  if (container.data) return <Sandbox container={container.data} />;
  return (
    <>
      <div className="flex min-h-11 items-center border-b bg-surface px-2 text-sm">
        <Above />
      </div>
      <Fetched query={container} skeleton={<Skeleton className="m-4 h-64" />}>
        {() => null}
      </Fetched>
    </>
  );
}

function Above() {
  const t = useStrings();
  return (
    <Crumbs>
      <Crumb to="/sandboxes">{t.sandboxes.title}</Crumb>
    </Crumbs>
  );
}

function Sandbox({ container }: { container: Container }) {
  const { id, name, status, created_at } = container;
  const { action, question } = useReset(container);
  const lead = (
    <div className="flex min-w-0 items-center gap-2">
      <div className="shrink-0 @max-lg:hidden">
        <Above />
      </div>
      <h1 className="min-w-0 truncate font-medium">{name}</h1>
    </div>
  );
  return (
    <>
      {status === 'running' ? (
        <TerminalPane key={created_at} containerId={id} lead={lead} actions={[action]} />
      ) : (
        <>
          <div className="flex min-h-11 items-center justify-between gap-2 border-b bg-surface px-2 text-sm">
            {lead}
            {status !== 'creating' && <ActionButton action={action} />}
          </div>
          <Stopped container={container} />
        </>
      )}
      {question}
    </>
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
