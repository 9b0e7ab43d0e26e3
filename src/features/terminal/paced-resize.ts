import type { Size } from './protocol.ts';

/** Milliseconds between two resizes. */
const pause = 50;

/**
 * Applies the first resize at once, and the last of those within the pause. Each resize sends a signal to the shell, which redraws the
 * screen.
 */
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

  /** Drops a pending resize. */
  forget(): void {
    this.#wanted = undefined;
  }
}
