import { useCallback, useState } from 'react';

const keyOf = (attemptId: number): string => `ticks-${attemptId}`;

function read(attemptId: number): ReadonlySet<number> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(attemptId)) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : []);
  } catch {
    return new Set();
  }
}

/** The tasks that a user takes for done: marks of their own, kept in the tab and nowhere else. */
export function useTicks(attemptId: number): [ReadonlySet<number>, (taskId: number, isDone: boolean) => void] {
  const [ticks, setTicks] = useState(() => read(attemptId));
  const tick = useCallback(
    (taskId: number, isDone: boolean) =>
      setTicks((before) => {
        const next = new Set(before);
        if (isDone) next.add(taskId);
        else next.delete(taskId);
        try {
          sessionStorage.setItem(keyOf(attemptId), JSON.stringify([...next]));
        } catch {
          // They are then gone after a reload.
        }
        return next;
      }),
    [attemptId],
  );
  return [ticks, tick];
}
