import type { FastifyBaseLogger } from 'fastify';
import { type PlacedFile, ShellConnectionLostError } from '../../../packages/ssh/container-shell.ts';
import { UnavailableError } from '../../errors.ts';
import type { ShellPool } from './shell-pool.ts';

/** What prepares a new container before its user can enter it. */
export type Setup = {
  /** Put in place in this order, before the scripts run. */
  files: readonly PlacedFile[];
  /** Bash, run as root in this order. */
  scripts: readonly string[];
};

export type ContainerSetupParts = {
  shells: Pick<ShellPool, 'get'>;
  /** For the files and all scripts of a container together. */
  seconds: number;
  log: FastifyBaseLogger;
};

/** Why a new container could not be prepared. */
export type SetupProblem = {
  problem_code: 'connection_lost' | 'file_failed' | 'interrupted' | 'timeout' | 'failed' | 'no_root';
  /** In one sentence. */
  problem: string;
  /** Of the script; for `failed`. */
  exit_status?: number;
  /** The limit in seconds; for `timeout`. */
  seconds?: number;
};

/** A new container could not be prepared. The problem and the output are for staff. */
export class SetupFailedError extends UnavailableError {
  readonly problem: SetupProblem;
  readonly output: string;

  constructor(problem: SetupProblem, output: string, cause?: unknown) {
    super('setup_failed', 'The machine could not be prepared; please tell an instructor', { retryAfter: 60, cause });
    this.problem = problem;
    this.output = output;
  }
}

/** The end of a script's output that is kept. */
const outputBytes = 16_384;
/** Characters of it that are logged. */
const loggedOutput = 2000;
/** Seconds beyond the limit of a script within which its outcome is read. */
const reportSeconds = 15;

const keepHome = 'tar -C /home/student -cf /root/.kept-home.tar .';
const restoreHome = 'tar -C /home/student -xpf /root/.kept-home.tar && rm /root/.kept-home.tar';

/** Prepares new containers with their set-up. */
export class ContainerSetup {
  readonly #parts: ContainerSetupParts;

  constructor(parts: ContainerSetupParts) {
    this.#parts = parts;
  }

  /**
   * Puts the files in place, then runs the scripts one after another as root. Processes that they leave running continue.
   * @param keepsHome the home folder is not changed
   * @throws SetupFailedError, after which the container is not usable; NoSuchContainerError, ContainerNotRunningError, UnavailableError
   */
  async apply(ref: string, name: string, { files, scripts }: Setup, { keepsHome = false } = {}): Promise<void> {
    const deadline = performance.now() + this.#parts.seconds * 1000;
    const secondsLeft = () => (deadline - performance.now()) / 1000;
    try {
      if (keepsHome) await this.#run(ref, keepHome, secondsLeft());
      if (files.length > 0) await this.#put(ref, files, secondsLeft());
      for (const script of scripts) await this.#run(ref, script, secondsLeft());
      if (keepsHome) await this.#run(ref, restoreHome, secondsLeft());
    } catch (error) {
      const lost = { problem_code: 'connection_lost', problem: 'the connection to it was lost' } as const;
      const failed = error instanceof ShellConnectionLostError ? new SetupFailedError(lost, '', error) : error;
      if (failed instanceof SetupFailedError) {
        const output = failed.output.slice(-loggedOutput);
        this.#parts.log.warn(
          { container: name, output },
          `a container could not be prepared: ${failed.problem.problem}`,
        );
      }
      throw failed;
    }
  }

  async #put(ref: string, files: readonly PlacedFile[], secondsLeft: number): Promise<void> {
    const connection = await this.#parts.shells.get(ref);
    const report = await connection.putFiles(files, Math.max(1, Math.ceil(secondsLeft)));
    if (report === undefined) return;
    throw new SetupFailedError({ problem_code: 'file_failed', problem: 'a file could not be put in place' }, report);
  }

  async #run(ref: string, script: string, secondsLeft: number): Promise<void> {
    const connection = await this.#parts.shells.get(ref);
    const seconds = Math.max(1, Math.ceil(secondsLeft));
    const limits = { seconds: seconds + reportSeconds, outputBytes: outputBytes + 64 };
    const { output: printed, ending } = await connection.runScript(programOf(script, seconds), limits);
    const [, output = '', status] = /^(.*)\n(\S+)\n$/s.exec(printed) ?? [];
    if (ending !== 'exit' || status === undefined) {
      const problem = 'the set-up script was interrupted';
      throw new SetupFailedError({ problem_code: 'interrupted', problem }, printed);
    }
    if (status === 'timeout') {
      const total = this.#parts.seconds;
      const problem = `the set-up script did not end in time (all set-up scripts together have ${total} seconds)`;
      throw new SetupFailedError({ problem_code: 'timeout', problem, seconds: total }, output);
    }
    if (status !== '0') {
      const problem = `the set-up script ended with status ${status}`;
      throw new SetupFailedError({ problem_code: 'failed', problem, exit_status: Number(status) }, output);
    }
  }
}

/**
 * The script runs in its own session, because the runner of checks kills the process group of what it runs. It is in no file and no
 * argument list, so students do not find it later. What it leaves running keeps a deleted file as its output.
 */
const programOf = (script: string, seconds: number): string => `[[ -n $private ]] || exit
exec 4< <(
  printf %s '${Buffer.from(script).toString('base64')}' | /.grader/bin/busybox base64 -d |
    /.grader/bin/busybox setsid /.grader/bin/busybox env -i HOME=/root USER=root LOGNAME=root SHELL=/bin/bash TERM=dumb LANG=C.UTF-8 \\
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
      /bin/bash -c 'eval "$(/.grader/bin/busybox cat)" </dev/null' setup >"$private/output" 2>&1
  printf '%s\\n' "$?"
)
read -r -t ${seconds} status <&4 || status=timeout
/.grader/bin/busybox tail -c ${outputBytes} "$private/output"
printf '\\n%s\\n' "$status"`;
