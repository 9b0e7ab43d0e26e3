import { useEffect, useState } from 'react';
import { blockNavigation } from './location.ts';

/** Has the browser ask before it closes or reloads the page while `isActive`. */
export function useLeaveQuestion(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isActive]);
}

/** Stops the user who leaves the page while `isActive`. The browser itself asks before it closes or reloads the page. */
export function useBlocker(isActive: boolean) {
  const [stopped, setStopped] = useState<{ proceed: () => void }>();
  useLeaveQuestion(isActive);
  useEffect(() => (isActive ? blockNavigation((proceed) => setStopped({ proceed })) : undefined), [isActive]);
  return {
    isBlocked: stopped !== undefined,
    proceed: (): void => {
      setStopped(undefined);
      stopped?.proceed();
    },
    reset: (): void => setStopped(undefined),
  };
}
