import type { ScriptRun } from '../../../packages/ssh/container-shell.ts';
import type { VerdictKind } from '../../database/tables.ts';
import { type Remark, remarksOf, type Verdict } from '../../values/grading-remark.ts';
import type { Part } from '../../values/points.ts';

/** Bash whose last line is the exit status of the script, for a check that gives its verdict so. */
export const statusScript = (script: string): string => `(\n${script}\n)\nprintf '\\n%s\\n' "$?"`;
/** The maximum number of bytes that `statusScript` adds. */
export const statusBytes = 8;

/** The last lines of a check that passes, and of one that fails. */
const words = { pass: ['PASS', 'FAIL'], ok: ['OK', 'NO'] } as const;

/**
 * The verdict of a run. PASS requires that the last line is exactly `PASS`, with or without its newline, that the script ended by itself in
 * time, and that no function of the prologue gave up. Anything else is FAIL, with the reason in the remark.
 * With partial credit, the last line `SCORE k/n` gives that part of the points; it passes where it gives all of them.
 * @param kind `ok`: the line is `OK`. `exit-status`: the verdict is the status that `statusScript` adds, which is not part of the output
 */
export function verdictOf(
  run: ScriptRun,
  limits: { seconds: number; outputBytes: number },
  { verdict: kind = 'pass', has_partial_credit = false }: { verdict?: VerdictKind; has_partial_credit?: boolean } = {},
): Verdict {
  const [added, status] = (kind === 'exit-status' && /\n(\d+)\n$/.exec(run.output)) || ['', undefined];
  const printed = run.output.slice(0, run.output.length - added.length);
  const last = lastLine(printed);
  const hasPassWord = kind === 'exit-status' ? status === '0' && last !== 'FAIL' : last === words[kind][0];
  const isSound = run.ending === 'exit' && !run.reasons;
  const part = has_partial_credit && isSound ? partOf(last) : undefined;
  const passed = isSound && (part ? part.earned === part.of : hasPassWord);
  const isLong = Buffer.byteLength(printed) > limits.outputBytes;
  const reasons =
    passed || part ? [] : failures(run, limits.seconds, { kind, last, printed, status, has_partial_credit });
  const kib = Math.round(limits.outputBytes / 1024);
  const cut: Remark[] = run.isTruncated || isLong ? [{ code: 'output_cut', params: { kib } }] : [];
  const output = isLong ? end(printed, limits.outputBytes) : printed;
  return { passed, ...(part && { part }), output, ...remarksOf(...reasons, ...cut) };
}

/** The verdict where no check has run. */
export const notGraded = (code: 'container_closed' | 'task_not_open'): Verdict => ({
  ...{ passed: false, output: '' },
  ...remarksOf({ code, params: {} }),
});

const lastLine = (text: string): string => text.replace(/\n$/, '').split('\n').at(-1) ?? '';

/** The last bytes of a text, without a truncated character. */
function end(text: string, bytes: number): string {
  const all = Buffer.from(text).subarray(-bytes);
  return all.subarray(all.findIndex((byte) => (byte & 0xc0) !== 0x80)).toString();
}

type Ended = {
  kind: VerdictKind;
  last: string;
  printed: string;
  status: string | undefined;
  has_partial_credit: boolean;
};

const scoreLine = /^SCORE (\d{1,6})\/(\d{1,6})$/;

/** Of a last line `SCORE k/n` with 0 <= k <= n, n > 0. */
function partOf(line: string): Part | undefined {
  const [, earned, of] = scoreLine.exec(line)?.map(Number) ?? [];
  return earned !== undefined && of !== undefined && of > 0 && earned <= of ? { earned, of } : undefined;
}

/** Why it is FAIL. Nothing for a check that says so itself. */
function failures(run: ScriptRun, seconds: number, ended: Ended): Remark[] {
  const { kind, last, printed, status } = ended;
  if (run.reasons) return run.reasons.map((reason) => ({ code: 'check_gave_up', params: { reason } }));
  if (run.ending === 'timeout') return [{ code: 'check_timeout', params: { seconds } }];
  if (run.ending === 'held') return [{ code: 'check_held', params: {} }];
  if (run.ending === 'killed') return [{ code: 'check_killed', params: {} }];
  // FAIL is the verdict of an older runner where a helper of the check was stopped.
  if (last === 'FAIL') return [];
  if (/^SCORE\b/.test(last))
    return [{ code: ended.has_partial_credit ? 'score_invalid' : 'score_not_allowed', params: {} }];
  if (kind === 'exit-status')
    return [status ? { code: 'exit_status', params: { status } } : { code: 'exit_status_missing', params: {} }];
  const [pass, fail] = words[kind];
  if (last === fail) return [];
  // PASS as a script from Windows prints it, and the like. `trim` removes a byte order mark as well.
  const bare = printed.trim().split('\n').at(-1)?.trim();
  const isAlmost = bare === pass || bare === fail;
  return [{ code: isAlmost ? 'verdict_inexact' : 'verdict_missing', params: { pass, fail } }];
}
