import { LRUCache } from 'lru-cache';
import { asService } from '../../../packages/limits/request-client.ts';
import type { ChangeFeed } from './change-feed.ts';

/**
 * A bounded cache of rows by key that is consistent across processes: the change feed invalidates it, and a value read during a
 * change is not cached. Concurrent reads of a value that is not cached share one load; a read after a change starts another. While the
 * feed is down, every read queries the database.
 */
export class RowCache<Key extends string | number, Value extends object> {
  readonly #entries: LRUCache<Key, Value>;
  readonly #loads = new Map<Key, Promise<Value | undefined>>();
  readonly #feed: ChangeFeed;
  #generation = 0;

  constructor(options: {
    feed: ChangeFeed;
    channel: string;
    max: number;
    keyOf: (payload: string) => Key | undefined;
  }) {
    this.#feed = options.feed;
    this.#entries = new LRUCache({ max: options.max });
    options.feed.on(options.channel, (payload) => this.#drop(options.keyOf(payload)));
  }

  /**
   * Invalidates one key, or all without one. The writer calls it after the commit, so that its own cache is current when it
   * answers.
   */
  forget(key?: Key): void {
    this.#drop(key);
    this.#feed.changed();
  }

  #drop(key?: Key): void {
    this.#generation += 1;
    this.#loads.clear();
    if (key === undefined) this.#entries.clear();
    else this.#entries.delete(key);
  }

  /** The cached value if it is valid, without waiting. */
  peek(key: Key): Value | undefined {
    return this.#feed.isLive ? this.#entries.get(key) : undefined;
  }

  /** The value from the cache, or from `load`. An `undefined` (no such row) is not cached. */
  async get<Loaded extends Value | undefined>(key: Key, load: () => Promise<Loaded>): Promise<Value | Loaded> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    if (!this.#feed.isLive) return await load();
    const running = this.#loads.get(key);
    const shared = running && (await running);
    // An absence is not shared: the row may have been inserted since that load began, which is no change of a row.
    if (shared !== undefined) return shared;
    const loading = asService(() => this.#load(key, load));
    this.#loads.set(key, loading);
    try {
      return await loading;
    } finally {
      if (this.#loads.get(key) === loading) this.#loads.delete(key);
    }
  }

  async #load<Loaded extends Value | undefined>(key: Key, load: () => Promise<Loaded>): Promise<Loaded> {
    const generation = this.#generation;
    const value = await load();
    if (value !== undefined && this.#feed.isLive && generation === this.#generation) this.#entries.set(key, value);
    return value;
  }
}
