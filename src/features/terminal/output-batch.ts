/**
 * Bytes that are sent before more is read. After a pause, everything held back arrives at once, up to the window of the SSH channel (2
 * MiB).
 */
const mostUnsent = 64 * 1024;

/** Joins the many packets of one network read. They are sent together, at the end of the event loop's turn. */
export class OutputBatch {
  readonly #send: (bytes: Buffer, packets: number) => void;
  #packets: Buffer[] = [];
  #bytes = 0;

  constructor(send: (bytes: Buffer, packets: number) => void) {
    this.#send = send;
  }

  add(bytes: Buffer): void {
    this.#packets.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= mostUnsent) this.flush();
    else if (this.#packets.length === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    const [first] = this.#packets;
    if (!first) return;
    const packets = this.#packets.length;
    const bytes = packets === 1 ? first : Buffer.concat(this.#packets);
    this.#packets = [];
    this.#bytes = 0;
    this.#send(bytes, packets);
  }
}
