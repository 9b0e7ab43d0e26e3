import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { deadlinesKey } from '../teaching-model/deadlines.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { instant, localTime, ownZone } from '../ui/local-time.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Laboratory = { id: number; title: string; due_at: string | null };

/** Sets when a laboratory is due in a class. */
export function DeadlineForm({ classId, of, onDone }: { classId: number; of: Laboratory; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { form, error, onSubmit } = useSentForm({ due_at: localTime(of.due_at) }, async ({ due_at }) => {
    const params = { path: { id: classId, laboratory_id: of.id } };
    const body = { due_at: instant(due_at) };
    await ok(api.PUT('/api/classes/{id}/deadlines/{laboratory_id}', { params, body }));
    toasts.done(t.classes.deadlineSet(of.title));
    await Promise.all([classesKey, deadlinesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField
        label={t.classes.due}
        help={t.examSessions.zone(ownZone())}
        type="datetime-local"
        required
        {...fieldOf(form, 'due_at')}
      />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </FormButtons>
    </form>
  );
}
