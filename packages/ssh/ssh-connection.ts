import type { Duplex } from 'node:stream';
import type {
  AwaitedFile,
  FilePlace,
  HolderLimits,
  KeptOutput,
  OpenedFile,
  PlacedFile,
  ScriptLimits,
  ScriptRun,
  ShellConnection,
  ShellExit,
  TerminalSize,
  TerminalStream,
} from './container-shell.ts';
import { EngineClient } from './engine-client.ts';
import { FileTransfer, readCommand, writeCommand } from './file-transfer.ts';
import { HeldTerminal } from './held-terminal.ts';
import { toHolder } from './holder-frames.ts';
import { putFiles } from './put-files.ts';
import { runnerCommand, runSingly, ScriptRunner } from './script-runner.ts';
import { type ChannelClient, SshChannels } from './ssh-channels.ts';

/** What is done in a container over one connection. */
export class SshConnection implements ShellConnection {
  readonly #channels: SshChannels;
  readonly #runners: ScriptRunners;
  readonly #holders: ShellHolders;
  readonly isPlain: boolean;

  /**
   * @param timeout milliseconds to open a channel; added to a script's own limit, which the container enforces. On a timeout the
   * connection is closed
   */
  constructor(client: ChannelClient, stream: Duplex, timeout: number) {
    this.#channels = new SshChannels(client, stream, timeout);
    this.#runners = new ScriptRunners(this.#channels);
    this.#holders = new ShellHolders(this.#channels);
    this.isPlain = client instanceof EngineClient;
  }

  get isOpen(): boolean {
    return this.#channels.isOpen;
  }

  get closed(): Promise<void> {
    return this.#channels.closed;
  }

  async runScript(script: string, limits: ScriptLimits, sequence?: object): Promise<ScriptRun> {
    return await this.#runners.run(script, limits, sequence);
  }

  prepareScripts(): void {
    this.#runners.prepare();
  }

  async putFiles(files: readonly PlacedFile[], seconds: number): Promise<string | undefined> {
    return await putFiles(this.#channels, files, seconds);
  }

  async readFile(place: FilePlace, limits: { bytes: number; seconds: number }): Promise<OpenedFile> {
    const transfer = await this.#channels.begin(readCommand(place, limits), (channel) => new FileTransfer(channel));
    return await transfer.read(limits.bytes);
  }

  async writeFile(place: FilePlace, file: { bytes: number; replaces: boolean; seconds: number }): Promise<AwaitedFile> {
    const transfer = await this.#channels.begin(writeCommand(place, file), (channel) => new FileTransfer(channel));
    return await transfer.write();
  }

  /** Whether commands run in it. @throws ShellConnectionLostError */
  async check(): Promise<void> {
    const channel = await this.#channels.exec('exit 7');
    let code: number | null = null;
    channel.resume();
    channel.on('exit', (exit: number | null) => {
      code = exit;
    });
    await this.#channels.ended(channel, this.#channels.timeout);
    if (code !== 7) throw this.#channels.lost();
  }

  async openTerminal(size: TerminalSize): Promise<TerminalStream> {
    const channel = await this.#channels.shell(size);
    let reported: ShellExit | undefined;
    channel.on('exit', (code: number | null) => {
      reported = { code };
    });
    const exit = new Promise<ShellExit>((resolve) => {
      channel.once('close', () => setImmediate(() => resolve(reported ?? this.#channels.exitWithoutReport())));
    });
    channel.stderr.resume();
    return Object.assign(channel, {
      resize: (columns: number, lines: number): void => void channel.setWindow(lines, columns, 0, 0),
      exit,
    }) as unknown as TerminalStream;
  }

  async openHeldTerminal(size: TerminalSize, limits: HolderLimits): Promise<TerminalStream | undefined> {
    return await this.#holders.open(size, limits);
  }

  async attach(holder: string, from: number): Promise<{ terminal: TerminalStream; kept: KeptOutput } | undefined> {
    return await this.#holders.attach(holder, from);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channels.close();
  }
}

/** The path of a socket, alone on a line. */
const holderForm = /^(\/[\w./-]+)\n$/;
const longestHolder = 107;
/** Milliseconds for a holder to end its shell, after which its connection is closed. */
const hangUpPatience = 2000;

type Attached = { terminal: TerminalStream; kept: KeptOutput };

/** The programs of a container that hold shells, over one connection. */
class ShellHolders {
  readonly #channels: SshChannels;

  constructor(channels: SshChannels) {
    this.#channels = channels;
  }

  /** @returns undefined where the container has no holder, or it cannot start @throws ShellConnectionLostError */
  async open(size: TerminalSize, limits: HolderLimits): Promise<TerminalStream | undefined> {
    const holder = await this.#start(size, limits);
    return holder === undefined ? undefined : (await this.#attach(holder, 0, true))?.terminal;
  }

  /** @param holder its socket @returns undefined where the holder is gone @throws ShellConnectionLostError */
  async attach(holder: string, from: number): Promise<Attached | undefined> {
    return await this.#attach(holder, from, false);
  }

  /** @returns the path of its socket */
  async #start({ cols, rows }: TerminalSize, { bytes, seconds }: HolderLimits): Promise<string | undefined> {
    const channel = await this.#channels.exec(`exec /.grader/bin/hold ${cols} ${rows} ${bytes} ${seconds}`);
    let output = '';
    channel.stderr.resume();
    channel.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('latin1')).slice(0, longestHolder + 1);
    });
    await this.#channels.ended(channel, this.#channels.timeout);
    return holderForm.exec(output)?.[1];
  }

  async #attach(holder: string, from: number, isNew: boolean): Promise<Attached | undefined> {
    const channel = await this.#channels.openSocket(holder);
    if (!channel) return undefined;
    const ending = () => this.#channels.exitWithoutReport();
    const hangUp = () => void this.#hangUp(holder, terminal);
    const terminal = new HeldTerminal({ holder, isNew, channel, ending, hangUp });
    const timer = setTimeout(() => terminal.destroy(), this.#channels.timeout);
    const kept = await terminal.attach(from);
    clearTimeout(timer);
    if (kept) return { terminal, kept };
    terminal.destroy();
    if (!this.#channels.isOpen) throw this.#channels.lost();
    return undefined;
  }

  /** Over a channel of its own, because the shell may not read what was typed before. */
  async #hangUp(holder: string, terminal: HeldTerminal): Promise<void> {
    const timer = setTimeout(() => terminal.destroy(), hangUpPatience);
    void terminal.exit.then(() => clearTimeout(timer));
    const channel = await this.#channels.openSocket(holder).catch(() => undefined);
    channel?.on('error', () => undefined);
    channel?.resume();
    channel?.once('end', () => channel.destroy());
    channel?.once('close', () => terminal.destroy());
    if (channel) channel.write(toHolder.hangUp());
    else terminal.destroy();
  }
}

/** The runners of one connection, which run scripts for it. There are as many as scripts have run at once. */
class ScriptRunners {
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
