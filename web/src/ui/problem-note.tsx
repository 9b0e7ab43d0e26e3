import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { codedText } from '../strings/coded-text.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
import { itemText } from './lists/item-text.ts';

/** The message of an error with the wait that the service asks for, as `textOf`. */
export function useProblemText(): (error: unknown) => string {
  const t = useStrings();
  const wait = useWaitText();
  return (error) => {
    const seconds = error instanceof Problem ? (error.retryAfter ?? 0) : 0;
    return seconds > 0 ? `${textOf(t, error)} ${wait(seconds)}` : textOf(t, error);
  };
}

/** The message of an error, in the user's language for a known code, otherwise in the service's own words. */
function textOf(t: Strings, error: unknown): string {
  if (!(error instanceof Problem)) return t.common.problems.crashed;
  if (error.status === 0) return t.common.problems.unreachable;
  if (error.words !== undefined) return error.words;
  if (error.items.length > 0) return [...new Set(error.items.map((item) => itemText(t, item)))].join(' ');
  // A newer service may have codes that these pages do not know. The refusals are loaded soon after the first page.
  const refusals: typeof t.refusals | undefined = t.refusals;
  const known: Partial<Record<string, string>> = { ...t.errors.codes, ...refusals };
  const general = known[error.code ?? ''] ?? (error.message || t.common.problems.unavailable);
  // Some refusals name the reason.
  return codedText(t, { code: error.reason }, general);
}

const longestInSeconds = 90;
const longestInMinutes = 12 * 3600;

/** Says when a retry makes sense: a short wait in seconds, a longer one as a time, with its minutes. */
function useWaitText(): (seconds: number) => string {
  const { retryIn, retryAt, retryOn } = useStrings().common.problems;
  const format = useFormat();
  return (seconds) => {
    if (seconds <= longestInSeconds) return retryIn(seconds);
    // Up to the minute after which the wait is over: nobody is told to come back too early.
    const over = new Date(Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000).toISOString();
    if (seconds > longestInMinutes) return retryOn(format.time(over));
    return retryAt(format.clock(over), Math.ceil(seconds / 60));
  };
}

/** An error in place of the failed content or action, with a retry button where a retry makes sense. */
export function ProblemNote({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const t = useStrings();
  const waitText = useWaitText();
  const text = textOf(t, error);
  const wait = useSecondsUntilRetry(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-48">
        <strong className="text-bad">{t.common.problems.title}.</strong> {text} {wait > 0 && waitText(wait)}
      </p>
      {retry && (
        <Button size="small" onClick={retry} disabled={wait > 0}>
          {t.common.retry}
        </Button>
      )}
    </div>
  );
}

/** Counts down the service's Retry-After. */
function useSecondsUntilRetry(error: unknown): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const wait = error instanceof Problem ? (error.retryAfter ?? 0) : 0;
    setSeconds(wait);
    if (wait === 0) return;
    // The clock goes on while the computer sleeps, or the tab is in the background.
    const over = Date.now() + wait * 1000;
    const timer = setInterval(() => setSeconds(Math.max(0, Math.ceil((over - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}
