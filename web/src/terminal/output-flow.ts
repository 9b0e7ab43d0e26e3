/** Bytes that wait to be drawn. Above `high` the server is asked to pause, below `low` to continue. */
const waiting = { high: 1_000_000, low: 200_000 };

/** Pauses the server while a connection has received more than the screen has drawn. */
export class OutputFlow {
  readonly #send: (message: { type: 'pause' | 'resume' }) => void;
  #undrawn = 0;
  #isPaused = false;

  constructor(send: (message: { type: 'pause' | 'resume' }) => void) {
    this.#send = send;
  }

  received(bytes: number): void {
    this.#undrawn += bytes;
    if (this.#isPaused || this.#undrawn <= waiting.high) return;
    this.#isPaused = true;
    this.#send({ type: 'pause' });
  }

  drawn(bytes: number): void {
    this.#undrawn -= bytes;
    if (!this.#isPaused || this.#undrawn >= waiting.low) return;
    this.#isPaused = false;
    this.#send({ type: 'resume' });
  }
}
