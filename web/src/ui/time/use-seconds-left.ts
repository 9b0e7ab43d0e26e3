import { useEffect, useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';

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

const twoDigits = (value: number): string => `${value}`.padStart(2, '0');

/** As `1:05:09` or `5:09`. */
export function clockOf(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
}
