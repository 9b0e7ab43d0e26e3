import { useEffect, useState } from 'react';
import { blockNavigation } from './place.ts';

/** Stops the user who leaves the page while `isActive`. The browser itself asks before it closes or reloads the page. */
export function useBlocker(isActive: boolean) {
  const [stopped, setStopped] = useState<{ proceed: () => void }>();
  useEffect(() => {
    if (!isActive) return;
    const release = blockNavigation((proceed) => setStopped({ proceed }));
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => {
      release();
      removeEventListener('beforeunload', warn);
    };
  }, [isActive]);
  return {
    isBlocked: stopped !== undefined,
    proceed: (): void => {
      setStopped(undefined);
      stopped?.proceed();
    },
    reset: (): void => setStopped(undefined),
  };
}
