import type { ScriptLimits, ScriptRun } from '../../features/capacity/container-shell.ts';
import { runnerCommand, runSingly, ScriptRunner } from './script-runner.ts';
import type { SshChannels } from './ssh-channels.ts';

/** The runners of one connection, which run scripts for it. There are as many as scripts have run at once. */
export class ScriptRunners {
  readonly #channels: SshChannels;
  /** Those that wait for their next script. */
  readonly #idle: ScriptRunner[] = [];
  #prepared: Promise<ScriptRunner> | undefined;
  /** Of the sequences that have scripts to run. */
  readonly #ofSequence = new Map<object, Promise<ScriptRunner>>();
  #hasRunner = true;
  #lastSingle: Promise<unknown> = Promise.resolve();

  constructor(channels: SshChannels) {
    this.#channels = channels;
  }

  /** Starts a runner ahead of the first script. A failure is reported by that. */
  prepare(): void {
    this.#prepared ??= this.#start();
    this.#prepared.catch(() => undefined);
  }

  /** @param sequence scripts of the same one run one after another, in one runner @throws ShellConnectionLostError */
  async run(script: string, limits: ScriptLimits, sequence?: object): Promise<ScriptRun> {
    const timeout = limits.seconds * 1000 + this.#channels.timeout;
    while (this.#hasRunner) {
      const runner = await this.#runnerOf(sequence);
      const run = await runner.run(script, limits, timeout);
      if (!runner.isOpen) await this.#channels.within(this.#channels.timeout, this.#checkEnd(runner));
      else if (runner.isIdle) this.#release(runner, sequence);
      this.#hasRunner &&= !runner.isMissing;
      if (run && this.#hasRunner) return run;
    }
    const single = this.#lastSingle.then(async () => {
      const channel = await this.#channels.exec(`. /.grader/run ${limits.seconds}`);
      return await runSingly(channel, { script, ...limits }, () => this.#channels.ended(channel, timeout));
    });
    this.#lastSingle = single.catch(() => undefined);
    return await single;
  }

  async #start(): Promise<ScriptRunner> {
    const giveUp = (): void => this.#channels.giveUp();
    return await this.#channels.begin(runnerCommand, (channel) => new ScriptRunner(channel, giveUp));
  }

  async #free(): Promise<ScriptRunner> {
    return this.#idle.pop() ?? (await this.#takePrepared()) ?? (await this.#start());
  }

  async #runnerOf(sequence: object | undefined): Promise<ScriptRunner> {
    if (!sequence) return await this.#free();
    const known = this.#ofSequence.get(sequence);
    if (known) {
      const runner = await known;
      if (runner.isOpen) return runner;
      // Another script of the sequence has noticed it.
      if (this.#ofSequence.get(sequence) !== known) return await this.#runnerOf(sequence);
    }
    const starting = this.#free();
    this.#ofSequence.set(sequence, starting);
    try {
      return await starting;
    } catch (error) {
      this.#ofSequence.delete(sequence);
      throw error;
    }
  }

  /** Two scripts at once do not get the same one. */
  async #takePrepared(): Promise<ScriptRunner | undefined> {
    const preparing = this.#prepared;
    this.#prepared = undefined;
    const runner = await preparing?.catch(() => undefined);
    return runner?.isOpen || runner?.isMissing ? runner : undefined;
  }

  #release(runner: ScriptRunner, sequence: object | undefined): void {
    if (sequence) this.#ofSequence.delete(sequence);
    this.#idle.push(runner);
    void runner.ended.then(() => {
      const index = this.#idle.indexOf(runner);
      if (index >= 0) this.#idle.splice(index, 1);
    });
  }

  /** @throws ShellConnectionLostError where the runner has ended with the connection, so that nobody in the container has killed it */
  async #checkEnd(runner: ScriptRunner): Promise<void> {
    await runner.ended;
    // A connection reports its end after that of its channels.
    await new Promise((resolve) => setImmediate(resolve));
    if (!runner.hasExited && !this.#channels.isOpen) throw this.#channels.lost();
  }
}
