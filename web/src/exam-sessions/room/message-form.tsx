import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Sends a message to everybody in a session, or to one student. */
export function MessageForm({ id, userId, onDone }: { id: number; userId?: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const sent = useSentForm({ text: '' }, async ({ text }) => {
    const body = { text, ...(userId === undefined ? {} : { user_id: userId }) };
    await ok(api.POST('/api/exam-sessions/{id}/message', { params: { path: { id } }, body }));
    toasts.done(t.examSessions.sent);
    onDone();
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.examSessions.message}>
      <TextArea
        label={t.examSessions.messageText}
        help={userId === undefined ? t.examSessions.messageHelp : t.room.messageHelp}
        required
        maxLength={1000}
        {...field('text')}
      />
    </SentForm>
  );
}
