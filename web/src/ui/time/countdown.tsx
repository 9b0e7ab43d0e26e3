import { Clock, TriangleAlert } from 'lucide-react';
import { useStrings } from '../../strings/use-strings.tsx';
import { classes } from '../classes.ts';
import { clockOf } from './use-seconds-left.ts';

/** The time left. Near the end it has another colour, an icon, and a text. */
export function Countdown({ left }: { left: number | undefined }) {
  const t = useStrings();
  if (left === undefined) return <span className="text-sm text-ink-soft">{t.attempts.noLimit}</span>;
  const isNear = left <= 600;
  const isVeryNear = left <= 60;
  const Sign = isNear ? TriangleAlert : Clock;
  return (
    <span
      role="timer"
      aria-label={t.attempts.left(left)}
      className={classes(
        'inline-flex min-h-8 items-center gap-2 rounded-md border px-2.5 text-sm font-semibold tabular-nums whitespace-nowrap',
        isVeryNear ? 'border-bad bg-bad-soft text-bad' : isNear ? 'border-warn bg-warn-soft text-warn' : 'bg-sunken',
      )}
    >
      <Sign size={16} aria-hidden="true" />
      <span aria-hidden="true">{clockOf(left)}</span>
    </span>
  );
}
