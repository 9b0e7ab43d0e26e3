import type { ScriptRun } from '../../ports/container-shell.ts';

export type Verdict = {
  passed: boolean;
  /** What the script printed, with a note where something about the run needs one. */
  output: string;
};

const note = (text: string): string => `[${text}]`;

/**
 * The verdict of a run: PASS only where the last line is exactly `PASS`, with or without its newline, and the script ended by
 * itself in time. Anything else is FAIL, with the reason in the output.
 */
export function verdictOf(run: ScriptRun, limits: { seconds: number; outputBytes: number }): Verdict {
  const lines = run.output.replace(/\n$/, '').split('\n');
  const last = lines.at(-1);
  const parts = [run.output.replace(/\n$/, '')];
  if (run.isTruncated)
    parts.unshift(note(`the output was longer; these are its last ${Math.round(limits.outputBytes / 1024)} KiB`));
  const reason = reasonOf(run.ending, last, limits.seconds);
  if (reason) parts.push(note(reason));
  return { passed: run.ending === 'exit' && last === 'PASS', output: parts.filter(Boolean).join('\n') };
}

function reasonOf(ending: ScriptRun['ending'], last: string | undefined, seconds: number): string | undefined {
  if (ending === 'timeout') return `no verdict: the check was stopped after ${seconds} seconds`;
  if (ending === 'held') return 'no verdict: a program that the check began kept its output open after its end';
  if (ending === 'killed') return 'no verdict: the check was killed from inside the container';
  if (last === 'PASS' || last === 'FAIL') return undefined;
  return 'no verdict: the last line is neither PASS nor FAIL';
}
