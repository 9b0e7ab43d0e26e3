import type { VerdictKind } from '../../database/tables.ts';
import type { ScriptRun } from '../containers/container-shell.ts';

export type Verdict = {
  passed: boolean;
  /** The output of the script, with a note where the run requires one. */
  output: string;
};

/** Bash whose last line is the exit status of the script, for a check that gives its verdict so. */
export const statusScript = (script: string): string => `(\n${script}\n)\nprintf '\\n%s\\n' "$?"`;

const note = (text: string): string => `[${text}]`;

/**
 * The verdict of a run. PASS requires that the last line is exactly `PASS`, with or without its newline, and that the script ended by
 * itself in time. Anything else is FAIL, with the reason in the output. The output does not exceed its limit, notes included.
 * @param kind `ok`: the line is `OK`. `exit-status`: it is the status that `statusScript` adds, which is not part of the output
 */
export function verdictOf(
  run: ScriptRun,
  limits: { seconds: number; outputBytes: number },
  kind: VerdictKind = 'pass',
): Verdict {
  const lines = run.output.replace(/\n$/, '').split('\n');
  const last = lines.at(-1);
  const hasStatus = kind === 'exit-status' && /^\d+$/.test(last ?? '');
  const printed = (hasStatus ? lines.slice(0, -1) : lines).join('\n').replace(hasStatus ? /\n$/ : /$^/, '');
  const reason = reasonOf(run.ending, last, limits.seconds, kind);
  const notes = reason ? [note(reason)] : [];
  const cut = note(`the output was longer; these are its last ${Math.round(limits.outputBytes / 1024)} KiB`);
  let output = join(run.isTruncated ? cut : '', printed, ...notes);
  if (Buffer.byteLength(output) > limits.outputBytes) {
    const room = limits.outputBytes - Buffer.byteLength(join(cut, ...notes)) - 1;
    output = join(cut, end(printed, room), ...notes);
  }
  // The prologue's `verdict` exits with 0 also after a problem.
  const isRefuted = hasStatus && printed.split('\n').at(-1) === 'FAIL';
  return { passed: run.ending === 'exit' && last === passing[kind] && !isRefuted, output };
}

/** The last line of a check that passes. */
const passing: Record<VerdictKind, string> = { pass: 'PASS', 'exit-status': '0', ok: 'OK' };

const join = (...parts: string[]): string => parts.filter(Boolean).join('\n');

/** The last bytes of a text, without a truncated character. */
function end(text: string, bytes: number): string {
  const all = Buffer.from(text).subarray(-bytes);
  return all.subarray(all.findIndex((byte) => (byte & 0xc0) !== 0x80)).toString();
}

function reasonOf(
  ending: ScriptRun['ending'],
  last: string | undefined,
  seconds: number,
  kind: VerdictKind,
): string | undefined {
  if (ending === 'timeout') return `no verdict: the check was stopped after ${seconds} seconds`;
  if (ending === 'held') return 'no verdict: a program that the check began kept its output open after its end';
  if (ending === 'killed') return 'no verdict: the check was killed from inside the container';
  // FAIL is the verdict of the runner where a helper of the check was stopped.
  if (last === 'FAIL' || last === passing[kind]) return undefined;
  if (kind === 'exit-status')
    return /^\d+$/.test(last ?? '') ? `exit status ${last}` : 'no verdict: there is no exit status';
  if (kind === 'ok') return last === 'NO' ? undefined : 'no verdict: the last line is neither OK nor NO';
  return 'no verdict: the last line is neither PASS nor FAIL';
}
