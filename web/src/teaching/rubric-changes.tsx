import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { changesQuery, gradingKey, paramsOf, type RubricChange, type TaskPlace } from './grading-queries.ts';

/** The results that were graded by items which have other points now: they change after a look. */
export function RubricChanges({ place }: { place: TaskPlace }) {
  const { grading: words } = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const toasts = useToasts();
  const { data: changes = [] } = useQuery({ ...changesQuery(place), retry: false });
  const [looked, setLooked] = useState<readonly RubricChange[]>();
  const [isBusy, setBusy] = useState(false);
  const apply = async (): Promise<void> => {
    setBusy(true);
    try {
      const wanted = (looked ?? []).map(({ key, revision, points_earned }) => ({ key, revision, points_earned }));
      const { changed_count } = await ok(
        api.POST(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric/changes'), {
          params: paramsOf(place),
          body: { changes: wanted },
        }),
      );
      toasts.done(words.applied(changed_count));
    } catch (error) {
      toasts.failed(error);
    } finally {
      await queries.invalidateQueries({ queryKey: gradingKey });
      setLooked(undefined);
      setBusy(false);
    }
  };
  return (
    <>
      {changes.length > 0 && (
        <div className="panel flex flex-wrap items-center gap-2 p-3 text-sm">
          <span className="flex-1">{words.wouldChange(changes.length)}</span>
          <Button size="small" onClick={() => setLooked(changes)} aria-haspopup="dialog">
            {words.look}
          </Button>
        </div>
      )}
      <Dialog
        title={words.changesTitle}
        description={words.changesHelp}
        isOpen={looked !== undefined}
        onOpenChange={() => setLooked(undefined)}
      >
        <ul className="mb-4 flex max-h-72 flex-col divide-y overflow-y-auto text-sm">
          {looked?.map((change, index) => (
            <li key={change.key} className="flex justify-between gap-3 py-1.5">
              <span className="min-w-0 break-words">
                {change.student?.full_name || change.student?.username || words.nameless(index + 1)}
              </span>
              <span className="tabular-nums whitespace-nowrap">
                {format.decimal(change.points_before)} → {format.decimal(change.points_earned)}
              </span>
            </li>
          ))}
        </ul>
        <div className="flex justify-end">
          <Button look="primary" isBusy={isBusy} onClick={() => void apply()}>
            {words.apply}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
