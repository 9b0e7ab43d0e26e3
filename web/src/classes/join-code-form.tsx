import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { CodeLimits } from '../teaching-model/code-limits.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

const empty = { max_uses: '', expires_at: '', email_domain: '' };

export function JoinCodeForm({ classId, onDone }: { classId: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { form, error, onSubmit } = useSentForm(empty, async ({ max_uses, expires_at, email_domain }) => {
    const body = {
      max_uses: max_uses ? Number(max_uses) : null,
      // The field contains local time without a zone.
      expires_at: expires_at ? new Date(expires_at).toISOString() : null,
      email_domain: email_domain.trim() || null,
    };
    const params = { path: { id: classId } };
    const { id, code } = await ok(api.POST('/api/classes/{id}/join-codes', { params, body }));
    toasts.done(t.classes.codeCreated(code));
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
    showArrival('class_join_code', id);
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <CodeLimits maxUses={fieldOf(form, 'max_uses')} expiresAt={fieldOf(form, 'expires_at')} />
      <TextField
        label={t.classes.domain}
        help={t.classes.domainHelp}
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        {...fieldOf(form, 'email_domain')}
      />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.create}
        </Button>
      </FormButtons>
    </form>
  );
}
