import { type ReactNode, Suspense } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Card } from '../card.tsx';
import { Skeleton } from '../states.tsx';

export const plotSkeleton = <Skeleton className="h-60" />;

/** A chart with its table. Screen readers read only the table. */
export function Plot({
  title,
  empty,
  chart,
  table,
}: {
  title: string;
  /** The text where there is nothing to plot. */
  empty: string | false;
  chart: ReactNode;
  table: ReactNode;
}) {
  const { plots: words } = useStrings().dashboard;
  return (
    <Card>
      <h3 className="mb-4 font-medium">{title}</h3>
      {empty ? (
        <p className="text-sm text-ink-soft">{empty}</p>
      ) : (
        <>
          <div aria-hidden="true">
            <Suspense fallback={plotSkeleton}>{chart}</Suspense>
          </div>
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
