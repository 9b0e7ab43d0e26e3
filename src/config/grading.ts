import { bytesIn } from './bytes-in.ts';
import type { Tuning } from './tuning.ts';

/** The scripts of exams and laboratories: gradings, and trials of their authors. */
export const gradingLimits = (tuning: Tuning) => ({
  grading: {
    scriptSeconds: tuning.scriptSeconds,
    /** Of one script, from its end: students read it, and it is stored with each result. */
    outputBytes: 64 * bytesIn.kib,
    concurrency: tuning.gradingConcurrency,
    /** Queued gradings: all students of a large exam at its end. A submission beyond it is answered with 503. */
    maxWaiting: 500,
    /** A grading that takes longer stops blocking the queue and continues, up to a maximum number. */
    slow: { afterSeconds: 5, max: 100 },
    /** After the deadline. An attempt whose container cannot be reached for so long is graded FAIL. An engine restarts in less. */
    giveUpMinutes: 10,
  },
  trials: {
    /** Trials of scripts at once in a process, because each takes a container from the students. */
    concurrency: 1,
    maxWaiting: tuning.maxTrialsWaiting,
    /** Unfinished trials of one author who is no administrator: one that runs, and the next one. */
    perAuthor: 2,
    /** Of a trial with all its tasks, and of the solution of one. */
    minutes: 15,
    solutionSeconds: 30,
  },
});
