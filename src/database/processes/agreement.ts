import type { ChangeFeed } from './change-feed.ts';
import type { Peers } from './peers.ts';

const topic = 'agreement';

/**
 * Keeps the caches of all processes behind nobody's answer: after a change of this process's own its requests are answered when
 * every other process has heard of the change, so that whoever has the answer finds no process that still knows the old.
 */
export class Agreement {
  readonly #peers: Peers;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(feed: ChangeFeed, peers: Peers) {
    this.#peers = peers;
    // A question is heard after the notifications of what was committed before it: to answer is to have forgotten.
    peers.answer(topic, () => undefined);
    feed.onOwnChange = () => this.#begin();
  }

  /** Resolves when all others know what this process has changed until now; undefined when they do already. Never rejects. */
  reached(): Promise<void> | undefined {
    return this.#next ?? this.#running;
  }

  /** A round under way may have begun before this change: then another follows it, one for all changes meanwhile. */
  #begin(): void {
    if (this.#next) return;
    if (this.#running) {
      this.#next = this.#running.then(() => {
        this.#next = undefined;
        this.#begin();
        return this.#running;
      });
      return;
    }
    this.#running = this.#peers.ask(topic).then(() => {
      this.#running = undefined;
    });
  }
}
