import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/location.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

export function JoinForm() {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { form, error, onSubmit } = useSentForm({ code: '' }, async (body) => {
    const { id, name } = await ok(api.POST('/api/classes/join', { body }));
    toasts.done(t.classes.joined(name));
    await queries.invalidateQueries({ queryKey: classesKey });
    navigate({ to: '/classes/$classId', params: { classId: `${id}` } });
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.classes.code}
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-mono uppercase"
        {...fieldOf(form, 'code')}
      />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.classes.joinNow}
        </Button>
      </FormButtons>
    </form>
  );
}
