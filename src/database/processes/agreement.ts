import { type DatabaseAddress, newClient } from '../connection/connect.ts';
import { ChangeFeed } from './change-feed.ts';
import { Peers } from './peers.ts';

const topic = 'agreement';

/**
 * Prevents stale reads across processes: after a change by this process, its requests are answered only when every other process
 * has acknowledged the change.
 */
export class Agreement {
  readonly #peers: Peers;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(feed: ChangeFeed, peers: Peers) {
    this.#peers = peers;
    // A question arrives after the notifications of earlier commits, so an answer confirms the invalidation.
    peers.answer(topic, () => undefined);
    feed.onOwnChange(() => this.#begin());
  }

  /** Resolves when all others know the changes of this process so far; undefined if they already do. Never rejects. */
  reached(): Promise<void> | undefined {
    return this.#next ?? this.#running;
  }

  /** A running round may have started before this change, so another one follows. It covers all changes made in between. */
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

/**
 * Waits until every running process of the service knows the changes that were committed before. For commands, which change the database
 * of a running service. Never throws: where it cannot listen, the processes learn of the changes a moment later by themselves.
 */
export async function changesAreKnown(address: DatabaseAddress): Promise<void> {
  await using feed = new ChangeFeed({ newClient: () => newClient(address), onError: () => {} });
  const agreement = new Agreement(feed, new Peers({ feed }));
  await feed.start();
  feed.changed();
  await agreement.reached();
}
