import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type ClassRole, classesKey, classRoles } from '../teaching-model/classes.ts';
import { Button } from '../ui/button.tsx';
import { optionsOf, Select, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

const empty: { username: string; role: ClassRole } = { username: '', role: 'student' };

export function AddMemberForm({ classId, onDone }: { classId: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { form, error, onSubmit } = useSentForm(empty, async ({ username, role }) => {
    const body = { username: username.trim(), role };
    const request = api.POST('/api/classes/{id}/members', { params: { path: { id: classId } }, body });
    const added = await ok(request).catch((problem: unknown) => {
      if (!isRefusal(problem, 'not_found')) throw problem;
      form.setError('username', { type: 'refused', message: t.classes.noUser });
      return undefined;
    });
    if (!added) return;
    toasts.done(t.classes.added(added.full_name || added.username));
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.classes.who}
        required
        maxLength={320}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...fieldOf(form, 'username')}
      />
      <Select label={t.classes.role} options={optionsOf(classRoles, t.classes.roles)} {...fieldOf(form, 'role')} />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.classes.add}
        </Button>
      </FormButtons>
    </form>
  );
}
