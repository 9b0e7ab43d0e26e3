import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import type { Attempt } from './active.ts';
import { attemptQuery } from './queries.ts';
import { ResultsView } from './results-view.tsx';
import { isOver } from './status.ts';

/** The results page of one attempt. Without results yet, it links to the work. */
export function ResultsOfAttempt({
  kind,
  id,
  crumbs,
  actions,
}: {
  kind: Kind;
  id: number;
  crumbs: (attempt: Attempt | undefined) => ReactNode;
  /** The actions available to its user. */
  actions: (attempt: Attempt) => ReactNode;
}) {
  const t = useStrings();
  const attempt = useQuery({
    ...attemptQuery(kind, id),
    refetchInterval: ({ state: { data } }) => (data && !isOver(data) ? 2000 : false),
  });
  return (
    <Page title={attempt.data ? t.attempts.results(attempt.data.title) : t.attempts.open} crumbs={crumbs(attempt.data)}>
      <Fetched query={attempt} skeleton={<Loading rows={4} className="h-24" />}>
        {(data) => {
          if (isOver(data)) return <ResultsView attempt={data} actions={actions(data)} />;
          return <Empty title={t.attempts.notOver} action={actions(data)} />;
        }}
      </Fetched>
    </Page>
  );
}
