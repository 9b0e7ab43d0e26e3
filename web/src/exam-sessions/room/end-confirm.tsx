import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { sessionsKey } from '../../teaching-model/session-list.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** Asks before the attempt of a student, or a whole session, ends and is graded. */
export function EndConfirm({
  id,
  student,
  ...dialog
}: {
  id: number;
  /** Without one: everybody. */
  student?: { user_id: number; name: string; isQueued: boolean };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return (
    <Confirm
      title={student ? t.room.endTitle(student.name) : t.room.endAllTitle}
      action={student ? t.room.end : t.room.endAll}
      onConfirm={async () => {
        const body = student ? { user_id: student.user_id } : {};
        await ok(api.POST('/api/exam-sessions/{id}/end', { params: { path: { id } }, body }));
        toasts.done(student ? t.room.ended(student.name) : t.room.allEnded);
        await queries.invalidateQueries({ queryKey: sessionsKey });
      }}
      {...dialog}
    >
      {!student ? t.room.endAllHelp : student.isQueued ? t.room.endQueuedHelp : t.room.endHelp}
    </Confirm>
  );
}
