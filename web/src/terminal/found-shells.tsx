import { type ReactNode, useEffect, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { livingShells } from './living-shells.ts';
import { adoptShells, storedIds } from './shell-id.ts';

type Found = { isKnown: boolean; elsewhere: readonly string[] };

/**
 * Looks for the living shells of a container, on the first visit in this tab of the browser. Those without a client are adopted: they were
 * left in a tab that was closed, in another browser or on another computer. Those with one are offered.
 */
export function FoundShells({
  containerId,
  lead,
  children,
}: {
  containerId: number;
  /** What the bar says about the machine. */
  lead: ReactNode;
  children: ReactNode;
}) {
  const { terminal: words } = useStrings();
  const [{ isKnown, elsewhere }, setFound] = useState<Found>(() => ({
    isKnown: storedIds(containerId).length > 0,
    elsewhere: [],
  }));
  useEffect(() => {
    if (isKnown) return;
    let isLeft = false;
    void livingShells(containerId).then((shells) => {
      if (isLeft) return;
      const free = shells.filter(({ is_connected }) => !is_connected).map(({ id }) => id);
      if (free.length > 0) adoptShells(containerId, free);
      setFound({ isKnown: true, elsewhere: free.length > 0 ? [] : shells.map(({ id }) => id) });
    });
    return () => {
      isLeft = true;
    };
  }, [containerId, isKnown]);
  if (!isKnown) return <div className="h-full animate-pulse bg-terminal" />;
  if (elsewhere.length === 0) return children;
  const proceed = (ids: readonly string[]): void => {
    if (ids.length > 0) adoptShells(containerId, ids);
    setFound({ isKnown: true, elsewhere: [] });
  };
  return (
    <section aria-label={words.label} className="flex h-full flex-col">
      <div className="flex min-h-11 shrink-0 items-center border-b bg-surface px-2 text-sm empty:hidden">{lead}</div>
      <div className="flex flex-col items-start gap-3 overflow-y-auto p-4">
        <p role="status" className="font-medium">
          {words.elsewhere(elsewhere.length)}
        </p>
        <p className="text-sm text-ink-soft">{words.elsewhereHelp}</p>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => proceed(elsewhere)}>
            {words.takeBack}
          </Button>
          <Button onClick={() => proceed([])}>{words.openNew}</Button>
        </div>
      </div>
    </section>
  );
}
