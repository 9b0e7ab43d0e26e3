import { useEffect, useReducer } from 'react';
import { useFormat } from '../strings/use-strings.tsx';

/** How long ago a time was. The text follows the clock on a page that stays open and gets no news. */
export function Ago({ time }: { time: string }) {
  const format = useFormat();
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(lookAgain, 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={format.time(time)}>
      {format.ago(time)}
    </time>
  );
}
