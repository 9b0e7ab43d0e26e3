import { Timer } from 'lucide-react';
import { useStrings } from '../../strings/use-strings.tsx';
import { clockOf, useSecondsLeft } from './use-seconds-left.ts';

/** Counts down by the server's clock. Screen readers read the time on demand, not every second. */
export function TimeLeft({ until }: { until: string | null }) {
  const { next: words } = useStrings().dashboard;
  const seconds = useSecondsLeft(until);
  if (seconds === undefined) return words.noLimit;
  if (seconds === 0) return words.timeOver;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Timer size={15} aria-hidden="true" /> {words.timeLeft}:{' '}
      <span role="timer" aria-label={words.timeLeft} className="font-semibold tabular-nums">
        {clockOf(seconds)}
      </span>
    </span>
  );
}
