import { asService } from '../../../packages/limits/request-client.ts';

/**
 * Runs requests for single values in batches: those that arrive while batches are running wait for the next one, so under load one
 * statement answers many of them. Without load a request runs at once. Every request is read after it was made, so this is no cache.
 */
export class Batch<Key, Value> {
  readonly #run: (keys: readonly Key[]) => Promise<readonly Value[]>;
  readonly #maxKeys: number;
  readonly #waiting: { key: Key; resolve: (value: Value) => void; reject: (error: unknown) => void }[] = [];
  #running = 0;

  /**
   * @param run returns the values of the keys, in their order
   * @param maxKeys keys in a run
   */
  constructor(run: (keys: readonly Key[]) => Promise<readonly Value[]>, maxKeys = 100) {
    this.#run = run;
    this.#maxKeys = maxKeys;
  }

  /** A failure of a batch is a failure of each of its requests. */
  get(key: Key): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.#waiting.push({ key, resolve, reject });
    if (this.#running < maxRunning) void asService(() => this.#next());
    return promise;
  }

  async #next(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxKeys);
      try {
        const values = await this.#run(batch.map(({ key }) => key));
        for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running -= 1;
  }
}

/** Batches at once: while PostgreSQL works on one, the other is parsed or prepared. */
const maxRunning = 2;

/** Rows with the places of their keys, one for each key, in the order of the keys. */
export const inOrder = <Row extends { place: number }>(rows: Row[]): Row[] => rows.sort((a, b) => a.place - b.place);
