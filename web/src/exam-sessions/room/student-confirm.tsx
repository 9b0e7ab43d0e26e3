import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/**
 * Asks before an instructor does something for one student in the room: `unlock` lets a student of a locked exam log in on another device,
 * `break` ends a break.
 */
export function StudentConfirm({
  act,
  id,
  student: { user_id, name },
  ...dialog
}: {
  act: 'unlock' | 'break';
  id: number;
  student: { user_id: number; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { room } = useStrings();
  const toasts = useToasts();
  const request = { params: { path: { id } }, body: { user_id } };
  const { title, action, help, done, send } = {
    unlock: {
      ...{ title: room.unlockTitle, action: room.unlock, help: room.unlockHelp, done: room.unlocked },
      send: async () => await ok(api.POST('/api/exam-sessions/{id}/unlock', request)),
    },
    break: {
      ...{ title: room.endBreakTitle, action: room.endBreak, help: room.endBreakHelp, done: room.breakEnded },
      send: async () => await ok(api.POST('/api/exam-sessions/{id}/end-break', request)),
    },
  }[act];
  return (
    <Confirm
      title={title(name)}
      action={action}
      look="primary"
      onConfirm={async () => {
        await send();
        toasts.done(done(name));
      }}
      {...dialog}
    >
      {help}
    </Confirm>
  );
}
