import { queryOptions, useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { type Kind, pathOf } from '../../api/kinds.ts';
import { ok } from '../../api/problem.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { type Door, useDoor } from '../../teaching-model/door.ts';

/** Milliseconds between two polls while the page is open. */
const interval = 30_000;

export const runningStatesQuery = ({ api }: Door, kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['authoring', kind, id, 'states'],
    queryFn: ({ signal }) =>
      ok(
        api.GET(pathOf(kind, '/api/admin/exams/{id}/revisions'), {
          params: { path: { id }, query: { is_running: true } },
          signal,
        }),
      ),
    refetchInterval: interval,
  });

/** How many attempts run on which state of an exam or a laboratory. Empty without any. */
export function RunningStates({ kind, id }: { kind: Kind; id: number }) {
  const words = useStrings().authoring.states;
  const format = useFormat();
  const { data: states = [] } = useQuery(runningStatesQuery(useDoor(), kind, id));
  if (states.length === 0) return null;
  return (
    <div className="flex items-start gap-2 rounded-md bg-info-soft px-3 py-2 text-sm text-info">
      <Users size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        <ul>
          {states.map(({ revision, attempts, recorded_at }) => (
            <li key={revision}>{words.running(attempts, format.time(recorded_at))}</li>
          ))}
        </ul>
        <p>{words.effect}</p>
      </div>
    </div>
  );
}
