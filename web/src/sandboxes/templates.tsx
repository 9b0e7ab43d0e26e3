import { useQuery } from '@tanstack/react-query';
import { Globe, Plus } from 'lucide-react';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { templatesQuery, useSandboxActions } from './queries.ts';

/** The templates for new sandboxes. */
export function Templates() {
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
            <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
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
