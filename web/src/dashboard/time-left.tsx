import { Timer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { useStrings } from '../strings/use-strings.tsx';

/** Counts down by the server's clock. Screen readers read the time on demand, not every second. */
export function TimeLeft({ until }: { until: string | null }) {
  const { next: words } = useStrings().dashboard;
  const seconds = useSecondsUntil(until);
  if (seconds === null) return words.noLimit;
  if (seconds === 0) return words.timeOver;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    <span className="inline-flex items-center gap-1.5">
      <Timer size={15} aria-hidden="true" /> {words.timeLeft}:{' '}
      <span role="timer" aria-label={words.timeLeft} className="font-semibold tabular-nums">
        {hours > 0 && `${hours}:`}
        {two(minutes)}:{two(rest)}
      </span>
    </span>
  );
}

function useSecondsUntil(until: string | null): number | null {
  const left = (): number | null =>
    until === null ? null : Math.max(0, Math.round((Date.parse(until) - serverNow()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left depends on the end alone
  useEffect(() => {
    setSeconds(left());
    if (until === null) return;
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
