import { randomBytes } from 'node:crypto';
import type { ClientChannel } from 'ssh2';
import type { ScriptLimits, ScriptRun } from './container-shell.ts';
import { LastBytes } from './last-bytes.ts';

/** Ends with status 127 in a container that was created before it had this program. */
export const runnerCommand = 'exec /.grader/bin/checks';
const noSuchProgram = 127;

const headerBytes = 5;
const [outputType, reasonType, endType] = ['O', 'R', 'E'].map((letter) => letter.charCodeAt(0));
/** Maximum bytes of reasons that are kept, and of a frame with one. */
const reasonBytes = 4096;
const endings: Record<string, ScriptRun['ending']> = { x: 'exit', t: 'timeout', h: 'held', k: 'killed' };

type Run = {
  mark: string;
  output: LastBytes;
  /** Those that the runner has reported, empty ones included. */
  reasons: string[];
  /** Milliseconds from its begin. */
  timeout: number;
  /** Undefined: it did not begin. */
  done: (ending: ScriptRun['ending'] | undefined) => void;
};

/**
 * `/.grader/bin/checks` in a container (images/grader/checks.c), which runs scripts one after another. Its frames have a type, the length of
 * the rest in four bytes, and the rest.
 */
export class ScriptRunner {
  readonly #channel: ClientChannel;
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of the current frame of output that have not arrived. */
  #left = 0;
  /** The script that runs, and those that follow it. */
  readonly #runs: Run[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #onSilence: () => void;
  #hasAnswered = false;
  #isMissing = false;
  #hasExited = false;
  #isOpen = true;
  /** Resolves when the runner has ended. */
  readonly ended: Promise<void>;

  /** @param onSilence called where a script has not ended in time: more than the script hangs, because the container enforces its limit */
  constructor(channel: ClientChannel, onSilence: () => void) {
    this.#channel = channel;
    this.#onSilence = onSilence;
    channel.on('data', (chunk: Buffer) => this.#receive(chunk));
    channel.on('error', () => channel.destroy());
    channel.stderr.resume();
    channel.on('exit', (code: number | null) => {
      this.#hasExited = true;
      this.#isMissing = code === noSuchProgram && !this.#hasAnswered;
    });
    this.ended = new Promise((resolve) => {
      channel.once('close', () => {
        this.#end();
        resolve();
      });
    });
  }

  /** False once its process has ended, or has sent what is no frame. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the container has no such program. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Whether the container has reported its end. Without that, the connection may have been lost. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Whether it has no script to run. */
  get isIdle(): boolean {
    return this.#runs.length === 0;
  }

  /**
   * Runs a script after those that it has already. The script arrives in the container at once, so that the runner waits for nobody.
   * @param timeout milliseconds from its begin to its end
   * @returns undefined where the runner ended before it began. A script that runs then was killed
   */
  async run(script: string, limits: ScriptLimits, timeout: number): Promise<ScriptRun | undefined> {
    if (!this.#isOpen) return undefined;
    const mark = randomBytes(16).toString('hex');
    const output = new LastBytes(limits.outputBytes);
    const reasons: string[] = [];
    const ending = await new Promise<ScriptRun['ending'] | undefined>((done) => {
      this.#runs.push({ mark, output, reasons, timeout, done });
      if (this.#runs.length === 1) this.#watch();
      const encoded = Buffer.from(script).toString('base64');
      // A runner of an older release ignores the last words, and prints the reasons.
      const words = limits.isCheck ? 'reasons check' : 'reasons';
      this.#channel.write(`${limits.seconds} ${mark} ${encoded.length} ${words}\n${encoded}`);
    });
    const ended = ending && { output: output.text(), isTruncated: output.isTruncated, ending };
    return ended && reasons.length > 0 ? { ...ended, reasons } : ended;
  }

  #receive(chunk: Buffer): void {
    let bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    while (this.#left > 0 || bytes.length >= headerBytes) {
      if (this.#left > 0) {
        const part = bytes.subarray(0, this.#left);
        if (part.length === 0) break;
        this.#left -= part.length;
        bytes = bytes.subarray(part.length);
        this.#runs[0]?.output.push(part);
        continue;
      }
      const [type, length] = [bytes[0], bytes.readUInt32BE(1)];
      if (type === outputType) {
        this.#left = length;
        bytes = bytes.subarray(headerBytes);
        continue;
      }
      const last = this.#runs[0] && this.#runs[0].mark.length + 1;
      if (type === reasonType && length <= reasonBytes && this.#runs[0]) {
        if (bytes.length < headerBytes + length) break;
        this.#keepReason(this.#runs[0], bytes.toString('utf8', headerBytes, headerBytes + length));
        bytes = bytes.subarray(headerBytes + length);
        continue;
      }
      if (type !== endType || length !== last) {
        this.#refuse();
        return;
      }
      if (bytes.length < headerBytes + length) break;
      this.#report(bytes.toString('latin1', headerBytes, headerBytes + length));
      bytes = bytes.subarray(headerBytes + length);
    }
    this.#head = bytes;
  }

  #keepReason({ reasons }: Run, reason: string): void {
    const kept = reasons.reduce((sum, { length }) => sum + length, 0);
    if (reasons.length === 0 || kept + reason.length <= reasonBytes) reasons.push(reason.replaceAll('\0', '\uFFFD'));
  }

  /** @param report the mark and a letter */
  #report(report: string): void {
    this.#hasAnswered = true;
    const ending = endings[report.slice(-1)];
    if (report.slice(0, -1) !== this.#runs[0]?.mark || ending === undefined) {
      this.#refuse();
      return;
    }
    const run = this.#runs.shift();
    this.#watch();
    run?.done(ending);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const [run] = this.#runs;
    if (run) this.#timer = setTimeout(this.#onSilence, run.timeout);
  }

  /** Another program has written. */
  #refuse(): void {
    this.#hasAnswered = true;
    this.#end();
    this.#channel.destroy();
  }

  #end(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    for (const [index, run] of this.#runs.splice(0).entries()) run.done(index === 0 ? 'killed' : undefined);
  }
}

/** Characters kept of a report. Besides its few words, bash may print which of its jobs were killed, in lines of hundreds of characters. */
const reportLength = 4096;

/**
 * Runs one script by `. /.grader/run SECONDS`, in a container that was created before it had a runner.
 * @param ended resolves when the channel has ended
 */
export async function runSingly(
  channel: ClientChannel,
  { script, outputBytes }: { script: string; outputBytes: number },
  ended: () => Promise<void>,
): Promise<ScriptRun> {
  const mark = `${randomBytes(16).toString('hex')}\n`;
  const output = new LastBytes(outputBytes + mark.length);
  let report = '';
  channel.on('data', (chunk: Buffer) => output.push(chunk));
  channel.stderr.on('data', (chunk: Buffer) => {
    report = (report + chunk.toString('latin1')).slice(-reportLength);
  });
  channel.end(mark + Buffer.from(script).toString('base64'));
  await ended();
  const text = output.text();
  const end = text.indexOf(mark);
  const isAfter = end !== -1 && end + mark.length < text.length;
  const ending = end === -1 ? 'killed' : endingOf(report.split('\n'), isAfter);
  return { output: end === -1 ? text : text.slice(0, end), isTruncated: output.isTruncated, ending };
}

/** The report of `/.grader/run` on standard error. Output after the mark comes from another program. */
function endingOf(report: readonly string[], isAfter: boolean): ScriptRun['ending'] {
  if (report.includes('timeout')) return 'timeout';
  if (isAfter || report.includes('held')) return 'held';
  return report.includes('end') ? 'exit' : 'killed';
}
