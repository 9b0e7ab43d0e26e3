import type { Size } from './protocol.ts';

/** Milliseconds between two changes of the size. */
const pause = 50;

/** The first change at once; of those that follow within the pause the last. Each is a signal to the shell, and draws the screen again. */
export class PacedResize {
  readonly #apply: (size: Size) => void;
  #wanted: Size | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(apply: (size: Size) => void) {
    this.#apply = apply;
  }

  request(size: Size): void {
    this.#wanted = size;
    if (this.#timer) return;
    this.#wanted = undefined;
    this.#apply(size);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#wanted) this.request(this.#wanted);
    }, pause).unref();
  }

  /** What waits is not applied. */
  forget(): void {
    this.#wanted = undefined;
  }
}
