import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** Asks before a student of a locked exam may log in on another device. */
export function UnlockConfirm({
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
      title={t.room.unlockTitle(name)}
      action={t.room.unlock}
      look="primary"
      onConfirm={async () => {
        await ok(api.POST('/api/exam-sessions/{id}/unlock', { params: { path: { id } }, body: { user_id } }));
        toasts.done(t.room.unlocked(name));
      }}
      {...dialog}
    >
      {t.room.unlockHelp}
    </Confirm>
  );
}
