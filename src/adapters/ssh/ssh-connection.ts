import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import {
  type AwaitedFile,
  type FilePlace,
  type HolderLimits,
  type KeptOutput,
  type OpenedFile,
  type PlacedFile,
  type ScriptRun,
  type ShellConnection,
  ShellConnectionLost,
  type ShellExit,
  type TerminalSize,
  type TerminalStream,
} from '../../features/containers/container-shell.ts';
import { FileTransfer } from './file-transfer.ts';
import { HeldTerminal } from './held-terminal.ts';
import { toHolder } from './holder-frames.ts';
import { LastBytes } from './last-bytes.ts';
import { archiveOf, unpackCommand } from './put-files.ts';
import { runnerCommand, runSingly, type ScriptLimits, ScriptRunner } from './script-runner.ts';
import { readCommand, writeCommand } from './transfer-scripts.ts';

/** One SSH connection, with the container's SSH server at its other end. */
export class SshConnection implements ShellConnection {
  readonly #client: Client;
  readonly #stream: Duplex;
  readonly #timeout: number;
  readonly closed: Promise<void>;
  #isOpen = true;
  /** Runners that wait for their next script. There are as many as scripts have run at once. */
  readonly #idle: ScriptRunner[] = [];
  #prepared: Promise<ScriptRunner> | undefined;
  /** Of the sequences that have scripts to run. */
  readonly #runners = new Map<object, Promise<ScriptRunner>>();
  #hasRunner = true;
  #lastSingle: Promise<unknown> = Promise.resolve();
  /** The error that ended the connection, if any. */
  #error: Error | undefined;

