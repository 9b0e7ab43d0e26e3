import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { Skeleton } from '../ui/states.tsx';
import { shellsQuery } from './queries.ts';

/** The shells of a student's container, of which one is watched: at first the newest one. Others that begin later are offered. */
export function WatchedShells({ containerId }: { containerId: number }) {
  const { teaching: words } = useStrings();
  const format = useFormat();
  const { data: shells = [], isPending } = useQuery(shellsQuery(containerId));
  const [chosen, setChosen] = useState<string>();
  const newest = shells.at(-1);
  if (newest && !shells.some(({ id }) => id === chosen)) setChosen(newest.id);
  const watched = useMemo(() => ({ value: chosen }), [chosen]);
  if (isPending) return <Skeleton className="m-4 h-64" />;
  return (
    <div className="flex h-full flex-col">
      {shells.length > 1 && (
        <nav aria-label={words.shells} className="overflow-x-auto border-b bg-surface px-2 py-1">
          <ul className="flex gap-1">
            {shells.map(({ id, begun_at, is_connected }, index) => (
              <li key={id}>
                <button
                  type="button"
                  aria-current={id === chosen ? 'true' : undefined}
                  onClick={() => setChosen(id)}
                  className="min-h-8 rounded border px-2 text-sm whitespace-nowrap aria-[current]:bg-accent-soft"
                >
                  {words.shell(index + 1, format.time(begun_at))}
                  {!is_connected && ` (${words.shellAway})`}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="min-h-0 flex-1">
        <TerminalPane key={chosen ?? 'newest'} containerId={containerId} watched={watched} />
      </div>
    </div>
  );
}
