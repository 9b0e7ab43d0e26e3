import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';

type Settings = Answer<'/api/admin/site'>;
type Due = Answer<'/api/admin/site/retention'>;

/** The settings with the minimum of each: see src/features/site/schema.ts. */
const fields = [
  { name: 'activity_days', kind: 'activity', min: 30 },
  { name: 'work_days', kind: 'work', min: 30 },
  { name: 'account_days', kind: 'accounts', min: 180 },
] as const;
type Name = (typeof fields)[number]['name'];
type Changes = Partial<Record<Name, number | null>>;

const textsOf = (settings: Settings) =>
  Object.fromEntries(fields.map(({ name }) => [name, `${settings[name] ?? ''}`])) as Record<Name, string>;

/** How long each kind of data is kept. What a change would remove is confirmed first. */
export function RetentionForm({ settings, onSaved }: { settings: Settings; onSaved: (next: Settings) => void }) {
  const t = useStrings();
  const words = t.administration.retention;
  const [asked, setAsked] = useState<{ changes: Changes; due: Due }>();
  const save = async (body: Changes): Promise<void> => {
    const next = await ok(api.PUT('/api/admin/site', { body }));
    replace(textsOf(next));
    onSaved(next);
  };
  const { form, field, error, replace, onSubmit } = useSentForm(textsOf(settings), async (texts) => {
    const changes: Changes = {};
    const query: Partial<Record<keyof Changes, number>> = {};
    for (const { name } of fields) {
      const days = texts[name] === '' ? null : Number(texts[name]);
      if (days === settings[name]) continue;
      changes[name] = days;
      if (days !== null) query[name] = days;
    }
    const due = await ok(api.GET('/api/admin/site/retention', { params: { query } }));
    if (fields.some(({ kind }) => due[kind] > 0)) setAsked({ changes, due });
    else await save(changes);
  });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      {error !== undefined && <ProblemNote error={error} />}
      {fields.map(({ name, min }) => (
        <TextField
          key={name}
          type="number"
          label={words.settings[name]}
          help={words.help[name]}
          placeholder={words.forever}
          {...{ min, max: 3650 }}
          {...field(name)}
        />
      ))}
      <Button type="submit" className="self-start" disabled={!isDirty} isBusy={isSubmitting}>
        {words.set}
      </Button>
      <Confirm
        title={words.confirm}
        action={t.common.save}
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        onConfirm={async () => await save(asked?.changes ?? {})}
      >
        <ul className="list-disc pl-5">
          {fields.map(
            ({ kind }) => asked && asked.due[kind] > 0 && <li key={kind}>{words.due[kind](asked.due[kind])}</li>,
          )}
        </ul>
        <p>{words.final}</p>
      </Confirm>
    </form>
  );
}
