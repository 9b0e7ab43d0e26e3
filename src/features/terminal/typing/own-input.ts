/**
 * Counts the input of the user of a shell, whose client repeats what was not received, apart from that of those who type along. Offsets
 * count the input of the shell.
 */
export class OwnInput {
  /** Bytes of others, of which the container has received all before the first piece that is left. */
  #others: number;
  #received: number;
  /** What others have typed since, in order: where it ends, and its bytes. */
  #pieces: { end: number; bytes: number }[] = [];

  /** @param others bytes of others so far, all of which the container has received */
  constructor(others = 0) {
    this.#others = others;
    this.#received = others;
  }

  /** Bytes of others. */
  get others(): number {
    return this.#others;
  }

  /** Somebody else has typed. @param end the offset behind it */
  add(end: number, bytes: number): void {
    this.#others += bytes;
    this.#pieces.push({ end, bytes });
  }

  /** Bytes of the user among all that the shell has accepted. */
  accepted(offset: number): number {
    return offset - this.#others;
  }

  /** Bytes of the user among those that the container has received. Offsets never become smaller. */
  received(offset: number): number {
    for (let [first] = this.#pieces; first && first.end <= offset; [first] = this.#pieces) {
      this.#received += first.bytes;
      this.#pieces.shift();
    }
    const [next] = this.#pieces;
    return offset - this.#received - (next ? Math.max(0, offset - (next.end - next.bytes)) : 0);
  }
}
