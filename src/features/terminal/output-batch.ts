/** Bytes that leave before more is read: what was held back comes at once, up to the window of the SSH channel (2 MiB). */
const mostUnsent = 64 * 1024;

/** Joins what one read of the network brings in many packets: they leave together, at the end of its turn. */
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
