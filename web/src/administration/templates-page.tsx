import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Plus, Wifi } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { Images } from '../authoring/images.tsx';
import { useAddress, useTabAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ImageField } from '../teaching-model/images.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { itemOf, showArrival } from '../ui/lists/arrivals.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { type Template, templatesQuery } from './queries.ts';

const path = '/administration/templates';

/** The templates of sandboxes, and the images that all machines are created from. */
export function TemplatesPage() {
  const t = useStrings();
  const { tab } = useAddress(path).search;
  const titles = { templates: t.common.links.templates, images: t.authoring.images.title };
  return (
    <Page title={t.common.links.templates}>
      <Tabs label={t.common.links.templates} titles={titles} shown={tab}>
        <TabPanel name="templates">
          <Templates />
        </TabPanel>
        <TabPanel name="images">
          <ImagesOfAll />
        </TabPanel>
      </Tabs>
    </Page>
  );
}

function ImagesOfAll() {
  const { search, onSearch } = useTabAddress(path, 'images');
  return <Images page={search.page} onPage={(page) => onSearch({ page })} />;
}

/** The templates of sandboxes, in the order that students see. */
function Templates() {
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
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-72 text-sm text-ink-soft">{t.administration.templatesLead}</p>
        {add}
      </div>
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
      <EditDialog edited={edited} add={t.administration.newTemplate} edit={t.administration.editTitle} onClose={close}>
        {(template) => <TemplateForm template={template} onDone={close} />}
      </EditDialog>
    </>
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

const roles = ['student', 'instructor', 'admin'] as const;

const empty: Omit<Template, 'id'> & { id: undefined } = {
  id: undefined,
  slug: '',
  order_index: 0,
  name: '',
  description: '',
  image: 'platform-sandbox',
  memory_mb: 512,
  cpus: 1,
  has_internet: false,
  is_active: true,
  minimum_role: 'student',
};

/** Creates or edits a template. */
function TemplateForm({ template, onDone }: { template: Template | undefined; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { id, slug: _slug, order_index: _order, ...fields } = template ?? empty;
  const sent = useSentForm(fields, async (values) => {
    const body = { ...values, memory_mb: Number(values.memory_mb), cpus: Number(values.cpus) };
    const saved = await ok(
      id === undefined
        ? api.POST('/api/admin/sandbox-templates', { body })
        : api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id } }, body }),
    );
    toasts.done(t.common.saved);
    await queries.invalidateQueries({ queryKey: ['administration', 'templates'] });
    await queries.invalidateQueries({ queryKey: ['sandbox-templates'] });
    onDone();
    if (id === undefined) showArrival('sandbox_template', saved.id);
  });
  const { form, field } = sent;
  return (
    <SentForm sent={sent} action={template ? t.common.save : t.common.create}>
      <TextField label={t.administration.name} required maxLength={200} {...field('name')} />
      <TextArea label={t.administration.description} rows={3} {...field('description')} />
      <ImageField control={form.control} name="image" />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t.administration.memory}
          type="number"
          required
          min={16}
          max={65_536}
          {...field('memory_mb')}
        />
        <TextField
          label={t.administration.processors}
          type="number"
          required
          min={0.05}
          max={64}
          step="any"
          {...field('cpus')}
        />
      </div>
      <div className="flex flex-col gap-1">
        <Checkbox label={t.administration.hasInternet} {...form.register('has_internet')} />
        <p className="text-sm text-ink-soft">{t.administration.hasInternetHelp}</p>
      </div>
      <Select
        label={t.administration.minimumRole}
        help={t.administration.minimumRoleHelp}
        {...field('minimum_role')}
        options={optionsOf(roles, t.administration.minimumRoles)}
      />
      <Checkbox label={t.administration.offered} {...form.register('is_active')} />
    </SentForm>
  );
}

type Move = { templates: readonly Template[]; from: number; to: number };

/** Optimistic updates of templates, which are reverted where the service refuses them. */
function useTemplateActions() {
  const t = useStrings();
  const toasts = useToasts();
  const undo = useUndo();
  const queries = useQueryClient();
  const { queryKey } = templatesQuery;

  const show = async (change: (templates: Template[]) => Template[]) => {
    await queries.cancelQueries({ queryKey });
    const before = queries.getQueryData(queryKey);
    queries.setQueryData(queryKey, (now) => now && change(now));
    return { before };
  };
  const common = {
    onError: (error: Error, _given: unknown, shown: { before: Template[] | undefined } | undefined) => {
      queries.setQueryData(queryKey, shown?.before);
      toasts.failed(error);
    },
    // The students' list shows them as well.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ queryKey: ['sandbox-templates'] }),
      ]),
  };

  const activate = useMutation({
    mutationFn: ({ id, is_active }: Pick<Template, 'id' | 'is_active'>) =>
      ok(api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id } }, body: { is_active } })),
    onMutate: ({ id, is_active }) =>
      show((templates) => templates.map((one) => (one.id === id ? { ...one, is_active } : one))),
    ...common,
  });

  const move = useMutation({
    mutationFn: async ({ templates, from, to }: Move) => {
      // Positions count from 1. Only changed positions are saved.
      for (const [index, { id, order_index }] of moved(templates, from, to).entries()) {
        if (order_index === index + 1) continue;
        await ok(
          api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id } }, body: { order_index: index + 1 } }),
        );
      }
    },
    onMutate: ({ from, to }) => show((templates) => moved(templates, from, to)),
    onSuccess: (_done, { templates, from, to }) =>
      toasts.done(t.administration.moved(templates[from]?.name ?? '', to + 1)),
    ...common,
  });

  const remove = async ({ id, name }: Template): Promise<void> => {
    await ok(api.DELETE('/api/admin/sandbox-templates/{id}', { params: { path: { id } } }));
    undo(t.administration.deleted(name), 'sandbox_template', id);
    await common.onSettled();
  };
  return { activate, move, remove };
}

function moved(templates: readonly Template[], from: number, to: number): Template[] {
  const rest = templates.toSpliced(from, 1);
  return templates[from] ? rest.toSpliced(to, 0, templates[from]) : rest;
}
