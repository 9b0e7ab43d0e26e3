import { setTimeout } from 'node:timers/promises';

/**
 * The result of `promise`, which must come within `milliseconds`. Node's runner waits for hooks without a limit, so one that waits forever
 * would stop the whole run without a word.
 * @throws an Error that names `what` and everything that the process still waits for
 */
export async function within<Result>(milliseconds: number, what: string, promise: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const late = Symbol('late');
  try {
    const first = await Promise.race([promise, setTimeout(milliseconds, late, { signal: timer.signal })]);
    if (first !== late) return first as Result;
    const pending = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
    const kinds = [...pending].map(([kind, all]) => `${all.length} ${kind}`).join(', ');
    throw new Error(`${what} took more than ${milliseconds / 1000} s; the process waits for ${kinds}`);
  } finally {
    timer.abort();
  }
}
