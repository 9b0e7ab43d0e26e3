/** The private modes (DECSET) that the emulator supports and a picture restores. The number of others is unbounded. */
export const knownModes: ReadonlySet<number> = new Set([
  1, 2, 6, 7, 9, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1048, 1049, 2004, 2026,
]);

const codes = { escape: 0x1b, bracket: 0x5b, question: 0x3f, semicolon: 0x3b, high: 0x68, low: 0x6c };
/** Maximum modes in one sequence, as in the emulator. */
const mostModes = 32;

/** Tracks the private modes (alternate screen, mouse, application keys, ...) set by output that is not drawn. */
export class SkippedModes {
  readonly #modes = new Map<number, 'h' | 'l'>();
  /** 0: outside of a sequence; 1 to 3: after that many bytes of `ESC [ ?`. */
  #state = 0;
  #number = 0;
  #numbers: number[] = [];

  /** Chunks arrive in order; a sequence may be split across several. */
  follow(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#state === 0) {
        at = bytes.indexOf(codes.escape, at);
        if (at < 0) return;
      }
      const byte = bytes[at] as number;
      if (byte === codes.escape) this.#state = 1;
      else this.#next(byte);
    }
  }

  /** Adds later modes. */
  add(modes: Iterable<readonly [number, 'h' | 'l']>): void {
    for (const [mode, final] of modes) this.#switch(mode, final);
  }

  /** The modes since the last call, most recently set last. */
  take(): [number, 'h' | 'l'][] {
    const modes = [...this.#modes];
    this.#modes.clear();
    this.#state = 0;
    return modes;
  }

  #next(byte: number): void {
    if (this.#state === 1) this.#state = byte === codes.bracket ? 2 : 0;
    else if (this.#state === 2) {
      this.#state = byte === codes.question ? 3 : 0;
      this.#number = 0;
      this.#numbers.length = 0;
    } else if (byte >= 0x30 && byte <= 0x39) this.#number = Math.min(this.#number * 10 + byte - 0x30, 1_000_000);
    else {
      if (this.#numbers.length < mostModes) this.#numbers.push(this.#number);
      this.#number = 0;
      if (byte === codes.semicolon) return;
      this.#state = 0;
      if (byte !== codes.high && byte !== codes.low) return;
      for (const mode of this.#numbers) this.#switch(mode, byte === codes.high ? 'h' : 'l');
    }
  }

  /** The order in which modes were last set is preserved: it matters for the alternate screen and the cursor. */
  #switch(mode: number, final: 'h' | 'l'): void {
    if (!knownModes.has(mode)) return;
    this.#modes.delete(mode);
    this.#modes.set(mode, final);
  }
}

export const modeSequences = (modes: readonly (readonly [number, 'h' | 'l'])[]): string =>
  modes.map(([mode, final]) => `\x1b[?${mode}${final}`).join('');
