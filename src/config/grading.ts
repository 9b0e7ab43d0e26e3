import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/** The scripts of exams and laboratories: gradings, and trials of their authors. */
export function readGrading(env: EnvReader) {
  return {
    grading: {
      scriptSeconds: env.integer('SCRIPT_SECONDS', 30, { min: 1, max: 600 }),
      outputBytes: env.integer('SCRIPT_OUTPUT_BYTES', 64 * bytesIn.kib, { min: 1024, max: bytesIn.mib }),
      concurrency: env.integer('GRADING_CONCURRENCY', 8, { min: 1, max: 200 }),
      /** Queued gradings; a submission beyond it is answered with 503. */
      maxWaiting: env.integer('GRADING_WAITING', 500, { min: 0, max: 100_000 }),
      /** A grading that takes longer stops blocking the queue and continues, up to a maximum number. */
      slow: {
        afterSeconds: env.integer('GRADING_SLOW_SECONDS', 5, { min: 1, max: 3600 }),
        max: env.integer('GRADING_SLOW', 100, { min: 0, max: 10_000 }),
      },
      giveUpMinutes: env.integer('GRADING_GIVE_UP_MINUTES', 10, { min: 1, max: 1440 }),
    },
    trials: {
      /** Concurrent and queued trials of scripts. */
      concurrency: env.integer('TRIALS', 1, { min: 1, max: 50 }),
      maxWaiting: env.integer('TRIALS_WAITING', 4, { min: 0, max: 1000 }),
      minutes: env.integer('TRIAL_MINUTES', 15, { min: 1, max: 600 }),
      solutionSeconds: env.integer('SOLUTION_SECONDS', 30, { min: 1, max: 600 }),
    },
  };
}
