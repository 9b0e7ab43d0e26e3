import { useCallback, useState } from 'react';
import { remember, remembered } from '../ui/remember.ts';

/** What a student marks tasks with: done, or to look at again. */
const names = ['ticks', 'flags'] as const;
type Name = (typeof names)[number];

export type Marks = ReadonlySet<number>;

const keyOf = (name: Name, attemptId: number): string => `${name}-${attemptId}`;

function read(key: string): Marks {
  try {
    const stored: unknown = JSON.parse(remembered(key) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : []);
  } catch {
    return new Set();
  }
}

/** The tasks that a student has marked. This browser alone remembers them, until the attempt has ended. */
export function useMarks(name: Name, attemptId: number): [Marks, (taskId: number, isMarked: boolean) => void] {
  const key = keyOf(name, attemptId);
  const [marks, setMarks] = useState(() => read(key));
  const mark = useCallback(
    (taskId: number, isMarked: boolean) => {
      // Another tab may have marked others.
      const next = new Set(read(key));
      if (isMarked) next.add(taskId);
      else next.delete(taskId);
      remember(key, JSON.stringify([...next]));
      setMarks(next);
    },
    [key],
  );
  return [marks, mark];
}

/** For an attempt that has ended. */
export function forgetMarks(attemptId: number): void {
  for (const name of names) remember(keyOf(name, attemptId), null);
}
