/** Queues of several keys, which take turns: one that adds much delays only itself. Within a key it is first come, first served. */
export class FairQueue<Item> {
  /** The first key is next. */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  count(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  keys(): Iterable<string> {
    return this.#queues.keys();
  }

  add(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(item);
    else this.#queues.set(key, [item]);
    this.#size += 1;
  }

  takeNext(): Item | undefined {
    const [next] = this.#queues;
    if (!next) return undefined;
    const [key, queue] = next;
    const first = queue.shift();
    this.#queues.delete(key);
    // Moves it behind all others.
    if (queue.length > 0) this.#queues.set(key, queue);
    this.#size -= 1;
    return first;
  }

  /** Takes what one key has added last. */
  takeLast(key: string): Item | undefined {
    const item = this.#queues.get(key)?.at(-1);
    if (item !== undefined) this.remove(key, item);
    return item;
  }

  /** @returns false if it is no longer queued */
  remove(key: string, item: Item): boolean {
    const queue = this.#queues.get(key);
    const place = queue?.lastIndexOf(item) ?? -1;
    if (!queue || place === -1) return false;
    queue.splice(place, 1);
    if (queue.length === 0) this.#queues.delete(key);
    this.#size -= 1;
    return true;
  }
}

/** The key with the highest count, and that count. */
export function largestOf(keys: Iterable<string>, count: (key: string) => number): [key: string, count: number] {
  let largest: [string, number] = ['', 0];
  for (const key of keys) if (count(key) > largest[1]) largest = [key, count(key)];
  return largest;
}
