import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { TerminalScreen } from '../../../../packages/screens/terminal-screens.ts';
import type { Size } from '../protocol.ts';

const compress = promisify(deflateRaw);

/** The minimum time between two pictures of a screen, in milliseconds. */
const pace = 1000;

export type ScreenKeeperParts = {
  screen: Pick<TerminalScreen, 'capture'>;
  /** What has to be added to an offset in the output of the screen to get the offset in the output of the shell. */
  shift: number;
  /** Bytes of output that the holder keeps. */
  keptBytes: number;
  size: () => Size;
  save: (screen: Size & { picture: Buffer; at: number }) => Promise<void>;
  onFailure: (error: unknown) => void;
};

/**
 * Stores pictures of a screen for the next process that serves the shell. It draws the picture, and then what the holder has kept since.
 * So a picture is stored only when a quarter of what the holder keeps is new, and at most once a second. During a flood none is stored:
 * the holder has a later part of the output than any picture.
 */
export class ScreenKeeper implements Disposable {
  readonly #parts: ScreenKeeperParts;
  #fresh = 0;
  #recent = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(parts: ScreenKeeperParts) {
    this.#parts = parts;
  }

  /** Reports output. */
  passed(bytes: number): void {
    this.#fresh += bytes;
    this.#recent += bytes;
    if (this.#fresh >= this.#parts.keptBytes / 4) this.#wait();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#isOver || this.#timer) return;
    this.#recent = 0;
    this.#timer = setTimeout(() => void this.#keep(), pace).unref();
  }

  async #keep(): Promise<void> {
    const { screen, shift, keptBytes, size, save, onFailure } = this.#parts;
    if (this.#recent > keptBytes) {
      this.#timer = undefined;
      this.#wait();
      return;
    }
    const fresh = this.#fresh;
    this.#fresh = 0;
    try {
      const { cols, rows } = size();
      const { picture, at } = await screen.capture();
      const bytes = await compress(picture, { level: 1 });
      if (!this.#isOver) await save({ cols, rows, picture: bytes, at: Math.max(0, at + shift) });
    } catch (error) {
      this.#fresh += fresh;
      onFailure(error);
    } finally {
      this.#timer = undefined;
    }
  }
}
