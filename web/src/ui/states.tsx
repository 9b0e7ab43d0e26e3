import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classes } from './classes.ts';
import { ProblemNote } from './problem-note.tsx';

/** A grey placeholder with the size of the content that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={classes('animate-pulse rounded-md bg-line', className ?? 'h-5')} />
);

/** Several placeholder lines, announced to screen readers once. */
export function Loading({ rows = 5, className }: { rows?: number; className?: string }) {
  const t = useStrings();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{t.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <Skeleton key={row} className={className ?? 'h-10'} />
      ))}
    </div>
  );
}

/** An empty state: what would be here, and how to add it. */
export const Empty = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-10 text-center">
    <p className="font-medium">{title}</p>
    {children && <p className="max-w-prose text-sm text-ink-soft">{children}</p>}
    {action && <div className="mt-2">{action}</div>}
  </div>
);

/** The data of a query. Shows a skeleton while it loads, and the error where it failed. */
export function Fetched<Data>({
  query,
  skeleton = <Loading />,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ProblemNote error={query.error} retry={() => void query.refetch()} />;
  return skeleton;
}
