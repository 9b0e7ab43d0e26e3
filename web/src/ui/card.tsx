import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export const Card = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={classes('panel p-4', className)}>{children}</div>
);

const tones = {
  neutral: 'bg-sunken text-ink-soft',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  info: 'bg-info-soft text-info',
};
export type Tone = keyof typeof tones;

/** A short label for a state. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
      tones[tone],
    )}
  >
    {children}
  </span>
);

/** Progress as a bar. */
export const ProgressBar = ({ value, label }: { value: number; label: string }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(value)}
    aria-valuemin={0}
    aria-valuemax={100}
    className="h-2 overflow-hidden rounded-full bg-sunken"
  >
    <div
      className="h-full rounded-full bg-accent transition-[width]"
      style={{ width: `${Math.min(100, Math.max(0, value))}%` }}
    />
  </div>
);
