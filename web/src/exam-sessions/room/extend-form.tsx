import { useQueryClient } from '@tanstack/react-query';
import { Timer } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { sessionsKey } from '../../teaching-model/session-list.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Whose time it is: that of everybody in a session, or of one student. */
type Whose = { id: number; userId?: number };

/** Minutes that a click gives. */
const minutesOfClick = 5;

function useExtend({ id, userId }: Whose): (minutes: number) => Promise<void> {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return async (minutes) => {
    const body = { minutes, ...(userId === undefined ? {} : { user_id: userId }) };
    await ok(api.POST('/api/exam-sessions/{id}/extend', { params: { path: { id } }, body }));
    toasts.done(t.examSessions.extended(minutes));
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
}

/** Gives five minutes with a click. @param label says to whom */
export function ExtendButton({ label, ...whose }: Whose & { label: string }) {
  const toasts = useToasts();
  const extend = useExtend(whose);
  const [isSending, setSending] = useState(false);
  const click = (): void => {
    setSending(true);
    void extend(minutesOfClick)
      .catch(toasts.failed)
      .finally(() => setSending(false));
  };
  return (
    <Button size="small" aria-label={label} disabled={isSending} onClick={click}>
      <Timer size={16} aria-hidden="true" /> +{minutesOfClick}
    </Button>
  );
}

/** Gives everybody in a session more time, or one student. */
export function ExtendForm({ onDone, ...whose }: Whose & { onDone: () => void }) {
  const t = useStrings();
  const extend = useExtend(whose);
  const { userId } = whose;
  const sent = useSentForm({ minutes: `${minutesOfClick}` }, async ({ minutes }) => {
    await extend(Number(minutes));
    onDone();
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.examSessions.extend}>
      <TextField
        label={t.examSessions.moreMinutes}
        help={userId === undefined ? t.examSessions.extendHelp : t.room.extendHelp}
        type="number"
        required
        min={1}
        max={1440}
        {...field('minutes')}
      />
    </SentForm>
  );
}
