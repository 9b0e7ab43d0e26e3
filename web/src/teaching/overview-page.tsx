import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Overview, overviewQuery } from '../teaching-model/overview.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { ComingUp, RunningFigures, RunningSessions } from './overview-running.tsx';
import { StuckStudents } from './overview-stuck.tsx';
import { useWaiting } from './overview-waiting.tsx';

/** The dashboard of instructors: what waits for them, what runs, who is stuck, and what comes next. */
export function OverviewPage() {
  const t = useStrings();
  const isAdmin = useUser().role === 'admin';
  const overview = useQuery(overviewQuery);
  return (
    <Page title={t.common.links.overview} lead={isAdmin ? t.teaching.overview.leadAll : t.teaching.overview.lead}>
      <Fetched query={overview} skeleton={<Loading rows={3} className="h-32" />}>
        {(data) => (isAdmin || hasContent(data) ? <Parts overview={data} /> : <NoClass />)}
      </Fetched>
    </Page>
  );
}

/** An instructor without a class can supervise sessions for chosen students. */
const hasContent = ({ has_classes, ...parts }: Overview): boolean =>
  has_classes ||
  [parts.open_sessions, parts.upcoming_sessions, parts.results_to_release, parts.failed_gradings].some(
    (part) => part.length > 0,
  );

function NoClass() {
  const words = useStrings().teaching.overview;
  return (
    <Empty title={words.noClass} action={<ButtonLink to="/classes">{words.toClasses}</ButtonLink>}>
      {words.noClassHelp}
    </Empty>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const words = useStrings().teaching.overview;
  const waiting = useWaiting(overview);
  const { stuck, stuck_count, open_sessions, upcoming_sessions } = overview;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <Part title={words.waits} count={waiting.length} nothing={words.nothingWaits}>
        <ul className="divide-y">{waiting}</ul>
      </Part>
      <Part title={words.runs} count={open_sessions.length} before={<RunningFigures {...overview.running} />}>
        <RunningSessions sessions={open_sessions} />
      </Part>
      <Part title={words.stuck} count={stuck_count} nothing={words.nobodyStuck}>
        <StuckStudents students={stuck} total={stuck_count} />
      </Part>
      <Part title={words.next} count={upcoming_sessions.length} nothing={words.nothingNext}>
        <ComingUp sessions={upcoming_sessions} />
      </Part>
    </div>
  );
}

function Part({
  title,
  count,
  nothing,
  before,
  children,
}: {
  title: string;
  count: number;
  /** Shown in place of an empty list. */
  nothing?: string;
  before?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Card className="flex flex-col gap-3 sm:p-5">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          {title}
          {count > 0 && (
            <span className="rounded-full bg-sunken px-2 text-sm font-medium text-ink-soft tabular-nums">{count}</span>
          )}
        </h2>
        {before}
        {count > 0
          ? children
          : nothing && (
              <p className="flex items-center gap-2 text-sm text-ink-soft">
                <CircleCheckBig size={16} className="shrink-0 text-good" aria-hidden="true" /> {nothing}
              </p>
            )}
      </Card>
    </section>
  );
}
