import { ShellConnectionLostError } from '../../../../packages/ssh/container-shell.ts';
import { ServiceError } from '../../../errors.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../../ports/container-engine.ts';
import type { GradingErrorCode, GradingProblem } from '../../../values/grading-problem.ts';
import { NoRoomForCheckError } from '../../grading/grader.ts';
import { lostReason } from '../store.ts';

export const containerLost: GradingProblem = { grading_error: lostReason, grading_error_code: 'container_lost' };
export const containerNotCreated: GradingProblem = {
  grading_error: 'The container could not be created',
  grading_error_code: 'container_not_created',
};
/** All that students get about a grading of theirs that failed. */
export const gradingFailed: GradingProblem = {
  grading_error: 'Grading failed; submit again',
  grading_error_code: 'grading_failed',
};

/** Of an error that ended a grading part-way. */
export const gradingProblemOf = (error: unknown): GradingProblem => ({
  grading_error: error instanceof Error ? error.message : 'unknown',
  grading_error_code: codeOf(error),
});

function codeOf(error: unknown): GradingErrorCode {
  if (error instanceof NoRoomForCheckError) return 'container_full';
  if (error instanceof ShellConnectionLostError) return 'container_unreachable';
  if (error instanceof ContainerNotRunningError) return 'container_stopped';
  // Its replacement is being created: otherwise the attempt has ended.
  if (error instanceof NoSuchContainerError) return 'container_replaced';
  const isOutage = error instanceof ServiceError && error.code === 'engine_unavailable';
  return isOutage ? 'engine_unavailable' : 'grading_failed';
}
