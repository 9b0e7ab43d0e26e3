import { type ReactNode, Suspense } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Card } from '../card.tsx';
import { Skeleton } from '../states.tsx';

export const plotSkeleton = <Skeleton className="h-60" />;

/** A chart with its table. The arrow keys show one value of the chart after the other, as the pointer does. */
export function Plot({
  title,
  trend,
  empty,
  chart,
  table,
}: {
  title: string;
  /** A short comparison with the period before. */
  trend?: string | undefined;
  /** The text where there is nothing to plot. */
  empty: string | false;
  chart: ReactNode;
  table: ReactNode;
}) {
  const { plots: words } = useStrings();
  return (
    <Card>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">{title}</h3>
        {trend && <p className="text-sm text-ink-soft tabular-nums">{trend}</p>}
      </div>
      {empty ? (
        <p className="text-sm text-ink-soft">{empty}</p>
      ) : (
        <>
          <Suspense fallback={plotSkeleton}>{chart}</Suspense>
          <details className="mt-3 text-sm">
            <summary className="w-fit text-accent underline-offset-2 hover:underline">
              {words.asTable}
              <span className="sr-only">: {title}</span>
            </summary>
            <div className="mt-3 max-h-80 overflow-y-auto">
              <Suspense>{table}</Suspense>
            </div>
          </details>
        </>
      )}
    </Card>
  );
}
