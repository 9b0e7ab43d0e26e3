import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { bindFields, concernsNoField } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, optionsOf, Select, TextArea, TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { NewTemplate, Template } from './queries.ts';

const roles = ['student', 'instructor', 'admin'] as const;

const empty: Omit<Template, 'id' | 'slug' | 'order_index' | 'memory_mb' | 'cpus'> & {
  memory_mb: string;
  cpus: string;
} = {
  name: '',
  description: '',
  image: 'platform-sandbox',
  memory_mb: '512',
  cpus: '1',
  has_internet: false,
  is_active: true,
  minimum_role: 'student',
};

/** Creates or edits a template. */
export function TemplateForm({ template, onDone }: { template: Template | undefined; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [values, setValues] = useState(
    template ? { ...template, memory_mb: `${template.memory_mb}`, cpus: `${template.cpus}` } : empty,
  );
  const save = useMutation({
    mutationFn: () => {
      const { name, description, image, has_internet, is_active, minimum_role } = values;
      const numbers = { memory_mb: Number(values.memory_mb), cpus: Number(values.cpus) };
      const body: NewTemplate = { name, description, image, has_internet, is_active, minimum_role, ...numbers };
      return ok(
        template
          ? api.PUT('/api/admin/sandbox-templates/{id}', { params: { path: { id: template.id } }, body })
          : api.POST('/api/admin/sandbox-templates', { body }),
      );
    },
    onSuccess: async () => {
      toasts.done(t.common.saved);
      await queries.invalidateQueries({ queryKey: ['administration', 'templates'] });
      await queries.invalidateQueries({ queryKey: ['sandbox-templates'] });
      onDone();
    },
  });
  const of = bindFields<'name' | 'description' | 'image' | 'memory_mb' | 'cpus' | 'minimum_role'>(
    t,
    values,
    (name, value) => setValues({ ...values, [name]: value }),
    save.error,
  );
  const ticked = (name: 'has_internet' | 'is_active') => ({
    checked: values[name],
    onChange: ({ target }: { target: { checked: boolean } }) => setValues({ ...values, [name]: target.checked }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {concernsNoField(save.error) && <ProblemNote error={save.error} />}
      <TextField label={t.administration.name} required maxLength={200} {...of('name')} />
      <TextArea label={t.administration.description} rows={3} {...of('description')} />
      <TextField
        label={t.administration.image}
        help={t.administration.imageHelp}
        required
        maxLength={500}
        spellCheck={false}
        {...of('image')}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField label={t.administration.memory} type="number" required min={16} max={65_536} {...of('memory_mb')} />
        <TextField
          label={t.administration.processors}
          type="number"
          required
          min={0.05}
          max={64}
          step="any"
          {...of('cpus')}
        />
      </div>
      <div className="flex flex-col gap-1">
        <Checkbox label={t.administration.hasInternet} {...ticked('has_internet')} />
        <p className="text-sm text-ink-soft">{t.administration.hasInternetHelp}</p>
      </div>
      <Select
        label={t.administration.minimumRole}
        help={t.administration.minimumRoleHelp}
        {...of('minimum_role')}
        options={optionsOf(roles, t.administration.minimumRoles)}
      />
      <Checkbox label={t.administration.offered} {...ticked('is_active')} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {template ? t.common.save : t.common.create}
        </Button>
      </div>
    </form>
  );
}
