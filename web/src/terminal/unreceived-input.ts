/** Bytes that are kept for another connection. Of more unconfirmed input the oldest is sent once only. */
const mostKept = 1024 * 1024;

/**
 * Input that the container has not confirmed. After a lost connection the part that the service has not accepted is sent again, so that
 * nothing that was typed is lost or repeated. Offsets count the input of the whole session.
 */
export class UnreceivedInput {
  #bytes = new Uint8Array(0);
  /** Of each piece of input in it, in order: its bytes, and when it was typed. */
  #pieces: { bytes: number; at: number }[] = [];
  /** The offset of the first byte. Undefined until the service has told it, null where the service does not count. */
  #start: number | null | undefined;

  add(bytes: Uint8Array): void {
    if (this.#start === null || bytes.length === 0) return;
    this.#pieces.push({ bytes: bytes.length, at: performance.now() });
    const all = new Uint8Array(this.#bytes.length + bytes.length);
    all.set(this.#bytes);
    all.set(bytes, this.#bytes.length);
    this.#bytes = all;
    if (all.length > mostKept) this.#drop(all.length - mostKept);
  }

  /** Keys and pastes that the container has not confirmed, and for how many milliseconds the first of them has waited. */
  get waiting(): { count: number; milliseconds: number } {
    const [first] = this.#pieces;
    return { count: this.#pieces.length, milliseconds: first ? performance.now() - first.at : 0 };
  }

  /** The container has received the input up to an offset. */
  received(offset: number): void {
    if (typeof this.#start === 'number') this.#drop(Math.max(0, offset - this.#start));
  }

  /**
   * A connection is ready.
   * @param offset of the next byte that the service expects. Null: the service does not count
   * @returns what has to be sent now
   */
  ready(offset: number | null): Uint8Array<ArrayBuffer> {
    const accepted = typeof this.#start === 'number' && offset !== null ? offset - this.#start : 0;
    // Otherwise another client has typed in the meantime.
    const isOurs = accepted >= 0 && accepted <= this.#bytes.length;
    const rest = isOurs ? this.#bytes.slice(accepted) : new Uint8Array(0);
    if (offset === null || !isOurs) this.clear();
    if (typeof this.#start !== 'number') this.#start = offset;
    return rest;
  }

  /** Another shell begins. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
    this.#pieces = [];
    this.#start = undefined;
  }

  #drop(count: number): void {
    const length = Math.min(count, this.#bytes.length);
    this.#bytes = this.#bytes.slice(length);
    let left = length;
    while (left > 0 && this.#pieces[0]) {
      const [first] = this.#pieces;
      const part = Math.min(left, first.bytes);
      left -= part;
      first.bytes -= part;
      if (first.bytes === 0) this.#pieces.shift();
    }
    if (typeof this.#start === 'number') this.#start += length;
  }
}
