import { isRefusal, Problem } from '../api/problem.ts';
import type { Attempt } from './active.ts';
import { isOver } from './status.ts';

export type SubmissionCalls = {
  /** Submits the work. The answer comes when it is graded. */
  submit: () => Promise<Attempt>;
  /** The attempt as the service has it. */
  read: () => Promise<Attempt>;
  /** Waits before the next request. `failures` counts the requests that have failed, from 1. */
  pause: (failures: number, error: unknown) => Promise<void>;
};

/**
 * Submits an attempt until the service has answered. A lost answer does not mean a lost submission, so each repetition first reads what
 * became of the attempt.
 * @returns the attempt as it then is: over, or again in progress where its grading failed
 * @throws Problem for an answer that a repetition would not change; what `signal` is aborted with
 */
export async function submitUntilAnswered(
  attempt: Pick<Attempt, 'grading_error'>,
  { submit, read, pause }: SubmissionCalls,
  signal: AbortSignal,
): Promise<Attempt> {
  for (let failures = 0; ; ) {
    try {
      const known = failures === 0 ? undefined : await read();
      if (known && (isOver(known) || hasFailed(known, attempt))) return known;
      return await submit();
    } catch (error) {
      signal.throwIfAborted();
      // The attempt ended between two requests, or another process grades it.
      const mayBeOver = failures > 0 && isRefusal(error, 'no_active_attempt', 'attempt_lost', 'attempt_grading');
      if (!mayBeOver && !isUnanswered(error)) throw error;
      failures += 1;
      await pause(failures, error);
      signal.throwIfAborted();
    }
  }
}

const hasFailed = (known: Attempt, before: Pick<Attempt, 'grading_error'>): boolean =>
  known.status === 'in_progress' && known.grading_error !== null && known.grading_error !== before.grading_error;

/** No answer, one of a proxy, or a refusal before the service has read the request. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Problem)) return error instanceof DOMException && error.name === 'AbortError';
  if ([0, 429, 502, 504].includes(error.status)) return true;
  return error.status === 503 && !isRefusal(error, 'grading_failed');
}

const pauses = { first: 1000, most: 30_000 };

/** Milliseconds before a repetition: doubled each time, and at least what the service asks for. */
export const pauseAfter = (failures: number, error: unknown): number =>
  Math.min(
    pauses.most,
    Math.max(pauses.first * 2 ** (failures - 1), error instanceof Problem ? (error.retryAfter ?? 0) * 1000 : 0),
  );
