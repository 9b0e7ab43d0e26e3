import { Problem } from './problem.ts';

/** Milliseconds after which the service counts as not reachable. */
const patience = 30_000;

/** No answer for too long. It is not requested again without the user's action. */
export class TooLate extends Problem {
  constructor() {
    super(0);
  }
}

/** Rejects what is pending for too long. @throws TooLate */
export async function inTime<Result>(pending: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), patience);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