  /**
   * @param timeout milliseconds to open a channel; added to a script's own limit, which the container enforces. On a timeout the
   * connection is closed
   */
  constructor(client: Client, stream: Duplex, timeout: number) {
    this.#client = client;
    this.#stream = stream;
    this.#timeout = timeout;
    this.closed = new Promise((resolve) => {
      client.once('close', () => {
        this.#isOpen = false;
        stream.destroy();
        resolve();
      });
    });
    // Users of this connection are notified by `closed`. Without a listener an error would end the process.
    client.on('error', (error) => {
      this.#error ??= error;
      client.end();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async runScript(script: string, limits: ScriptLimits, sequence?: object): Promise<ScriptRun> {
    const timeout = limits.seconds * 1000 + this.#timeout;
    while (this.#hasRunner) {
      const runner = await this.#runnerOf(sequence);
      const run = await runner.run(script, limits, timeout);
      if (!runner.isOpen) await this.#within(this.#timeout, this.#checkEnd(runner));
      else if (runner.isIdle) this.#release(runner, sequence);
      this.#hasRunner &&= !runner.isMissing;
      if (run && this.#hasRunner) return run;
    }
    const single = this.#lastSingle.then(async () => {
      const channel = await this.#exec(`. /.grader/run ${limits.seconds}`);
      return await runSingly(channel, { script, ...limits }, () => this.#ended(channel, timeout));
    });
    this.#lastSingle = single.catch(() => undefined);
    return await single;
  }

  /** Starts a runner ahead of the first script. A failure is reported by that. */
  prepareScripts(): void {
    this.#prepared ??= this.#startRunner();
    this.#prepared.catch(() => undefined);
  }

  async putFiles(files: readonly PlacedFile[], seconds: number): Promise<string | undefined> {
    const channel = await this.#exec(unpackCommand);
    const output = new LastBytes(reportLength);
    let status: number | null = null;
    channel.on('data', (chunk: Buffer) => output.push(chunk));
    channel.stderr.resume();
    channel.on('exit', (code: number | null) => {
      status = code;
    });
    const closed = new Promise<void>((resolve) => channel.once('close', resolve));
    const send = async (): Promise<void> => {
      for await (const chunk of archiveOf(files)) {
        if (!channel.writable || channel.destroyed) return;
        // The container may stop reading, such as when its disk is full.
        if (!channel.write(chunk)) await Promise.race([once(channel, 'drain').catch(() => undefined), closed]);
      }
      channel.end();
    };
    let failure: { error: unknown } | undefined;
    const sent = send().catch((error: unknown) => {
      failure = { error };
      channel.destroy();
    });
    try {
      await this.#ended(channel, 1000 * seconds);
    } catch (error) {
      throw failure ? failure.error : error;
    }
    await sent;
    if (failure) throw failure.error;
    return status === 0 ? undefined : output.text();
  }

  async readFile(place: FilePlace, limits: { bytes: number; seconds: number }): Promise<OpenedFile> {
    const transfer = await this.#begin(readCommand(place, limits), (channel) => new FileTransfer(channel));
    return await transfer.read(limits.bytes);
  }

  async writeFile(place: FilePlace, file: { bytes: number; replaces: boolean; seconds: number }): Promise<AwaitedFile> {
    const transfer = await this.#begin(writeCommand(place, file), (channel) => new FileTransfer(channel));
    return await transfer.write();
  }

  async openTerminal({ cols, rows }: TerminalSize): Promise<TerminalStream> {
    const channel = await new Promise<ClientChannel>((resolve, reject) => {
      this.#open(reject, (done) =>
        this.#client.shell({ cols, rows, term: 'xterm-256color' }, (error, opened) => {
          done();
          if (error) reject(lost(error));
          else resolve(opened);
        }),
      );
    });
    let reported: ShellExit | undefined;
    channel.on('exit', (code: number | null) => {
      reported = { code };
    });
    const exit = new Promise<ShellExit>((resolve) => {
      const end = (): ShellExit =>
        reported ?? (this.#isOpen ? { code: null } : { code: null, lost: lost(this.#error) });
      channel.once('close', () => setImmediate(() => resolve(end())));
    });
    channel.stderr.resume();
    return Object.assign(channel, {
      resize: (columns: number, lines: number): void => void channel.setWindow(lines, columns, 0, 0),
      exit,
    }) as unknown as TerminalStream;
  }

  async openHeldTerminal(size: TerminalSize, limits: HolderLimits): Promise<TerminalStream | undefined> {
    const holder = await this.#startHolder(size, limits);
    return holder === undefined ? undefined : (await this.#attach(holder, 0, true))?.terminal;
  }

  async attach(holder: string, from: number): Promise<{ terminal: TerminalStream; kept: KeptOutput } | undefined> {
    return await this.#attach(holder, from, false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#client.end();
    // The server closes the stream after the disconnect message. A hanging server is not waited for.
    // The client itself does not destroy a stream that it has ended.
    const timer = setTimeout(() => this.#stream.destroy(), 500);
    await this.closed;
    clearTimeout(timer);
  }

  /** @returns the path of its socket; undefined where the container has no holder, or it cannot start */
  async #startHolder({ cols, rows }: TerminalSize, { bytes, seconds }: HolderLimits): Promise<string | undefined> {
    const channel = await this.#exec(`exec /.grader/bin/hold ${cols} ${rows} ${bytes} ${seconds}`);
    let output = '';
    channel.stderr.resume();
    channel.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('latin1')).slice(0, longestHolder + 1);
    });
    await this.#ended(channel, this.#timeout);
    return holderForm.exec(output)?.[1];
  }

  async #attach(
    holder: string,
    from: number,
    isNew: boolean,
  ): Promise<{ terminal: TerminalStream; kept: KeptOutput } | undefined> {
    const channel = await this.#openSocket(holder);
    if (!channel) return undefined;
    const ending = (): ShellExit => (this.#isOpen ? { code: null } : { code: null, lost: lost(this.#error) });
    const hangUp = () => void this.#hangUp(holder, terminal);
    const terminal = new HeldTerminal({ holder, isNew, channel, ending, hangUp });
    const timer = setTimeout(() => terminal.destroy(), this.#timeout);
    const kept = await terminal.attach(from);
    clearTimeout(timer);
    if (kept) return { terminal, kept };
    terminal.destroy();
    if (!this.#isOpen) throw lost(this.#error);
    return undefined;
  }

  /** Over a connection of its own, because the shell may not read what was typed before. */
  async #hangUp(holder: string, terminal: HeldTerminal): Promise<void> {
    const timer = setTimeout(() => terminal.destroy(), hangUpPatience);
    void terminal.exit.then(() => clearTimeout(timer));
    const channel = await this.#openSocket(holder).catch(() => undefined);
    channel?.on('error', () => undefined);
    channel?.resume();
    channel?.once('end', () => channel.destroy());
    channel?.once('close', () => terminal.destroy());
    if (channel) channel.write(toHolder.hangUp());
    else terminal.destroy();
  }

  /** @returns undefined where nothing listens at the path @throws ShellConnectionLost */
  async #openSocket(path: string): Promise<ClientChannel | undefined> {
    return await new Promise((resolve, reject) => {
      this.#open(reject, (done) =>
        this.#client.openssh_forwardOutStreamLocal(path, (error, channel) => {
          done();
          // The end of the connection rejects before.
          resolve(error ? undefined : channel);
        }),
      );
    });
  }

  async #exec(command: string): Promise<ClientChannel> {
    return await this.#begin(command, (channel) => channel);
  }

  /**
   * @param use is called at once: the exit status of a short command can arrive with the answer, before a promise is resolved
   */
  async #begin<Used>(command: string, use: (channel: ClientChannel) => Used): Promise<Used> {
    return await new Promise((resolve, reject) => {
      this.#open(reject, (done) =>
        this.#client.exec(command, (error, channel) => {
          done();
          if (error) reject(lost(error));
          else resolve(use(channel));
        }),
      );
    });
  }

  #open(reject: (error: Error) => void, open: (opened: () => void) => void): void {
    if (!this.#isOpen) {
      reject(lost());
      return;
    }
    const timer = setTimeout(() => {
      reject(lost(new Error('the server does not answer')));
      this.#client.destroy();
    }, this.#timeout);
    void this.closed.then(() => {
      clearTimeout(timer);
      reject(lost());
    });
    try {
      open(() => clearTimeout(timer));
    } catch (error) {
      reject(lost(error));
    }
  }

  async #startRunner(): Promise<ScriptRunner> {
    const giveUp = (): void => {
      this.#error ??= new Error('no answer within the time limit');
      this.#isOpen = false;
      this.#client.destroy();
    };
    return await this.#begin(runnerCommand, (channel) => new ScriptRunner(channel, giveUp));
  }

  async #freeRunner(): Promise<ScriptRunner> {
    return this.#idle.pop() ?? (await this.#takePrepared()) ?? (await this.#startRunner());
  }

  async #runnerOf(sequence: object | undefined): Promise<ScriptRunner> {
    if (!sequence) return await this.#freeRunner();
    const known = this.#runners.get(sequence);
    if (known) {
      const runner = await known;
      if (runner.isOpen) return runner;
      // Another script of the sequence has noticed it.
      if (this.#runners.get(sequence) !== known) return await this.#runnerOf(sequence);
    }
    const starting = this.#freeRunner();
    this.#runners.set(sequence, starting);
    try {
      return await starting;
    } catch (error) {
      this.#runners.delete(sequence);
      throw error;
    }
  }

  #release(runner: ScriptRunner, sequence: object | undefined): void {
    if (sequence) this.#runners.delete(sequence);
    this.#keep(runner);
  }

  /** Two scripts at once do not get the same one. */
  async #takePrepared(): Promise<ScriptRunner | undefined> {
    const preparing = this.#prepared;
    this.#prepared = undefined;
    const runner = await preparing?.catch(() => undefined);
    return runner?.isOpen || runner?.isMissing ? runner : undefined;
  }

  #keep(runner: ScriptRunner): void {
    this.#idle.push(runner);
    void runner.ended.then(() => {
      const index = this.#idle.indexOf(runner);
      if (index >= 0) this.#idle.splice(index, 1);
    });
  }

  /** @throws ShellConnectionLost where the runner has ended with the connection, so that nobody in the container has killed it */
  async #checkEnd(runner: ScriptRunner): Promise<void> {
    await runner.ended;
    // A connection reports its end after that of its channels.
    await new Promise((resolve) => setImmediate(resolve));
    if (!runner.hasExited && !this.#isOpen) throw lost(this.#error);
  }

  /** Resolves at the end of a channel. If the connection ends first or the timeout passes, it is lost. */
  async #ended(channel: ClientChannel, timeout: number): Promise<void> {
    let isEnded = false;
    channel.once('exit', () => {
      isEnded = true;
    });
    const closed = new Promise<void>((resolve, reject) => {
      // ssh2 closes its channels with the connection: only an exit status proves that the command has ended.
      channel.once('close', () =>
        setImmediate(() => (isEnded || this.#isOpen ? resolve() : reject(lost(this.#error)))),
      );
    });
    await this.#within(timeout, closed);
  }

  /** If the timeout passes, the connection is lost. The next command gets a new one. */
  async #within<Result>(timeout: number, work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // The container enforces the limit of the script, so more than the script hangs.
        this.#client.destroy();
        reject(lost(new Error('no answer within the time limit')));
      }, timeout);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The path of a socket, alone on a line. */
const holderForm = /^(\/[\w./-]+)\n$/;
const longestHolder = 107;
/** Milliseconds for a holder to end its shell, after which its connection is closed. */
const hangUpPatience = 2000;

/** Characters kept of what the container reports about files. */
const reportLength = 4096;

const lost = (cause?: unknown): ShellConnectionLost =>
  new ShellConnectionLost('The connection to the container was lost', { cause });
