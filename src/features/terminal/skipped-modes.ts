import type { Size } from './protocol.ts';

const introducer = Buffer.from('\x1b[?');
/** Longer than any sequence that switches modes. */
const longest = 32;

/** Which private modes (alternate screen, mouse, application keys, ...) a stretch of output switched that nobody draws. */
export class SkippedModes {
  /** The last size that was set in between. */
  size: Size | undefined;
  readonly #modes = new Map<string, string>();
  #end: Buffer = Buffer.alloc(0);

  /** Chunks come in order; a sequence may lie across two. */
  follow(chunk: Buffer): void {
    if (this.#end.length > 0) this.#scan(Buffer.concat([this.#end, chunk.subarray(0, longest)]));
    this.#scan(chunk);
    this.#end = Buffer.from(chunk.subarray(-longest));
  }

  /** What was found since the last call, as the sequences that switch the same modes. */
  take(): { size: Size | undefined; modes: string } {
    const modes = [...this.#modes].map(([mode, final]) => `\x1b[?${mode}${final}`).join('');
    const { size } = this;
    this.#modes.clear();
    this.size = undefined;
    this.#end = Buffer.alloc(0);
    return { size, modes };
  }

  #scan(bytes: Buffer): void {
    for (let at = bytes.indexOf(introducer); at >= 0; at = bytes.indexOf(introducer, at + 1)) {
      const sequence = bytes.toString('latin1', at + introducer.length, at + longest);
      const [, numbers, final] = /^([\d;]+)([hl])/.exec(sequence) ?? [];
      if (!numbers || !final) continue;
      for (const mode of numbers.split(';')) {
        // The order in which modes were last switched is kept: it matters for the alternate screen and the cursor.
        this.#modes.delete(mode);
        this.#modes.set(mode, final);
      }
    }
  }
}
