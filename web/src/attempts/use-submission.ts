import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import { isRefusal, Problem } from '../api/problem.ts';
import { preventReload } from '../routing/reload.ts';
import type { Attempt } from './active.ts';
import { attemptQuery, useAttemptActions } from './queries.ts';
import { hasSubmission, isOver } from './status.ts';

/** Milliseconds after which a request is repeated that the service has not even begun to process. */
const patience = 30_000;

/** `sending` until there is an answer, `unsent` while the next request waits. */
type Phase = { name: 'none' | 'sending' } | { name: 'unsent'; nextAt: number } | { name: 'refused'; error: unknown };

export type Submission = ReturnType<typeof useSubmission>;

/**
 * The submission of an attempt. It is repeated until the service has confirmed it: after a growing pause, as soon as the browser is online,
 * and when the user asks for it.
 * @param found the attempt as first loaded
 * @param before saves what is graded, before each request
 */
export function useSubmission(kind: Kind, found: Attempt, before: () => Promise<void>) {
  const client = useQueryClient();
  const { calls, seen } = useAttemptActions(kind);
  const [phase, setPhase] = useState<Phase>({ name: 'none' });
  const running = useRef<AbortController>(null);
  const request = useRef<AbortController>(null);
  const wake = useRef<() => void>(null);
  const latest = useCallback(
    (): Attempt => client.getQueryData(attemptQuery(kind, found.id).queryKey) ?? found,
    [client, kind, found],
  );

  const cancel = useCallback(() => {
    running.current?.abort();
    setPhase({ name: 'none' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  const sendNow = useCallback(() => wake.current?.(), []);
  useEffect(() => {
    addEventListener('online', sendNow);
    return () => removeEventListener('online', sendNow);
  }, [sendNow]);
  const isPending = phase.name === 'sending' || phase.name === 'unsent';
  useEffect(() => (isPending ? preventReload() : undefined), [isPending]);
  const isSending = phase.name === 'sending';
  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => hasSubmission(latest()) || request.current?.abort(), patience);
    return () => clearTimeout(timer);
  }, [isSending, latest]);

  const submit = async (): Promise<void> => {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    /** One request, which `patience` can end without the end of the whole. */
    const asked = async <Result>(send: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
      setPhase({ name: 'sending' });
      request.current = new AbortController();
      const signal = AbortSignal.any([run.signal, request.current.signal]);
      try {
        return await send(signal);
      } catch (error) {
        // A request that waits for a login ends with the refusal that it has had.
        signal.throwIfAborted();
        throw error;
      }
    };
    const pause = (failures: number, error: unknown): Promise<void> =>
      new Promise((resolve) => {
        const wait = pauseAfter(failures, error);
        setPhase({ name: 'unsent', nextAt: Date.now() + wait });
        const timer = setTimeout(resolve, wait);
        const end = (): void => {
          clearTimeout(timer);
          resolve();
        };
        wake.current = end;
        run.signal.addEventListener('abort', end, { once: true });
      });
    try {
      const answer = await submitUntilAnswered(
        latest(),
        {
          submit: () =>
            asked(async (signal) => {
              await before();
              signal.throwIfAborted();
              return await calls.submit(found.assessment_id ?? 0, signal);
            }),
          read: () => asked((signal) => calls.read(found.id, signal)),
          pause,
        },
        run.signal,
      );
      setPhase({ name: 'none' });
      seen(answer);
    } catch (error) {
      if (run.signal.aborted) return;
      setPhase({ name: 'refused', error });
      await calls.refresh();
    }
  };

  return {
    submit: () => void submit(),
    sendNow,
    cancel,
    error: phase.name === 'refused' ? phase.error : null,
    isPending,
    /** Milliseconds since 1970, where the last request had no answer. */
    nextAt: phase.name === 'unsent' ? phase.nextAt : undefined,
  };
}

type SubmissionCalls = {
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
async function submitUntilAnswered(
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
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Problem)) return error instanceof DOMException && error.name === 'AbortError';
  if ([0, 429, 502, 504].includes(error.status)) return true;
  return error.status === 503 && !isRefusal(error, 'grading_failed');
}

const pauses = { first: 1000, most: 30_000 };

/** Milliseconds before a repetition: doubled each time, and at least what the service asks for. */
const pauseAfter = (failures: number, error: unknown): number =>
  Math.min(
    pauses.most,
    Math.max(pauses.first * 2 ** (failures - 1), error instanceof Problem ? (error.retryAfter ?? 0) * 1000 : 0),
  );
