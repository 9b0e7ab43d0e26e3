import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Bulk, BulkAction } from '../ui/lists/bulk.ts';
import type { ListedAttempt } from './queries.ts';

/** The actions on several attempts: more time, and for administrators to grade again what could not be graded. */
export function useAttemptBulk(): Bulk<ListedAttempt> {
  const t = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const isAdmin = useUser().role === 'admin';
  const paramsOf = ({ id }: ListedAttempt) => ({ path: { id } });
  const extend: BulkAction<ListedAttempt> = {
    label: t.teaching.extend,
    help: t.teaching.extendHelp,
    isFor: ({ status, expires_at }) => status === 'in_progress' && expires_at !== null,
    input: { label: t.teaching.addedMinutes, first: '15', min: 1, max: 1440 },
    run: (attempt, value) =>
      ok(
        api.POST('/api/instructor/attempts/{id}/extend', {
          params: paramsOf(attempt),
          body: { minutes: Number(value) },
        }),
      ),
  };
  const regrade: BulkAction<ListedAttempt> = {
    label: t.teaching.regrade,
    help: t.teaching.regradeHelp,
    isFor: ({ status, grading_error }) => status === 'in_progress' && grading_error !== null,
    run: (attempt) => ok(api.POST('/api/admin/attempts/{id}/grade', { params: paramsOf(attempt) })),
  };
  return {
    nameOf: ({ username, full_name, title, started_at }) =>
      `${full_name || username}: ${title}, ${format.time(started_at)}`,
    actions: isAdmin ? [extend, regrade] : [extend],
    onDone: () => queries.invalidateQueries({ queryKey: ['teaching'] }),
  };
}
