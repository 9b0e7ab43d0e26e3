import { useQueryClient } from '@tanstack/react-query';
import { api, type Body } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { showArrival } from './lists/arrivals.ts';
import { useToasts } from './toasts.tsx';

type Deleted = Body<'/api/deletions/undo', 'post'>;

/** Reports a deletion, with a button that undoes it. Lists are refreshed then, and show what is there again. */
export function useUndo() {
  const t = useStrings();
  const toasts = useToasts();
  const client = useQueryClient();
  const undo = async (body: Deleted, onRestored?: () => Promise<unknown>): Promise<void> => {
    try {
      await ok(api.POST('/api/deletions/undo', { body }));
      await client.invalidateQueries();
      toasts.done(t.common.restored);
      if (onRestored) await onRestored();
      else showArrival(body.kind, body.entity_id);
    } catch (error) {
      toasts.failed(error);
    }
  };
  /** @param onRestored updates what is not fetched, and shows it */
  return (text: string, kind: Deleted['kind'], entity_id: number, onRestored?: () => Promise<unknown>): void =>
    toasts.offer(text, { label: t.common.undo, run: () => void undo({ kind, entity_id }, onRestored) });
}
