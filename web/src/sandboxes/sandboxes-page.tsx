import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Globe, Play, Plus, Square, SquareTerminal } from 'lucide-react';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card, type Tone } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, sandboxesQuery, templatesQuery, useSandboxActions } from './queries.ts';
import { ResetButton } from './reset-button.tsx';

/** The user's sandboxes, and the templates for new ones. */
export function SandboxesPage() {
  const t = useStrings();
  const sandboxes = useQuery(sandboxesQuery);
  const kept = sandboxes.data?.[0]?.kept_when_stopped;
  return (
    <Page title={t.sandboxes.title} lead={t.sandboxes.lead}>
      <p className="text-sm text-ink-soft">
        {t.sandboxes.room} {kept && t.sandboxes.keptWhenStopped[kept]}
      </p>
      <Fetched query={sandboxes} skeleton={<Loading rows={2} className="h-20" />}>
        {(mine) =>
          mine.length === 0 ? (
            <Empty title={t.sandboxes.emptyTitle}>{t.sandboxes.emptyHelp}</Empty>
          ) : (
            <ul className="flex flex-col gap-3">
              {mine.map((container, index) => (
                <li key={container.id}>
                  <SandboxCard container={container} isMain={index === 0} />
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <Templates />
    </Page>
  );
}

const tones: Record<Container['status'], Tone> = {
  creating: 'info',
  running: 'good',
  stopped: 'neutral',
  failed: 'bad',
};

/**
 * One sandbox with its state and actions.
 * @param isMain whether its action is that of the page: a view has one such button
 */
function SandboxCard({ container, isMain }: { container: Container; isMain: boolean }) {
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
            <ButtonLink
              to="/sandboxes/$containerId"
              params={{ containerId: `${id}` }}
              look={isMain ? 'primary' : 'plain'}
              size="small"
            >
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
            look={isMain ? 'primary' : 'plain'}
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

/** The templates for new sandboxes. */
function Templates() {
  const t = useStrings();
  const toasts = useToasts();
  const templates = useQuery(templatesQuery);
  const { create } = useSandboxActions();
  const make = (templateId: number): void =>
    create.mutate(templateId, {
      onSuccess: ({ id }) => navigate({ to: '/sandboxes/$containerId', params: { containerId: `${id}` } }),
      onError: (error) => toasts.failed(error),
    });
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t.sandboxes.templatesTitle}</h2>
      <Fetched query={templates} skeleton={<Loading rows={2} className="h-28" />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t.sandboxes.noTemplates} />
          ) : (
            <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {all.map(({ id, name, description, memory_mb, cpus, has_internet }) => (
                <li key={id}>
                  <Card className="flex h-full flex-col gap-3">
                    <div className="flex-1">
                      <h3 className="font-medium">{name}</h3>
                      <p className="mt-1 text-sm text-ink-soft">{description}</p>
                    </div>
                    <p className="flex flex-wrap gap-2">
                      <Badge>{t.sandboxes.memory(memory_mb)}</Badge>
                      <Badge>{t.sandboxes.processors(cpus)}</Badge>
                      {has_internet && (
                        <Badge tone="info">
                          <Globe size={12} aria-hidden="true" /> {t.sandboxes.internet}
                        </Badge>
                      )}
                    </p>
                    <Button
                      onClick={() => make(id)}
                      isBusy={create.isPending && create.variables === id}
                      disabled={create.isPending}
                      aria-label={t.sandboxes.createFrom(name)}
                    >
                      <Plus size={16} aria-hidden="true" /> {t.sandboxes.create}
                    </Button>
                  </Card>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </section>
  );
}
