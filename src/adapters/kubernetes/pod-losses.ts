import { lostIn } from './pod.ts';
import type { PodWatch } from './pod-watch.ts';

/**
 * Reports Pods that have ended for good, and Pods whose node has been lost for longer than a restart of its kubelet takes. The watch of
 * Pods is enough for that: the cluster marks the Pods of a lost node as not ready. No right to read nodes is needed.
 */
export class PodLosses implements Disposable {
  readonly #watch: PodWatch;
  readonly #listeners = new Set<(name: string) => void>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #stop: (() => void) | undefined;

  constructor(watch: PodWatch) {
    this.#watch = watch;
  }

  listen(listener: (name: string) => void): void {
    this.#listeners.add(listener);
    this.#stop ??= this.#watch.listen((name, pod) => {
      this.#cancel(name);
      const time = pod ? lostIn(pod) : 0;
      if (time !== undefined) this.#timers.set(name, setTimeout(() => this.#notify(name), time).unref());
    });
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    for (const name of this.#timers.keys()) this.#cancel(name);
  }

  #notify(name: string): void {
    this.#cancel(name);
    for (const listener of this.#listeners) listener(name);
  }

  #cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
