import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { HandQueue } from '../help/hands.tsx';
import type { Path } from '../routing/addresses.ts';
import { pathAt } from '../routing/router.ts';
import { useAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { TerminalPane } from '../terminal/terminal-pane.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { useTitle } from '../ui/page.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { shellsQuery, type Watchable, watchedQuery } from './queries.ts';

/** A student's live terminal. Input from here is read only while the student allows it. */
export function WatchPage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/teaching/live/$containerId' }).containerId);
  const { search } = useAddress('/teaching/live/$containerId');
  const container = useQuery(watchedQuery(id));
  const who = container.data?.full_name || container.data?.username;
  useTitle(who ?? t.common.links.live);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-2">
        <Origin from={search.from} />
        <h1 className="truncate font-medium">{who ?? t.common.links.live}</h1>
        {container.data && <About container={container.data} />}
      </div>
      <HandQueue containerId={id} />
      <div className="min-h-0 flex-1">
        <Fetched query={container} skeleton={<Skeleton className="m-4 h-64" />}>
          {(data) =>
            data ? (
              <WatchedShells containerId={id} />
            ) : (
              <div className="p-6">
                <Empty
                  title={t.teaching.goneTitle}
                  action={<ButtonLink to="/teaching/live">{t.teaching.backToLive}</ButtonLink>}
                >
                  {t.teaching.goneHelp}
                </Empty>
              </div>
            )
          }
        </Fetched>
      </div>
    </div>
  );
}

/** Leads back to the room or the attempt that the terminal was opened from, otherwise to all live terminals. */
function Origin({ from = '' }: { from: string | undefined }) {
  const t = useStrings();
  const to = pathAt(from);
  const names: { [To in Path]?: string } = {
    '/classes/$classId/sessions/$sessionId': t.room.title,
    '/exam-sessions/$sessionId': t.room.title,
    '/teaching/attempts/$attemptId': t.teaching.attempt,
  };
  const name = to && names[to];
  return (
    <Crumbs>
      {name ? (
        <Crumb to="." href={from}>
          {name}
        </Crumb>
      ) : (
        <Crumb to="/teaching/live">{t.teaching.backToLive}</Crumb>
      )}
    </Crumbs>
  );
}

function About({ container: { kind, title, name, attempt_id } }: { container: Watchable }) {
  const t = useStrings();
  return (
    <>
      <Badge>{t.teaching.kinds[kind]}</Badge>
      <span className="truncate text-sm text-ink-soft">{title ?? name}</span>
      {attempt_id !== null && (
        <AttemptLink id={attempt_id} className="ml-auto text-sm text-accent underline">
          {t.teaching.toAttempt}
        </AttemptLink>
      )}
    </>
  );
}

/** The shells of a student's container, of which one is watched: at first the newest one. Others that begin later are offered. */
function WatchedShells({ containerId }: { containerId: number }) {
  const { teaching: words } = useStrings();
  const format = useFormat();
  const { data: shells = [], isPending } = useQuery(shellsQuery(containerId));
  const [chosen, setChosen] = useState<string>();
  const newest = shells.at(-1);
  if (newest && !shells.some(({ id }) => id === chosen)) setChosen(newest.id);
  const watched = useMemo(() => ({ value: chosen }), [chosen]);
  if (isPending) return <Skeleton className="m-4 h-64" />;
  const lead = shells.length > 1 && (
    <nav aria-label={words.shells} className="min-w-24 overflow-x-auto">
      <ul className="flex gap-1">
        {shells.map(({ id, begun_at, is_connected }, index) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === chosen ? 'true' : undefined}
              onClick={() => setChosen(id)}
              className="min-h-8 rounded-md border px-2 text-sm whitespace-nowrap aria-[current]:bg-accent-soft"
            >
              {words.shell(index + 1, format.time(begun_at))}
              {!is_connected && ` (${words.shellAway})`}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
  return <TerminalPane containerId={containerId} watched={watched} lead={lead} />;
}
