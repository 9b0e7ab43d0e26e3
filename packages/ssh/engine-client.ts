import { EventEmitter } from 'node:events';
import { Duplex, Readable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { ContainerDoors, OpenedCommand, ShellAccount } from './container-shell.ts';
import type { ChannelClient, ChannelOpened as Opened } from './ssh-channels.ts';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** By numbers: the container may have renamed its accounts, or have lost the file that lists them. */
const accounts: Record<ShellAccount, { id: number; home: string; path: string }> = {
  student: { id: 1000, home: '/home/student', path: systemPath },
  root: { id: 0, home: '/root', path: systemPath },
  grader: { id: 0, home: '/.grader', path: `/.grader/bin:${systemPath}` },
};

/**
 * What SSH does, by commands of the engine: for a container whose SSH server does not let an account in. Each channel is a
 * command of its own, run by the static bash of the grader volume. The shell of a terminal is `plain` (images/grader/files).
 */
export class EngineClient extends EventEmitter implements ChannelClient {
  readonly #engine: Pick<ContainerDoors, 'openCommand'>;
  readonly #ref: string;
  readonly #account: ShellAccount;
  readonly #channels = new Set<CommandChannel>();
  #isOpen = true;

  constructor(engine: Pick<ContainerDoors, 'openCommand'>, ref: string, account: ShellAccount) {
    super();
    this.#engine = engine;
    this.#ref = ref;
    this.#account = account;
  }

  exec(command: string, opened: Opened): void {
    this.#open(command).then((channel) => opened(undefined, asClient(channel)), failed(opened));
  }

  /** There is no shell that ends with its connection. */
  shell(_size: object, opened: Opened): void {
    failed(opened)(new Error('a plain shell needs a holder'));
  }

  openssh_forwardOutStreamLocal(path: string, opened: Opened): void {
    this.#open(`exec /.grader/bin/hold attach ${quoted(path)}`).then(async (channel) => {
      if (await isConnected(channel)) opened(undefined, asClient(channel));
      else failed(opened)(new Error('nothing listens at this socket'));
    }, failed(opened));
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const channel of this.#channels) channel.destroy();
    this.emit('close');
  }

  destroy(): void {
    this.end();
  }

  async #open(command: string): Promise<CommandChannel> {
    const { id, home, path } = accounts[this.#account];
    const name = this.#account;
    const environment = [
      ...[`HOME=${home}`, `USER=${name}`, `LOGNAME=${name}`, 'SHELL=/.grader/plain', 'LANG=C.UTF-8', 'TERM=dumb'],
      `PATH=${path}`,
    ];
    // The grader stays what an exec is, so that checks are protected from root of the container. `hold as` confines the others.
    const account = name === 'grader' ? [] : ['/.grader/bin/hold', 'as', `${id}`, `${id}`];
    const words = [...account, '/.grader/bin/bash', '-p', '-c', command];
    const script = `exec /.grader/bin/busybox env -i ${[...environment, ...words].map(quoted).join(' ')}`;
    const opened = await this.#engine.openCommand(this.#ref, script);
    const channel = new CommandChannel(opened, () => this.end());
    if (!this.#isOpen) channel.destroy();
    this.#channels.add(channel);
    channel.once('close', () => this.#channels.delete(channel));
    return channel;
  }
}

/** Whether the bridge has reached the socket: its first byte. What follows stays in the channel. */
async function isConnected(channel: CommandChannel): Promise<boolean> {
  for (;;) {
    const sign = channel.read(1) as Buffer | null;
    if (sign !== null) return sign.toString('latin1') === '+';
    if (channel.readableEnded || channel.destroyed) return false;
    await new Promise<void>((resolve) => {
      const unfreeze = (): void => {
        for (const name of ['readable', 'end', 'close']) channel.off(name, unfreeze);
        resolve();
      };
      for (const name of ['readable', 'end', 'close']) channel.once(name, unfreeze);
    });
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const asClient = (channel: CommandChannel): ClientChannel => channel as unknown as ClientChannel;
const failed = (opened: Opened) => (error: Error) => opened(error, undefined as never);

/** A command of a container as a channel of SSH: it emits `exit` with the exit code before it closes, and nothing if that is unknown. */
class CommandChannel extends Duplex {
  /** Nothing comes here: the engine drops it. */
  readonly stderr = Readable.from([]);
  readonly #stream: Duplex;

  constructor({ stream, exitCode }: OpenedCommand, onLost: () => void) {
    super({ allowHalfOpen: true, highWaterMark: 256 * 1024 });
    this.#stream = stream;
    stream.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) stream.pause();
    });
    stream.on('error', () => stream.destroy());
    stream.once('end', () => this.push(null));
    stream.once('close', () => this.push(null));
    this.once('end', () => {
      void exitCode().then((exit) => {
        if (exit === undefined) onLost();
        else this.emit('exit', exit);
        this.destroy();
      });
    });
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (this.#stream.destroyed || this.#stream.write(bytes)) {
      done();
      return;
    }
    const unfreeze = (): void => {
      this.#stream.off('drain', unfreeze).off('close', unfreeze);
      done();
    };
    this.#stream.on('drain', unfreeze).on('close', unfreeze);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stream.destroy();
    done(error);
  }
}
