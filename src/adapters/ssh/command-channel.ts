import { Duplex, Readable } from 'node:stream';
import type { CommandStream } from '../../ports/container-engine.ts';

/** A command of a container as a channel of SSH: it emits `exit` with the exit code before it closes, and nothing if that is unknown. */
export class CommandChannel extends Duplex {
  /** Nothing comes here: the engine drops it. */
  readonly stderr = Readable.from([]);
  readonly #stream: Duplex;

  constructor({ stream, exitCode }: CommandStream, onLost: () => void) {
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
