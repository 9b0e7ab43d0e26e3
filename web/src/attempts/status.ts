import { hasReached } from '../api/server-clock.ts';
import type { Tone } from '../ui/card.tsx';
import type { Attempt } from './active.ts';

type HasStatus = { status: Attempt['status'] | 'not_started' };

/** Its clock has started, and it has not ended. */
export const isRunning = ({ status }: HasStatus): boolean => status === 'in_progress' || status === 'grading';

/** It has not ended: it waits for its container, or runs. */
export const isActive = (attempt: HasStatus): boolean => attempt.status === 'queued' || isRunning(attempt);

export const isOver = (attempt: HasStatus): boolean => !isActive(attempt) && attempt.status !== 'not_started';

/** Whether the service has the submission. A practice check is graded as well, but submits nothing. */
export const hasSubmission = ({ status, submitted_at }: Attempt): boolean =>
  status === 'grading' && submitted_at !== null;

/** Whether the service itself has said that the time is over: not what a clock of this computer makes of it. */
export const isTimeConfirmed = ({ status, expires_at }: Pick<Attempt, 'status' | 'expires_at'>): boolean =>
  status === 'grading' || (expires_at !== null && hasReached(expires_at));

/** What became of a task: its check passed, gave a part of the points, or failed. */
export const outcomeOf = ({ passed, points_earned }: { passed: boolean; points_earned: number }) =>
  passed ? 'passed' : points_earned > 0 ? 'part' : 'failed';

/** The colour of a status in lists. */
export const statusTones: Record<Attempt['status'], Tone> = {
  queued: 'info',
  in_progress: 'info',
  grading: 'info',
  finished: 'neutral',
  abandoned: 'neutral',
  expired: 'warn',
};
