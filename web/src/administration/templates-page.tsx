import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Plus, Wifi } from 'lucide-react';
import { useState } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/forms/field.tsx';
import { itemOf } from '../ui/lists/arrivals.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type Template, templatesQuery } from './queries.ts';
import { TemplateForm } from './template-form.tsx';
import { useTemplateActions } from './use-template-actions.ts';

/** The templates of sandboxes, in the order that students see. */
export function TemplatesPage() {
  const t = useStrings();
  const templates = useQuery(templatesQuery);
  const [edited, setEdited] = useState<Template | 'new'>();
  const close = (): void => setEdited(undefined);
  const add = (
    <Button look="primary" aria-haspopup="dialog" onClick={() => setEdited('new')}>
      <Plus size={16} aria-hidden="true" /> {t.administration.newTemplate}
    </Button>
  );
  return (
    <Page title={t.common.links.templates} lead={t.administration.templatesLead} actions={add}>
      <Fetched query={templates}>
        {(items) =>
          items.length > 0 ? (
            <ol className="flex flex-col gap-3">
              {items.map((template, index) => (
                <li key={template.id} {...itemOf('sandbox_template', template.id)} className="rounded-lg">
                  <OneTemplate templates={items} template={template} index={index} onEdit={() => setEdited(template)} />
                </li>
              ))}
            </ol>
          ) : (
            <Empty title={t.administration.noTemplatesTitle}>{t.administration.noTemplatesHelp}</Empty>
          )
        }
      </Fetched>
      <Dialog
        title={
          edited === 'new' || edited === undefined
            ? t.administration.newTemplate
            : t.administration.editTitle(edited.name)
        }
        isOpen={edited !== undefined}
        onOpenChange={close}
      >
        {edited && <TemplateForm template={edited === 'new' ? undefined : edited} onDone={close} />}
      </Dialog>
    </Page>
  );
}

function OneTemplate({
  templates,
  template,
  index,
  onEdit,
}: {
  templates: readonly Template[];
  template: Template;
  index: number;
  onEdit: () => void;
}) {
  const t = useStrings();
  const format = useFormat();
  const actions = useTemplateActions();
  const { id, name, description, image, memory_mb, cpus, has_internet, is_active, minimum_role } = template;
  const move = (to: number): void => actions.move.mutate({ templates, from: index, to });
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="flex flex-col">
        <IconButton label={t.administration.moveUp(name)} disabled={index === 0} onClick={() => move(index - 1)}>
          <ArrowUp size={18} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t.administration.moveDown(name)}
          disabled={index === templates.length - 1}
          onClick={() => move(index + 1)}
        >
          <ArrowDown size={18} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-w-48 flex-1">
        <h2 className="font-medium break-words">{name}</h2>
        {description && <p className="text-sm text-ink-soft">{description}</p>}
        <p className="mt-2 flex flex-wrap items-center gap-2 text-xs text-ink-soft">
          <code className="wrap-anywhere">{image}</code>
          <span>{t.administration.sizeOf(memory_mb, format.number(cpus))}</span>
          {has_internet && (
            <Badge tone="info">
              <Wifi size={12} aria-hidden="true" /> {t.administration.hasInternet}
            </Badge>
          )}
          {minimum_role !== 'student' && <Badge tone="warn">{t.administration.minimumRoles[minimum_role]}</Badge>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <Checkbox
          label={t.administration.offeredShort}
          aria-label={`${t.administration.offeredShort}: ${name}`}
          checked={is_active}
          onChange={({ target }) => actions.activate.mutate({ id, is_active: target.checked })}
        />
        <IconButton label={`${t.common.edit} ${name}`} aria-haspopup="dialog" onClick={onEdit}>
          <Pencil size={18} aria-hidden="true" />
        </IconButton>
        <DeleteButton
          label={`${t.common.delete} ${name}`}
          title={t.administration.deleteTitle(name)}
          onConfirm={() => actions.remove(template)}
        >
          {t.administration.deleteTemplateHelp} {t.common.undoHelp}
        </DeleteButton>
      </div>
    </Card>
  );
}
