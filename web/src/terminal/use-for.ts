import { useEffect, useState } from 'react';

/** A flag that resets some time after it was last set. */
export function useFor(milliseconds: number): [isSo: boolean, setSo: () => void] {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times === 0) return;
    const timer = setTimeout(() => setTimes(0), milliseconds);
    return () => clearTimeout(timer);
  }, [times, milliseconds]);
  return [times > 0, () => setTimes((count) => count + 1)];
}
