import type { components } from '../../../api/schema.d.ts';

type TaskTrial = components['schemas']['TaskTrial'];
type SetupProblem = components['schemas']['SetupProblem'];

/** Trials of the checks. */
export const trials = {
  trial: {
    title: 'Trial',
    tryAll: 'Try it',
    tryTask: 'Try this task',
    help: 'Runs each check in a fresh container. It must fail before anything is done and pass after the solution. Then five opponents try to forge a pass. Your changes are saved first.',
    running: (seconds: number) => `Trying in a fresh container: ${seconds} s`,
    publishing: (seconds: number) => `Trying and publishing: ${seconds} s`,
    stop: 'Stop',
    stopped: 'The trial was stopped.',
    took: (seconds: string) => `It took ${seconds} s.`,
    allGood: 'Everything works as expected',
    somethingWrong: 'There are problems',
    setup: 'The set-up',
    before: 'Before anything is done',
    solution: 'The solution',
    after: 'After the solution',
    opponents: {
      kills: 'A student kills the processes of the check',
      stops: 'A student stops the processes of the check',
      replaces: 'A student replaces files while the check runs',
      reads: 'A student inspects the processes of the check',
      empty: 'A student gives an empty answer',
    },
    passes: 'passes',
    fails: 'fails',
    asItShould: 'as expected',
    shouldFail: 'expected to fail',
    shouldPass: 'expected to pass',
    ended: (status: number) => `ended with status ${status}`,
    didNotEnd: 'timed out',
    noSolution: 'None',
    notRun: 'Not run',
    output: 'Output',
    noOutput: 'No output',
    busyTitle: 'No container is free right now',
    busyHelp: 'Others are trying scripts, or all machines are in use. Nothing is lost. Try again later.',
    problems: {
      solution_timeout: 'The solution did not finish in time.',
      solution_failed: 'The solution failed.',
      forgeable: 'The check can be forged.',
      no_solution: 'There is no reference solution.',
      passes_at_first: 'The check passes before anything is done: it gives points for no work.',
      passes_before_solution:
        'The check passes before its solution has run: the solutions of earlier tasks already solve this one.',
      no_verdict: 'The check has no verdict in a fresh container: its last line must be PASS or FAIL.',
      fails_after_solution: 'The check does not pass after the solution.',
      undone_by_later_tasks: 'The check fails after the solutions of later tasks: they undo this one.',
    } as Record<NonNullable<TaskTrial['problem_code']>, string>,
    setupProblems: {
      connection_lost: () => 'The connection to the machine was lost.',
      file_failed: () => 'A file could not be put in place.',
      interrupted: () => 'The set-up script was interrupted.',
      timeout: ({ seconds = 0 }) => `The set-up did not end in time. All its scripts together have ${seconds} seconds.`,
      failed: ({ exit_status }) => `The set-up script ended with status ${exit_status}, not 0.`,
      no_root: () => 'The user is root, but the image does not grant root.',
    } as Record<SetupProblem['problem_code'], (setup: SetupProblem) => string>,
    forged: (how: string) => `The check can be forged: it passes, without a solution, for a student who ${how}.`,
    forgers: {
      kills: 'kills its processes',
      stops: 'stops its processes',
      replaces: 'replaces files while it runs',
      reads: 'inspects its processes',
      empty: 'gives an empty answer',
    } as Record<TaskTrial['opponents'][number]['opponent'], string>,
    solutionStatus: (status: number) => `The solution ended with status ${status}, not 0.`,
  },
};
