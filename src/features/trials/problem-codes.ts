import type { SetupProblem } from '../capacity/container-setup.ts';

/** What can be wrong with a task, and with the set-up of an assessment. */
export const problemCodes = [
  'passes_at_first',
  'no_verdict',
  'no_solution',
  'no_partial_solution',
  'no_part_given',
  'passes_before_solution',
  'solution_timeout',
  'solution_failed',
  'fails_after_solution',
  'undone_by_later_tasks',
  'forgeable',
  'right_answer_fails',
  'wrong_answer_passes',
] as const;

export const setupProblemCodes = [
  'connection_lost',
  'file_failed',
  'interrupted',
  'timeout',
  'failed',
  'no_root',
] as const satisfies readonly SetupProblem['problem_code'][];
