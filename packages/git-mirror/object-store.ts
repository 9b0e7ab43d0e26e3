import { LRUCache } from 'lru-cache';
import type { GitObject, ObjectReader, ReadResult } from './object-reader.ts';
import type { ErrorOf } from './problems.ts';

/** Bytes of overhead per entry. */
const overhead = 200;

type ObjectStoreParts = {
  reader: ObjectReader;
  cacheBytes: number;
  repair: () => Promise<void>;
  errorOf: ErrorOf;
};

/** Objects by id, with a cache of recently used ones. An id identifies its content permanently, so entries never become stale. */
export class ObjectStore {
  readonly #reader: ObjectReader;
  readonly #repair: () => Promise<void>;
  readonly #errorOf: ErrorOf;
  readonly #cache: LRUCache<string, GitObject | 'too large'>;
  readonly #underWay = new Map<string, Promise<GitObject | 'too large'>>();

  /** `repair` is called if a required object is missing; the read is then retried once. */
  constructor({ reader, cacheBytes, repair, errorOf }: ObjectStoreParts) {
    this.#reader = reader;
    this.#repair = repair;
    this.#errorOf = errorOf;
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: (object) => overhead + (object === 'too large' ? 0 : object.bytes.length),
    });
  }

  /** @throws the error of `damaged` if it could not be repaired */
  async read(id: string): Promise<GitObject | 'too large'> {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    let reading = this.#underWay.get(id);
    if (reading === undefined) {
      reading = this.#load(id).finally(() => this.#underWay.delete(id));
      this.#underWay.set(id, reading);
    }
    return await reading;
  }

  async #load(id: string): Promise<GitObject | 'too large'> {
    let result = await this.#attempt(id);
    if (result === 'missing') {
      this.#reader.restart();
      result = await this.#attempt(id);
    }
    if (result === 'missing') {
      await this.#repair();
      result = await this.#attempt(id);
    }
    if (result === 'missing') throw this.#errorOf({ kind: 'damaged' });
    this.#cache.set(id, result);
    return result;
  }

  /** An object that git fails to read counts as missing. */
  async #attempt(id: string): Promise<ReadResult> {
    return await this.#reader.read(id).catch(() => 'missing' as const);
  }
}
