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
} from '../../features/capacity/container-shell.ts';
import { EngineClient } from './engine-client.ts';
import { FileTransfer } from './file-transfer.ts';
import { putFiles } from './put-files.ts';
import { ScriptRunners } from './script-runners.ts';
import { ShellHolders } from './shell-holders.ts';
import { type ChannelClient, SshChannels } from './ssh-channels.ts';
import { readCommand, writeCommand } from './transfer-scripts.ts';

/** What the service does in a container, over one connection. */
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
