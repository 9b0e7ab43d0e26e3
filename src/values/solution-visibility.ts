/** When students see the worked solution of a task. */
export const solutionVisibilities = ['never', 'after_passing', 'after_due', 'after_close'] as const;
export type SolutionVisibility = (typeof solutionVisibilities)[number];

/** What is known of a student and a task. */
export type SolutionFacts = {
  /** An attempt of the student at this exam or laboratory has not ended, in whatever session. */
  isRunning: boolean;
  /** The student passed the task in an attempt that has ended, and sees that result. */
  hasPassed: boolean;
  /**
   * The last due date of the laboratory, or the last close of the exam, is over for the student. False where there is none: then nothing
   * says when the solution would harm nobody.
   */
  isOver: boolean;
};

/** Whether a student sees a solution. A laboratory is due and an exam closes, so the two words mean the same moment. */
export function isSolutionShown(visible: SolutionVisibility, { isRunning, hasPassed, isOver }: SolutionFacts): boolean {
  if (isRunning || visible === 'never') return false;
  return visible === 'after_passing' ? hasPassed : isOver;
}
