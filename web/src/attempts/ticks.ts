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

/** The tasks that a user has marked as done. The marks are stored only in the tab. */
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
          // They are lost on a reload then.
        }
        return next;
      }),
    [attemptId],
  );
  return [ticks, tick];
}
