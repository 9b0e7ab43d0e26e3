type Step = { id: number };
type Passed = { task_id: number; passed: boolean };

/** Of tasks that open one after another, how many are open: those that have passed in a row, and the next one. */
export function openTasks(tasks: readonly Step[], results: readonly Passed[]): number {
  const passed = new Set(results.filter((result) => result.passed).map(({ task_id }) => task_id));
  const current = tasks.findIndex(({ id }) => !passed.has(id));
  return current < 0 ? tasks.length : current + 1;
}
