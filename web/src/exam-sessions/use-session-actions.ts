import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type ExamSession, sessionsKey } from '../teaching-model/exam-sessions.ts';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';

/** The actions for an exam session that need no form. */
export function useSessionActions({ id, title }: ExamSession) {
  const t = useStrings();
  const undo = useUndo();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id } };
  const finish = async (request: Promise<unknown>, done: string): Promise<void> => {
    await request;
    toasts.done(done);
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
  return {
    act: (action: 'pause' | 'resume' | 'release') =>
      finish(ok(api.POST(`/api/exam-sessions/{id}/${action}`, { params })), t.examSessions.done[action](title)),
    remove: async () => {
      await ok(api.DELETE('/api/exam-sessions/{id}', { params }));
      undo(t.examSessions.deleted(title), 'exam_session', id);
      await queries.invalidateQueries({ queryKey: sessionsKey });
    },
  };
}
