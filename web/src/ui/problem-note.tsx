import { useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { codedText } from '../strings/coded-text.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
import { itemText } from './item-text.ts';

/** The message of an error, in the user's language for a known code, otherwise in the service's own words. */
export function useProblemText(): (error: unknown) => string {
  const t = useStrings();
  return (error) => {
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
  };
}

/** An error in place of the failed content or action, with a retry button where a retry makes sense. */
export function ProblemNote({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const t = useStrings();
  const text = useProblemText()(error);
  const wait = useSecondsUntilRetry(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-48">
        <strong className="text-bad">{t.common.problems.title}.</strong> {text}{' '}
        {wait > 0 && t.common.problems.retryIn(wait)}
      </p>
      {retry && (
        <Button size="small" onClick={retry} disabled={wait > 0}>
          {t.common.retry}
        </Button>
      )}
    </div>
  );
}

/** Counts down the service's Retry-After, at most a minute. */
function useSecondsUntilRetry(error: unknown): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const wait = error instanceof Problem ? Math.min(60, error.retryAfter ?? 0) : 0;
    setSeconds(wait);
    if (wait === 0) return;
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}
