import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { sessionsKey } from '../../teaching-model/exam-sessions.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Gives everybody in a session more time, or one student. */
export function ExtendForm({ id, userId, onDone }: { id: number; userId?: number; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ minutes: '5' }, async ({ minutes }) => {
    const body = { minutes: Number(minutes), ...(userId === undefined ? {} : { user_id: userId }) };
    await ok(api.POST('/api/exam-sessions/{id}/extend', { params: { path: { id } }, body }));
    toasts.done(t.examSessions.extended(body.minutes));
    await queries.invalidateQueries({ queryKey: sessionsKey });
    onDone();
  });
  const { form } = sent;
  return (
    <SentForm sent={sent} action={t.examSessions.extend}>
      <TextField
        label={t.examSessions.moreMinutes}
        help={userId === undefined ? t.examSessions.extendHelp : t.room.extendHelp}
        type="number"
        required
        min={1}
        max={1440}
        {...fieldOf(form, 'minutes')}
      />
    </SentForm>
  );
}
