import type { Static } from 'typebox';
import type { ContainerShell } from '../../../packages/ssh/container-shell.ts';
import type { StudentAccount } from '../../database/tables.ts';
import type { Remark, Verdict } from '../../values/grading-remark.ts';
import { scriptWith } from '../../values/parameters.ts';
import type { Grader } from '../grading/grader.ts';
import { type AnswerPath, answersMade, answersNamed, listScript, markScript } from './answer-paths.ts';
import type { Opponent } from './opponent-program.ts';
import type { OpponentRun } from './opponents.ts';
import type { problemCodes } from './problem-codes.ts';
import type { TrialReportSchema } from './schema.ts';
import { runAsStudent, type SolutionRun } from './solution-run.ts';
import type { TriedTask } from './store.ts';

/** If the set-up failed, nothing else was tried. `output` is the end of what its script printed. */
export type TrialReport = Static<typeof TrialReportSchema>;
export type TaskTrial = TrialReport['tasks'][number];
type ProblemCode = (typeof problemCodes)[number];

/** The results of each task's own trial, and the files that its solution created. */
export type SelfTest = { tasks: TaskTrial[]; answers: AnswerPath[][] };

export type TrialParts = {
  /** An unused container. */
  ref: string;
  shell: ContainerShell;
  /** The account of students. */
  account: StudentAccount;
  grader: Pick<Grader, 'grade'>;
  solutionSeconds: number;
  /** A task that has passed is not checked again, so later ones may undo it. */
  isSequential?: boolean;
  /** All tasks of the assessment. The solutions of those that are not tried run in their place, and are not checked. */
  all?: readonly TriedTask[] | undefined;
  signal?: AbortSignal;
};

/**
 * Checks every task on a fresh container. Then runs for each task in order its check, its solution as the student, and its check again. At
 * the end, runs all checks once more. A task has at most four runs, whatever the number of tasks.
 * @throws as Grader.grade and ContainerShell.connect; the signal's reason between two runs
 */
export async function runTrial(parts: TrialParts, tasks: readonly TriedTask[]): Promise<SelfTest> {
  const first = await check(parts, tasks);
  const trials: TaskTrial[] = [];
  const answers: AnswerPath[][] = [];
  let isFresh = true;
  for (const task of upToLast(parts.all ?? tasks, tasks)) {
    const index = tasks.indexOf(task);
    if (index < 0) {
      if (task.solution_script !== null) await runAsStudent(parts, scriptWith(task.values, task.solution_script));
      isFresh = false;
      continue;
    }
    const fresh = first[index] ?? noVerdict;
    const trial = { ...emptyTrial(task), first: fresh };
    recordProblem(trial, problemOfFirst(fresh));
    trials.push(trial);
    answers.push(answersNamed(task.verification_script, task.solution_script));
    if (task.solution_script === null) {
      recordProblem(trial, 'no_solution');
      continue;
    }
    const [before = noVerdict] = isFresh ? [fresh] : await check(parts, [task]);
    isFresh = false;
    if (before.passed) recordProblem(trial, 'passes_before_solution');
    const made = await answersOf(parts, async () => {
      if (task.has_partial_credit) await tryPart(parts, task, trial);
      trial.solution = await runAsStudent(parts, scriptWith(task.values, task.solution_script ?? ''));
    });
    if (made.length > 0) answers[index] = made;
    [trial.after = noVerdict] = await check(parts, [task]);
    recordProblem(trial, problemOfSolution(trial.solution ?? noSolution, trial.after), parts.solutionSeconds);
  }
  if (trials.length > 1 && !parts.isSequential) {
    for (const [index, { passed }] of (await check(parts, tasks)).entries()) {
      const trial = trials[index];
      if (trial?.after?.passed && !passed) recordProblem(trial, 'undone_by_later_tasks');
    }
  }
  return { tasks: trials, answers };
}

/** Whether the check gives a part of the points for a part of the task. */
async function tryPart(parts: TrialParts, task: TriedTask, trial: TaskTrial): Promise<void> {
  if (task.partial_script === null) return recordProblem(trial, 'no_partial_solution');
  await runAsStudent(parts, scriptWith(task.values, task.partial_script));
  [trial.partial = noVerdict] = await check(parts, [task]);
  const { passed, part } = trial.partial;
  if (passed || !part?.earned) recordProblem(trial, 'no_part_given');
}

/** The tasks up to the last one that is tried: nothing later has an effect on it. */
const upToLast = (all: readonly TriedTask[], tried: readonly TriedTask[]): readonly TriedTask[] =>
  all.slice(0, Math.max(...tried.map((task) => all.indexOf(task))) + 1);

/** Answers without content may be worth a part of the points. What else interferes has earned nothing. */
const hasForged = ({ passed, part, opponent }: OpponentRun): boolean =>
  passed || (opponent !== 'empty' && (part?.earned ?? 0) > 0);

