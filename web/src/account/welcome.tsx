import { lazy, Suspense } from 'react';
import { lazyPart } from '../routing/lazy-part.ts';
import { useSite } from '../ui/site.ts';

// The first load has no place for Markdown.
const Prose = lazy(() => lazyPart(async () => (await import('../markdown/prose.tsx')).Prose));

/** The welcome text of the installation, if there is one. */
export function Welcome({ className }: { className: string }) {
  const { welcome } = useSite();
  if (welcome.trim() === '') return null;
  return (
    <div className={className}>
      <Suspense>
        <Prose text={welcome} />
      </Suspense>
    </div>
  );
}
