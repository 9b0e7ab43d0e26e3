import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Template } from './queries.ts';

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
export function TemplateForm({ template, onDone }: { template: Template | undefined; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { id, slug: _slug, order_index: _order, ...fields } = template ?? empty;
  const { form, error, onSubmit } = useSentForm(fields, async (values) => {
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
  const field = (name: keyof typeof fields) => fieldOf(form, name);
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField label={t.administration.name} required maxLength={200} {...field('name')} />
      <TextArea label={t.administration.description} rows={3} {...field('description')} />
      <TextField
        label={t.administration.image}
        help={t.administration.imageHelp}
        required
        maxLength={500}
        spellCheck={false}
        {...field('image')}
      />
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
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {template ? t.common.save : t.common.create}
        </Button>
      </FormButtons>
    </form>
  );
}
