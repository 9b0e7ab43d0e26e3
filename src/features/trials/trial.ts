import type { ContainerShell } from '../containers/container-shell.ts';
import type { Grader } from '../grading/grader.ts';
import type { Verdict } from '../grading/verdict.ts';
import { type AnswerPath, answersMade, answersNamed, listScript, markScript } from './answer-paths.ts';
import type { Opponent } from './opponent-program.ts';
import type { OpponentRun } from './opponents.ts';

export type TrialTask = { id: number; title: string; verification_script: string; solution_script: string | null };

/** What a student's terminal showed while a solution ran in it, and how that ended; null: by a signal or the time limit. */
export type SolutionRun = { exit_status: number | null; output: string };

export type TaskTrial = {
  task_id: number;
  title: string;
  /** The check on the pristine container. */
  first: Verdict;
  solution: SolutionRun | null;
  /** The check after the task's solution. */
  after: Verdict | null;
  /** The check against students who have solved nothing and get at it while it runs. */
  opponents: OpponentRun[];
  /** What is wrong with the task, in a sentence. */
  problem: string | null;
};

/** Each task's own test, and what its solution created. */
export type SelfTest = { tasks: TaskTrial[]; answers: AnswerPath[][] };

export type TrialReport = { is_ok: boolean; tasks: TaskTrial[] };

export type TrialParts = {
  /** A container on which nobody has done anything. */
  ref: string;
  shell: ContainerShell;
  grader: Pick<Grader, 'grade'>;
  solutionSeconds: number;
  signal?: AbortSignal;
};

/** Characters of a solution's output that are kept, from its end. */
const keptOutput = 65_536;

/**
 * Checks every task of a fresh container, then goes through the tasks in their order: its check, its solution as the student, its check
 * again; and in the end all checks once more. Four runs a task at most, whatever their number.
 * @throws as Grader.grade and ContainerShell.connect; the signal's reason between two runs
 */
export async function runTrial(parts: TrialParts, tasks: readonly TrialTask[]): Promise<SelfTest> {
  const first = await check(parts, tasks);
  const trials: TaskTrial[] = [];
  const answers: AnswerPath[][] = [];
  for (const [index, task] of tasks.entries()) {
    const fresh = first[index] ?? noVerdict;
    const trial: TaskTrial = {
      ...{ task_id: task.id, title: task.title, first: fresh },
      ...{ solution: null, after: null, problem: problemOfFirst(fresh), opponents: [] },
    };
    trials.push(trial);
    answers.push(answersNamed(task.verification_script, task.solution_script));
    if (task.solution_script === null) {
      trial.problem ??= 'There is no reference solution';
      continue;
    }
    const [before = noVerdict] = index === 0 ? [fresh] : await check(parts, [task]);
    if (before.passed) trial.problem ??= 'The check passes before the solution has run, after those of earlier tasks';
    const made = await answersOf(parts, async () => {
      trial.solution = await runAsStudent(parts, task.solution_script ?? '');
    });
    if (made.length > 0) answers[index] = made;
    [trial.after = noVerdict] = await check(parts, [task]);
    trial.problem ??= problemOfSolution(trial.solution ?? noSolution, trial.after, parts.solutionSeconds);
  }
  if (trials.length > 1) {
    for (const [index, { passed }] of (await check(parts, tasks)).entries()) {
      const trial = trials[index];
      if (trial?.after?.passed && !passed) trial.problem ??= 'The check fails after the solutions of later tasks';
    }
  }
  return { tasks: trials, answers };
}

/** The whole report: a check that let an opponent pass is wrong, and a task whose first check passed met none. */
export function reportOf(trials: readonly TaskTrial[], runs: ReadonlyMap<number, OpponentRun[]>): TrialReport {
  const tasks = trials.map((trial): TaskTrial => {
    const met = runs.get(trial.task_id) ?? [];
    return { ...trial, opponents: met, problem: trial.problem ?? problemOfOpponents(met) };
  });
  return { is_ok: tasks.every(({ problem }) => problem === null), tasks };
}

const doings: Record<Opponent, string> = {
  kills: 'kills its processes',
  stops: 'stops its processes',
  replaces: 'replaces files while it runs',
  reads: 'reads what its processes show',
  empty: 'answers with nothing',
};

function problemOfOpponents(met: readonly OpponentRun[]): string | null {
  const winners = met.filter(({ passed }) => passed).map(({ opponent }) => doings[opponent]);
  return winners.length === 0 ? null : `The check can be forged (by a student who ${winners.join(', or ')})`;
}

/** What has come by an action that belongs to the student. */
async function answersOf({ shell, ref }: TrialParts, act: () => Promise<void>): Promise<AnswerPath[]> {
  await using root = await shell.connect(ref, 'grader');
  await root.runScript(markScript, { seconds: 10, outputBytes: 1024 });
  await act();
  const { output } = await root.runScript(listScript, { seconds: 10, outputBytes: 65_536 });
  return answersMade(output);
}

const noVerdict: Verdict = { passed: false, output: '' };
const noSolution: SolutionRun = { exit_status: null, output: '' };

function problemOfFirst({ passed, output }: Verdict): string | null {
  if (passed) return 'The check passes before anything is done';
  return output.split('\n').at(-1) === 'FAIL' ? null : 'The check comes to no verdict on a fresh container';
}

function problemOfSolution({ exit_status }: SolutionRun, { passed }: Verdict, seconds: number): string | null {
  if (exit_status === null) return `The solution did not end by itself in ${seconds} seconds`;
  if (exit_status !== 0) return `The solution ended with status ${exit_status}`;
  return passed ? null : 'The check does not pass after the solution';
}

async function check({ grader, ref, signal }: TrialParts, tasks: readonly TrialTask[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const task of tasks) {
    signal?.throwIfAborted();
    await grader.grade(ref, [task], async (_task, verdict) => void verdicts.push(verdict));
  }
  return verdicts;
}

/** Runs a script in a terminal of its own, which is closed afterwards: what the student started has to outlive it. */
async function runAsStudent({ shell, ref, solutionSeconds, signal }: TrialParts, script: string): Promise<SolutionRun> {
  signal?.throwIfAborted();
  await using connection = await shell.connect(ref, 'student');
  const terminal = await connection.openTerminal({ cols: 120, rows: 40 });
  let output = '';
  const prompt = Promise.withResolvers<void>();
  terminal.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptOutput);
    if (output.includes('$ ')) prompt.resolve();
  });
  const close = () => void connection[Symbol.asyncDispose]();
  const timer = setTimeout(close, solutionSeconds * 1000);
  signal?.addEventListener('abort', close);
  try {
    await Promise.race([prompt.promise, terminal.exit]);
    const encoded = Buffer.from(script).toString('base64').replace(/.{76}/g, '$&\n');
    terminal.write(`base64 -d > /tmp/solution <<'END'\n${encoded}\nEND\nbash /tmp/solution; exit $?\n`);
    return { exit_status: (await terminal.exit).code, output: output.toWellFormed() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
  }
}
