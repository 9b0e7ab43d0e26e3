import { Clock, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import { useToasts } from '../ui/toasts.tsx';

/** Seconds before the end at which the user is warned. */
const warnings = [600, 300, 60];

const secondsUntil = (moment: string | null, pausedAt: string | null): number | undefined => {
  if (moment === null) return undefined;
  const now = pausedAt === null ? serverNow() : Date.parse(pausedAt);
  return Math.max(0, Math.ceil((Date.parse(moment) - now) / 1000));
};

/**
 * Whole seconds until a time by the server's clock, counted down. Undefined without such a time.
 * @param pausedAt since when the clock is stopped
 */
export function useSecondsLeft(moment: string | null, pausedAt: string | null = null): number | undefined {
  const [left, setLeft] = useState(() => secondsUntil(moment, pausedAt));
  useEffect(() => {
    const look = (): void => setLeft(secondsUntil(moment, pausedAt));
    look();
    if (moment === null || pausedAt !== null) return;
    // More often than every second, so that no second is shown for two.
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [moment, pausedAt]);
  return left;
}

/** Warns before the end, and reports a moved end. Screen readers announce toasts. */
export function useTimeWarnings(expiresAt: string | null, left: number | undefined): void {
  const t = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const told = useRef<{ expiresAt: string | null; warned: number }>(null);
  useEffect(() => {
    const warned = left === undefined ? 0 : warnings.filter((seconds) => left <= seconds).length;
    const before = told.current;
    told.current = { expiresAt, warned };
    if (before === null || left === 0) return;
    if (before.expiresAt !== expiresAt)
      toasts.warn(expiresAt === null ? t.attempts.noLimit : t.attempts.moved(format.clock(expiresAt)));
    if (warned > before.warned) toasts.warn(t.attempts.warning((warnings[warned - 1] ?? 0) / 60));
  }, [expiresAt, left, t, format, toasts]);
}

const twoDigits = (value: number): string => `${value}`.padStart(2, '0');

function digits(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
}

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
      <span aria-hidden="true">{digits(left)}</span>
    </span>
  );
}
