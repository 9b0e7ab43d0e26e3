import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { bindFields, concernsNoField } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

export function RegistrationCodeForm({ onDone }: { onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [values, setValues] = useState({ note: '', max_uses: '', expires_at: '' });
  const create = useMutation({
    mutationFn: () => {
      const { note, max_uses, expires_at } = values;
      const body = {
        note: note.trim() || null,
        max_uses: max_uses ? Number(max_uses) : null,
        // The field contains local time without a zone.
        expires_at: expires_at ? new Date(expires_at).toISOString() : null,
      };
      return ok(api.POST('/api/admin/registration-codes', { body }));
    },
    onSuccess: async ({ code }) => {
      toasts.done(t.administration.codeCreated(code));
      await queries.invalidateQueries({ queryKey: ['administration', 'registration-codes'] });
      onDone();
    },
  });
  const of = bindFields(t, values, (name, value) => setValues({ ...values, [name]: value }), create.error);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      {concernsNoField(create.error) && <ProblemNote error={create.error} />}
      <TextField label={t.administration.note} help={t.administration.noteHelp} maxLength={200} {...of('note')} />
      <TextField
        label={t.administration.maxUses}
        help={t.administration.maxUsesHelp}
        type="number"
        min={1}
        max={2_147_483_647}
        {...of('max_uses')}
      />
      <TextField
        label={t.administration.expires}
        help={t.administration.expiresHelp}
        type="datetime-local"
        {...of('expires_at')}
      />
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {t.common.create}
        </Button>
      </div>
    </form>
  );
}
