import { Duplex } from 'node:stream';
import type { HeldShell, KeptOutput, ShellExit, TerminalSize, TerminalStream } from './container-shell.ts';
import { type HolderFrame, HolderFrames, NotAHolderError, toHolder } from './holder-frames.ts';

/** Bytes of input that wait for the holder. */
const mostWaiting = 256 * 1024;
/** Maximum bytes of kept output that a holder may announce. */
const mostKept = 64 * 1024 * 1024;

export type HeldTerminalParts = {
  holder: string;
  /** Whether the shell has just been started: all its output is new. */
  isNew: boolean;
  /** The connection to the holder's socket. */
  channel: Duplex;
  /** Why the channel has closed without a report of the holder. */
  ending: () => ShellExit;
  /** Opens another connection to the holder, which ends its shell. */
  hangUp: () => void;
};

/** A shell in a container that outlives its connections, seen from outside of it. */
export class HeldTerminal extends Duplex implements HeldShell, Omit<TerminalStream, keyof Duplex> {
  readonly holder: string;
  readonly held: HeldShell = this;
  readonly exit: Promise<ShellExit>;
  onReceived: () => void = () => {};
  #received = 0;
  #accepted = 0;
  readonly #channel: Duplex;
  readonly #hangUp: () => void;
  readonly #isNew: boolean;
  #kept: KeptOutput | undefined;
  #keptBytes = 0;
  #isLive = false;
  #end: ShellExit | undefined;
  readonly #attached = Promise.withResolvers<KeptOutput | undefined>();

  constructor({ holder, isNew, channel, ending, hangUp }: HeldTerminalParts) {
    super({ writableHighWaterMark: mostWaiting, allowHalfOpen: true });
    this.holder = holder;
    this.#isNew = isNew;
    this.#channel = channel;
    this.#hangUp = hangUp;
    const frames = new HolderFrames((frame) => this.#receive(frame));
    channel.on('data', (bytes: Buffer) => {
      try {
        frames.push(bytes);
      } catch {
        channel.destroy();
      }
    });
    channel.on('error', () => channel.destroy());
    // The SSH server keeps its half open for what we would still send.
    channel.once('end', () => channel.destroy());
    channel.once('close', () => setImmediate(() => this.#over(ending())));
    this.exit = new Promise((resolve) => {
      this.once('close', () => resolve(this.#end ?? ending()));
    });
  }

  get received(): number {
    return this.#received;
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** @returns undefined where the holder is gone */
  async attach(from: number): Promise<KeptOutput | undefined> {
    this.#channel.write(toHolder.attach(from));
    return await this.#attached.promise;
  }

  resize(cols: number, rows: number): void {
    if (!this.#end) this.#channel.write(toHolder.resize(cols, rows));
  }

  hangUp(): void {
    if (this.#end) this.destroy();
    else this.#hangUp();
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (this.#end) {
      done();
      return;
    }
    this.#accepted += bytes.length;
    this.#channel.write(toHolder.input(bytes), () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.destroy();
    this.#attached.resolve(undefined);
    done(error);
  }

  #receive(frame: HolderFrame): void {
    if (this.#end) return;
    if (!this.#isLive) {
      this.#receiveKept(frame);
      return;
    }
    if (frame.type === 'output') {
      if (!this.push(frame.bytes)) this.#channel.pause();
    } else if (frame.type === 'received') {
      this.#received = Math.max(this.#received, Math.min(frame.bytes, this.#accepted));
      this.onReceived();
    } else if (frame.type === 'exit') this.#over({ code: frame.code });
    else if (frame.type === 'taken') this.#over({ code: null, isTakenOver: true });
  }

  #receiveKept(frame: HolderFrame): void {
    const kept = this.#kept;
    if (frame.type === 'hello' && !kept) {
      const { start, end, received, cols, rows } = frame;
      if (end - start > mostKept) throw new NotAHolderError();
      this.#kept = { start, size: { cols, rows }, parts: [] };
      this.#keptBytes = end - start;
      this.#received = received;
      this.#accepted = received;
    } else if (frame.type === 'taken') this.#over({ code: null, isTakenOver: true });
    else if (!kept) throw new NotAHolderError();
    else if (frame.type === 'output') {
      this.#keptBytes -= frame.bytes.length;
      if (this.#keptBytes < 0) throw new NotAHolderError();
      if (this.#isNew) this.push(frame.bytes);
      else kept.parts.push(frame.bytes);
    } else if (frame.type === 'size') addSize(kept, frame);
    else if (frame.type === 'live') {
      if (this.#keptBytes > 0) throw new NotAHolderError();
      this.#isLive = true;
      this.#attached.resolve(kept);
    }
  }

  /** The shell has ended, or the connection. All output that has arrived is read first. */
  #over(end: ShellExit): void {
    if (this.#end) return;
    this.#end = end;
    this.#attached.resolve(undefined);
    this.push(null);
    this.once('end', () => this.destroy());
    if (!this.#isLive) this.destroy();
  }
}

/** Of several sizes without output in between only the last is stored. */
function addSize({ parts }: KeptOutput, { cols, rows }: TerminalSize): void {
  const last = parts.at(-1);
  if (last && !Buffer.isBuffer(last)) parts.pop();
  parts.push({ cols, rows });
}
