type Step = { id: number };
type Passed = { task_id: number; passed: boolean; is_awaiting_grading: boolean };

/** One that a person grades has passed once it is answered. */
export const hasPassed = ({ passed, is_awaiting_grading }: Omit<Passed, 'task_id'>): boolean =>
  passed || is_awaiting_grading;

/** Of tasks that open one after another, how many are open: those that have passed in a row, and the next one. */
export function openTasks(tasks: readonly Step[], results: readonly Passed[]): number {
  const passed = new Set(results.filter(hasPassed).map(({ task_id }) => task_id));
  const current = tasks.findIndex(({ id }) => !passed.has(id));
  return current < 0 ? tasks.length : current + 1;
}
