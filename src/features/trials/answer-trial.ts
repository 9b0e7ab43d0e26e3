import { kindOf, ownFields } from '../../entities/task-kinds/kinds.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import type { TriedTask } from './store.ts';
import { emptyTrial, recordProblem, type TaskTrial } from './trial.ts';

/**
 * Tries a task that no machine grades. Each right answer of its kind must give all points, each wrong one none. The first wrong and the
 * first right answer stand in the report as the runs before and after the solution. What people grade is not tried.
 */
export function tryAnswers(task: TriedTask): TaskTrial {
  const trial = emptyTrial(task);
  const { grade, trialAnswers } = kindOf(task);
  if (!grade || !trialAnswers) return trial;
  const fields = ownFields(task);
  const runs = trialAnswers(fields).map(({ answer, isRight }) => ({
    isRight,
    verdict: grade(fields, answer, task.has_partial_credit),
  }));
  trial.first = runs.find(({ isRight }) => !isRight)?.verdict ?? trial.first;
  trial.after = runs.find(({ isRight }) => isRight)?.verdict ?? null;
  const gives = ({ passed, part }: Verdict): boolean => passed || (part?.earned ?? 0) > 0;
  if (runs.some(({ isRight, verdict }) => isRight && !verdict.passed)) recordProblem(trial, 'right_answer_fails');
  if (runs.some(({ isRight, verdict }) => !isRight && gives(verdict))) recordProblem(trial, 'wrong_answer_passes');
  return trial;
}
