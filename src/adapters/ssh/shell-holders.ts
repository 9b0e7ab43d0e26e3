import type {
  HolderLimits,
  KeptOutput,
  TerminalSize,
  TerminalStream,
} from '../../features/capacity/container-shell.ts';
import { HeldTerminal } from './held-terminal.ts';
import { toHolder } from './holder-frames.ts';
import type { SshChannels } from './ssh-channels.ts';

/** The path of a socket, alone on a line. */
const holderForm = /^(\/[\w./-]+)\n$/;
const longestHolder = 107;
/** Milliseconds for a holder to end its shell, after which its connection is closed. */
const hangUpPatience = 2000;

type Attached = { terminal: TerminalStream; kept: KeptOutput };

/** The programs of a container that hold shells, over one connection. */
export class ShellHolders {
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
