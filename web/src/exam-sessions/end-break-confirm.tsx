import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** Asks before the break of a student ends. */
export function EndBreakConfirm({
  id,
  student: { user_id, name },
  ...dialog
}: {
  id: number;
  student: { user_id: number; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useStrings();
  const toasts = useToasts();
  return (
    <Confirm
      title={t.room.endBreakTitle(name)}
      action={t.room.endBreak}
      look="primary"
      onConfirm={async () => {
        await ok(api.POST('/api/exam-sessions/{id}/end-break', { params: { path: { id } }, body: { user_id } }));
        toasts.done(t.room.breakEnded(name));
      }}
      {...dialog}
    >
      {t.room.endBreakHelp}
    </Confirm>
  );
}
