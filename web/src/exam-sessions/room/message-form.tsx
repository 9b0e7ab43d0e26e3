import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { FormButtons } from '../../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../../ui/forms/form-field.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Sends a message to everybody in a session, or to one student. */
export function MessageForm({ id, userId, onDone }: { id: number; userId?: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const { form, error, onSubmit } = useSentForm({ text: '' }, async ({ text }) => {
    const body = { text, ...(userId === undefined ? {} : { user_id: userId }) };
    await ok(api.POST('/api/exam-sessions/{id}/message', { params: { path: { id } }, body }));
    toasts.done(t.examSessions.sent);
    onDone();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextArea
        label={t.examSessions.messageText}
        help={userId === undefined ? t.examSessions.messageHelp : t.room.messageHelp}
        required
        maxLength={1000}
        {...fieldOf(form, 'text')}
      />
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.examSessions.message}
        </Button>
      </FormButtons>
    </form>
  );
}
