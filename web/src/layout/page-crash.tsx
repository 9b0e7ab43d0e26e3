import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

/** Replaces a page that threw during rendering, until the user goes to another one. The navigation around it continues to work. */
export function PageCrash({ error, reset }: ErrorComponentProps) {
  const t = useStrings();
  // A problem that no part of the page has shown: the page itself could not be loaded. Not every browser loads a script again.
  const isLoaded = !(error instanceof Problem);
  return (
    <Page title={t.common.problems.title}>
      <ProblemNote error={error} retry={isLoaded ? reset : () => location.reload()} />
      {isLoaded && <pre className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-xs">{String(error)}</pre>}
    </Page>
  );
}
