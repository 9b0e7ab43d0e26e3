import { useQuery } from '@tanstack/react-query';
import { Play, Square, SquareTerminal } from 'lucide-react';
import { Link } from '../routing/link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card, type Tone } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, templatesQuery, useSandboxActions } from './queries.ts';
import { ResetButton } from './reset-button.tsx';

const tones: Record<Container['status'], Tone> = {
  creating: 'info',
  running: 'good',
  stopped: 'neutral',
  failed: 'bad',
};

/** One sandbox with its state and actions. */
export function SandboxCard({ container }: { container: Container }) {
  const t = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const { start, stop, remove } = useSandboxActions();
  const { data: templates = [] } = useQuery(templatesQuery);
  const { id, name, status, stop_reason, expires_at } = container;
  const template = templates.find((one) => one.id === container.template_id);
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          <Link to="/sandboxes/$containerId" params={{ containerId: `${id}` }} className="truncate hover:underline">
            {name}
          </Link>
          <Badge tone={tones[status]}>{t.sandboxes.statuses[status]}</Badge>
        </h2>
        <p className="text-sm text-ink-soft">
          {template?.name}
          {template && expires_at && ' · '}
          {expires_at && t.sandboxes.goesAt(format.time(expires_at))}
        </p>
        {stop_reason && <p className="text-sm text-warn">{t.sandboxes.stopReasons[stop_reason]}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {status === 'running' && (
          <>
            <ButtonLink to="/sandboxes/$containerId" params={{ containerId: `${id}` }} size="small">
              <SquareTerminal size={16} aria-hidden="true" /> {t.sandboxes.openTerminal}
            </ButtonLink>
            <Button
              size="small"
              isBusy={stop.isPending}
              onClick={() => stop.mutate(id, { onError: (error) => toasts.failed(error) })}
            >
              <Square size={15} aria-hidden="true" /> {t.sandboxes.stop}
            </Button>
          </>
        )}
        {status === 'stopped' && stop_reason !== 'disk' && (
          <Button
            size="small"
            look="primary"
            isBusy={start.isPending}
            onClick={() => start.mutate(id, { onError: (error) => toasts.failed(error) })}
          >
            <Play size={15} aria-hidden="true" /> {t.sandboxes.start}
          </Button>
        )}
        {status !== 'creating' && <ResetButton container={container} />}
        <DeleteButton
          label={t.sandboxes.deleteNamed(name)}
          title={t.sandboxes.deleteTitle(name)}
          onConfirm={() => remove.mutateAsync(id)}
        >
          <p>{t.sandboxes.deleteHelp}</p>
        </DeleteButton>
      </div>
    </Card>
  );
}
