import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { isActive } from '../../attempts/status.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { type ExamSession, sessionsKey } from '../../teaching-model/exam-sessions.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Asks before results are released, and says how many students still work: those who have ended could tell them. */
export function ReleaseConfirm({
  session: { id, title },
  ...dialog
}: {
  session: ExamSession;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onConfirm: () => Promise<unknown>;
}) {
  const t = useStrings();
  const words = t.examSessions;
  const { data: room } = useQuery({
    queryKey: [...sessionsKey, 'release', id],
    queryFn: ({ signal }) => ok(api.GET('/api/exam-sessions/{id}/room', { params: { path: { id } }, signal })),
    enabled: dialog.isOpen,
    staleTime: 0,
  });
  const working = room?.students.filter(isActive).length;
  return (
    <Confirm title={words.releaseTitle(title)} action={words.release} look="primary" {...dialog}>
      {working !== undefined && working > 0 && <p className="font-medium">{words.releaseWorking(working)}</p>}
      <p>{words.releaseHelp}</p>
    </Confirm>
  );
}
