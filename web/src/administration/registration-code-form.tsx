import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CodeLimits } from '../teaching-model/code-limits.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

export function RegistrationCodeForm({ onDone }: { onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const empty = { note: '', max_uses: '', expires_at: '' };
  const { form, error, onSubmit } = useSentForm(empty, async ({ note, max_uses, expires_at }) => {
    const body = {
      note: note.trim() || null,
      max_uses: max_uses ? Number(max_uses) : null,
      // The field contains local time without a zone.
      expires_at: expires_at ? new Date(expires_at).toISOString() : null,
    };
    const { id, code } = await ok(api.POST('/api/admin/registration-codes', { body }));
    toasts.done(t.administration.codeCreated(code));
    await queries.invalidateQueries({ queryKey: ['administration', 'registration-codes'] });
    onDone();
    showArrival('registration_code', id);
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.administration.note}
        help={t.administration.noteHelp}
        maxLength={200}
        {...fieldOf(form, 'note')}
      />
      <CodeLimits maxUses={fieldOf(form, 'max_uses')} expiresAt={fieldOf(form, 'expires_at')} />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.create}
        </Button>
      </FormButtons>
    </form>
  );
}
