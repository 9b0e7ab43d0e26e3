import type { ProblemParams } from './coded-problem.ts';
import { problemsOf } from './coded-problem.ts';
import type { Part } from './points.ts';

/** What the result of a check says beside its output, mostly why it is FAIL. /api/docs/errors lists them. */
export const remarkTexts = {
  check_timeout: 'No verdict: the check was stopped after {seconds} seconds.',
  check_held:
    'No verdict: a program that the check started kept its output open, or wrote to it, after the end of the check.',
  check_killed: 'No verdict: the check was killed from inside the container, or could not start.',
  check_gave_up: 'The check was ended: {reason}.',
  verdict_missing: 'No verdict: the last line of the output is neither {pass} nor {fail}.',
  verdict_inexact:
    'No verdict: the last line must be exactly {pass} or {fail}, without spaces, carriage returns or lines after it.',
  score_invalid: 'No verdict: a score is SCORE k/n, with n above 0 and k from 0 to n.',
  score_not_allowed: 'No verdict: the task does not allow that a check gives a part of its points.',
  exit_status: 'The check ended with exit status {status}.',
  exit_status_missing: 'No verdict: the check has no exit status.',
  not_answered: 'Not answered.',
  output_cut: 'The output was longer; its last {kib} KiB are shown.',
  container_closed: 'No verdict: the container was restarted for the check and still refuses connections.',
  task_not_open: 'Not graded: the task was not open yet.',
} as const;

export type RemarkCode = keyof typeof remarkTexts;
export type Remark = { code: RemarkCode; params: ProblemParams };

/** The remark of a result, as sentences and as codes. Null: there is nothing to add to the output. */
export type RemarkColumns = { remark: string | null; remark_codes: Remark[] | null };

/** The verdict of a check. */
export type Verdict = {
  passed: boolean;
  /** What it gives of the points, where the task has partial credit and the check says so. Otherwise it is all or nothing. */
  part?: Part;
  /** The standard output of the script as UTF-8, with nothing added or removed but what exceeds the limit, from its start. */
  output: string;
} & RemarkColumns;

const remarkOf = problemsOf(remarkTexts);

export function remarksOf(...remarks: Remark[]): RemarkColumns {
  if (remarks.length === 0) return { remark: null, remark_codes: null };
  return { remark: remarks.map(({ code, params }) => remarkOf(code, params).text).join(' '), remark_codes: remarks };
}

/** The verdict of an answer, whose grading prints nothing. */
export const answerVerdict = (passed: boolean, isAnswered: boolean): Verdict => ({
  ...{ passed, output: '' },
  ...(isAnswered || passed ? remarksOf() : remarksOf({ code: 'not_answered', params: {} })),
});
