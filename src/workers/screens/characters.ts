/**
 * Decodes bytes to characters. Invalid UTF-8 and the byte order mark are skipped, as in the emulator and in xterm.js in browsers.
 */
export class Characters {
  #code = 0;
  #missing = 0;
  #length = 0;

  /** Whether there is no incomplete character. */
  get isWhole(): boolean {
    return this.#missing === 0;
  }

  /** @returns a character that ends with this byte; 'again' if the byte ends an invalid one and must be processed again */
  next(byte: number): number | 'again' | undefined {
    if (this.#missing === 0) return this.#begin(byte);
    if ((byte & 0xc0) !== 0x80) {
      this.#missing = 0;
      return 'again';
    }
    this.#code = (this.#code << 6) | (byte & 0x3f);
    this.#missing -= 1;
    return this.#missing === 0 && this.#isValid() ? this.#code : undefined;
  }

  #begin(byte: number): number | undefined {
    if (byte < 0x80) return byte;
    this.#length = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    this.#missing = Math.max(0, this.#length - 1);
    this.#code = byte & (0xff >> (this.#length + 1));
    return undefined;
  }

  #isValid(): boolean {
    const code = this.#code;
    if (this.#length === 2) return code >= 0x80;
    if (this.#length === 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff) && code !== 0xfeff;
    return code >= 0x1_0000 && code <= 0x10_ffff;
  }
}
