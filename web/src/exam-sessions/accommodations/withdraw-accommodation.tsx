import { useQueryClient } from '@tanstack/react-query';
import { useStrings } from '../../strings/use-strings.tsx';
import { sessionsKey } from '../../teaching-model/session-list.ts';
import { DeleteButton } from '../../ui/delete-button.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Withdraws the accommodation of a student, of one session or of a class, after a confirmation. */
export function WithdrawAccommodation({ username, send }: { username: string; send: () => Promise<unknown> }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return (
    <DeleteButton
      label={t.examSessions.withdrawOf(username)}
      title={t.examSessions.withdrawTitle(username)}
      action={t.examSessions.withdraw}
      onConfirm={async () => {
        await send();
        toasts.done(t.examSessions.withdrawn(username));
        await queries.invalidateQueries({ queryKey: sessionsKey });
      }}
    >
      {t.examSessions.withdrawHelp}
    </DeleteButton>
  );
}