/** The whole report. A check that an opponent passed is wrong. A task whose first check passed met no opponents. */
export function reportOf(trials: readonly TaskTrial[], runs: ReadonlyMap<number, OpponentRun[]>): TrialReport {
  const tasks = trials.map((trial): TaskTrial => {
    const met = (runs.get(trial.task_id) ?? []).map((run) => ({ ...run, passed: hasForged(run) }));
    const whole = { ...trial, opponents: met };
    const isForged = met.some(({ passed }) => passed);
    // A check that can be forged is wrong, whatever solution it gets.
    if (isForged && whole.problem_code === 'no_solution') whole.problem_code = null;
    recordProblem(whole, isForged ? 'forgeable' : null);
    return whole;
  });
  if (tasks.length === 0) return { is_ok: false, problem: noTasks, problem_code: 'no_tasks', setup: null, tasks };
  const isOk = tasks.every(({ problem }) => problem === null);
  return { is_ok: isOk, problem: null, problem_code: null, setup: null, tasks };
}

const noTasks = 'There are no tasks: every attempt ends with 0 of 0 points';

const doings: Record<Opponent, string> = {
  kills: 'kills its processes',
  stops: 'stops its processes',
  replaces: 'replaces files while it runs',
  reads: 'reads what its processes show',
  empty: 'answers with nothing',
  traces: 'is root and traces its processes',
};

/** The trial of a task that nothing has run for yet. */
export const emptyTrial = ({ id, title, values }: TriedTask): TaskTrial => ({
  ...{ task_id: id, title, values: values ?? null, first: noVerdict },
  ...{ partial: null, solution: null, after: null, problem: null, problem_code: null, opponents: [] },
});
/** Tasks whose attempts can draw other values: the first trial of each that finds a problem is the one that counts. */
export function recordOtherValues(tested: SelfTest, others: readonly TaskTrial[]): void {
  for (const trial of others) {
    const index = tested.tasks.findIndex(({ task_id }) => task_id === trial.task_id);
    if (trial.problem !== null && tested.tasks[index]?.problem === null) tested.tasks[index] = trial;
  }
}

/** Records the problem of a task, unless it already has one. */
export function recordProblem(trial: TaskTrial, code: ProblemCode | null, solutionSeconds = 0): void {
  if (code === null || trial.problem_code !== null) return;
  trial.problem_code = code;
  const values = Object.entries(trial.values ?? {}).map(([name, value]) => `${name} = ${value}`);
  const where = values.length > 0 ? `With ${values.join(', ')}: ` : '';
  trial.problem = where + sentences[code](trial, solutionSeconds);
}

const sentences: Record<ProblemCode, (trial: TaskTrial, solutionSeconds: number) => string> = {
  passes_at_first: ({ first }) => `The check ${first.passed ? 'passes' : 'gives points'} before anything is done`,
  no_verdict: () => 'The check returns no verdict in a new container',
  no_solution: () => 'There is no reference solution',
  no_partial_solution: () => 'There is no partial solution, which a task with partial credit needs',
  no_part_given: () => 'After the partial solution the check does not end with SCORE k/n, with k between 0 and n',
  passes_before_solution: () => 'The check passes before its solution, after the solutions of earlier tasks',
  solution_timeout: (_trial, seconds) => `The solution did not end in ${seconds} seconds`,
  solution_failed: ({ solution }) => `The solution ended with status ${solution?.exit_status}`,
  fails_after_solution: () => 'The check does not pass after the solution',
  undone_by_later_tasks: () => 'The check fails after the solutions of later tasks',
  right_answer_fails: () => 'An answer that is right does not give all points',
  wrong_answer_passes: () => 'An answer that is wrong gives points',
  forgeable: ({ opponents }) => {
    const winners = opponents.filter(({ passed }) => passed).map(({ opponent }) => doings[opponent]);
    return `The check can be forged (by a student who ${winners.join(', or ')})`;
  },
};

/** Files that an action of the student has created. */
async function answersOf({ shell, ref }: TrialParts, act: () => Promise<void>): Promise<AnswerPath[]> {
  await using root = await shell.connect(ref, 'grader');
  await root.runScript(markScript, { seconds: 10, outputBytes: 1024 });
  await act();
  const { output } = await root.runScript(listScript, { seconds: 10, outputBytes: 65_536 });
  return answersMade(output);
}

const noVerdict: Verdict = { passed: false, output: '', remark: null, remark_codes: null };
const noSolution: SolutionRun = { exit_status: null, output: '' };

/** Whether a check that failed for the reason has said so itself. 126 and 127: a program was not found or not executable. */
const isOwnVerdict = ({ code, params }: Remark): boolean =>
  code === 'output_cut' ||
  code === 'check_gave_up' ||
  (code === 'exit_status' && !/^12[67]$/.test(String(params.status)));

function problemOfFirst({ passed, part, remark_codes }: Verdict): ProblemCode | null {
  if (passed || part?.earned) return 'passes_at_first';
  return (remark_codes ?? []).every(isOwnVerdict) ? null : 'no_verdict';
}

function problemOfSolution({ exit_status }: SolutionRun, { passed }: Verdict): ProblemCode | null {
  if (exit_status === null) return 'solution_timeout';
  if (exit_status !== 0) return 'solution_failed';
  return passed ? null : 'fails_after_solution';
}

async function check({ grader, ref, signal }: TrialParts, tasks: readonly TriedTask[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const task of tasks) {
    signal?.throwIfAborted();
    await grader.grade(ref, [task], async (_task, verdict) => void verdicts.push(verdict));
  }
  return verdicts;
}
