import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link } from '../routing/link.tsx';
import { useParams } from '../routing/place-context.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { useTitle } from '../ui/page.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { type Watchable, watchedQuery } from './queries.ts';
import { WatchedShells } from './watched-shells.tsx';

/** A student's live terminal. The service discards all input from here. */
export function WatchPage() {
  const t = useStrings();
  const id = Number(useParams('/teaching/live/$containerId').containerId);
  const container = useQuery(watchedQuery(id));
  const who = container.data?.full_name || container.data?.username;
  useTitle(who ?? t.common.links.live);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-2">
        <Link to="/teaching/live" className="inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink">
          <ArrowLeft size={16} aria-hidden="true" /> {t.teaching.backToLive}
        </Link>
        <h1 className="truncate font-medium">{who ?? t.common.links.live}</h1>
        {container.data && <About container={container.data} />}
      </div>
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

function About({ container: { kind, title, name, attempt_id } }: { container: Watchable }) {
  const t = useStrings();
  return (
    <>
      <Badge>{t.teaching.kinds[kind]}</Badge>
      <span className="truncate text-sm text-ink-soft">{title ?? name}</span>
      {attempt_id !== null && (
        <Link
          to="/teaching/attempts/$attemptId"
          params={{ attemptId: `${attempt_id}` }}
          className="ml-auto text-sm text-accent underline"
        >
          {t.teaching.toAttempt}
        </Link>
      )}
    </>
  );
}
