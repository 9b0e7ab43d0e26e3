import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from './change-feed.ts';

/**
 * A bounded cache of rows by key that is right across processes: the change feed empties it, and a value read while a change
 * came in is not kept. While the feed is down every read goes to the database.
 */
export class RowCache<Key extends string | number, Value extends object> {
  readonly #entries: LRUCache<Key, Value>;
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

  /** Forgets one key, or all without one. Whoever writes calls it after the commit, so that no process lags behind the answer. */
  forget(key?: Key): void {
    this.#drop(key);
    this.#feed.changed();
  }

  #drop(key?: Key): void {
    this.#generation += 1;
    if (key === undefined) this.#entries.clear();
    else this.#entries.delete(key);
  }

  /** The value if it is known and may be used, without waiting. */
  peek(key: Key): Value | undefined {
    return this.#feed.isLive ? this.#entries.get(key) : undefined;
  }

  /** The value from the cache, or from `load`, whose `undefined` (there is none) is not kept. */
  async get<Loaded extends Value | undefined>(key: Key, load: () => Promise<Loaded>): Promise<Value | Loaded> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const generation = this.#generation;
    const value = await load();
    if (value !== undefined && this.#feed.isLive && generation === this.#generation) this.#entries.set(key, value);
    return value;
  }
}
