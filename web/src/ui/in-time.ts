import { Problem } from '../api/problem.ts';

/** Milliseconds after which a part of the pages that does not arrive counts as not reachable. */
const patience = 30_000;

/** Rejects what is pending for too long. @throws Problem as for a service that cannot be reached */
export async function inTime<Result>(pending: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem(0)), patience);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
