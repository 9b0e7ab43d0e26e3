/** Keeps the last `limit` bytes of a stream, using at most twice that memory. */
export class LastBytes {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #isTruncated = false;

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isTruncated(): boolean {
    return this.#isTruncated || this.#size > this.#limit;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < 2 * this.#limit) return;
    const end = this.#end();
    this.#chunks = [end];
    this.#size = end.length;
    this.#isTruncated = true;
  }

  /**
   * The kept bytes as UTF-8, without a partial character at the beginning. PostgreSQL cannot store NUL, so it is replaced by
   * U+FFFD.
   */
  text(): string {
    let end = this.#end();
    if (this.isTruncated) {
      const start = end.findIndex((byte) => (byte & 0xc0) !== 0x80);
      end = end.subarray(Math.max(0, start));
    }
    return end.toString('utf8').replaceAll('\0', '\uFFFD');
  }

  #end(): Buffer {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - this.#limit));
  }
}
