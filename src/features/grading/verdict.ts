import type { ScriptRun } from '../containers/container-shell.ts';

export type Verdict = {
  passed: boolean;
  /** The output of the script, with a note where the run requires one. */
  output: string;
};

const note = (text: string): string => `[${text}]`;

/**
 * The verdict of a run. PASS requires that the last line is exactly `PASS`, with or without its newline, and that the script ended by
 * itself in time. Anything else is FAIL, with the reason in the output. The output does not exceed its limit, notes included.
 */
export function verdictOf(run: ScriptRun, limits: { seconds: number; outputBytes: number }): Verdict {
  const printed = run.output.replace(/\n$/, '');
  const last = printed.split('\n').at(-1);
  const reason = reasonOf(run.ending, last, limits.seconds);
  const notes = reason ? [note(reason)] : [];
  const cut = note(`the output was longer; these are its last ${Math.round(limits.outputBytes / 1024)} KiB`);
  let output = join(run.isTruncated ? cut : '', printed, ...notes);
  if (Buffer.byteLength(output) > limits.outputBytes) {
    const room = limits.outputBytes - Buffer.byteLength(join(cut, ...notes)) - 1;
    output = join(cut, end(printed, room), ...notes);
  }
  return { passed: run.ending === 'exit' && last === 'PASS', output };
}

const join = (...parts: string[]): string => parts.filter(Boolean).join('\n');

/** The last bytes of a text, without a truncated character. */
function end(text: string, bytes: number): string {
  const all = Buffer.from(text).subarray(-bytes);
  return all.subarray(all.findIndex((byte) => (byte & 0xc0) !== 0x80)).toString();
}

function reasonOf(ending: ScriptRun['ending'], last: string | undefined, seconds: number): string | undefined {
  if (ending === 'timeout') return `no verdict: the check was stopped after ${seconds} seconds`;
  if (ending === 'held') return 'no verdict: a program that the check began kept its output open after its end';
  if (ending === 'killed') return 'no verdict: the check was killed from inside the container';
  if (last === 'PASS' || last === 'FAIL') return undefined;
  return 'no verdict: the last line is neither PASS nor FAIL';
}
