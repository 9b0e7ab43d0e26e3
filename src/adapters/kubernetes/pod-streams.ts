import type { Duplex } from 'node:stream';
import { isNodeLost, stateOf } from './pod.ts';
import type { PodWatch } from './pod-watch.ts';

/** Ends the open streams into a Pod when it ends: a node that is lost does not close its connections. */
export class PodStreams implements Disposable {
  readonly #watch: PodWatch;
  readonly #streams = new Map<string, Set<Duplex>>();
  #stop: (() => void) | undefined;

  constructor(watch: PodWatch) {
    this.#watch = watch;
  }

  add(ref: string, stream: Duplex): void {
    this.#stop ??= this.#watch.listen((name, pod) => {
      if (pod && stateOf(pod).kind !== 'ended' && !isNodeLost(pod)) return;
      for (const open of this.#streams.get(name) ?? []) open.destroy();
    });
    const streams = this.#streams.get(ref) ?? new Set();
    this.#streams.set(ref, streams.add(stream));
    stream.once('close', () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#streams.get(ref) === streams) this.#streams.delete(ref);
    });
  }

  /** From now on nothing ends a stream: it belongs to the caller that opened it. */
  [Symbol.dispose](): void {
    this.#stop?.();
  }
}
