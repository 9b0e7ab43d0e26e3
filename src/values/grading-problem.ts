/** Why a grading failed, or why an attempt ended without a result. Clients depend on these words. */
export const gradingErrorCodes = [
  'container_full',
  'container_lost',
  'container_not_created',
  'container_replaced',
  'container_stopped',
  'container_unreachable',
  'engine_unavailable',
  'grading_failed',
  'grading_interrupted',
  'restored_from_backup',
] as const;
export type GradingErrorCode = (typeof gradingErrorCodes)[number];

/** What an attempt keeps about a grading that failed, or about its end without a result: one sentence, and its stable code. */
export type GradingProblem = { grading_error: string; grading_error_code: GradingErrorCode };
