import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, WatchEvent } from './cluster.ts';
import { statusOf } from './failures.ts';
import { type List, lostIn, type Pod } from './pod.ts';

/** Seconds after which the API server ends a watch, and the silence after which its connection counts as lost. */
const watchSeconds = { length: 240, silence: 300 };
/** Milliseconds before a lost watch is established again. Each further failure doubles it. */
const pauses = { first: 250, longest: 15_000 };
const pageSize = 500;

/** A Pod of the installation as it is now, or `undefined` where the one with this uid no longer exists. */
export type PodListener = (name: string, pod: Pod | undefined, uid: string) => void;

/**
 * Reports every change of an installation's Pods. It lists them once and then watches from that version. A watch that ends is resumed
 * from the last version. If the API server no longer has that version (410), the Pods are listed again, and what is missing is
 * reported as gone. Nothing is polled.
 */
export class PodWatch implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #selector: string;
  readonly #listeners = new Set<PodListener>();
  /** The uids of the Pods that exist, by name. */
  readonly #uids = new Map<string, string>();
  readonly #stopped = new AbortController();
  #version: string | undefined;
  #running: Promise<void> | undefined;

  constructor(cluster: Cluster, selector: string) {
    this.#cluster = cluster;
    this.#selector = selector;
  }

  /** Starts the watch with its first listener. @returns a function that removes the listener */
  listen(listener: PodListener): () => void {
    this.#listeners.add(listener);
    this.#running ??= this.#run();
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let pause = pauses.first;
    while (!this.#stopped.signal.aborted) {
      try {
        if (this.#version === undefined) await this.#list();
        await this.#watch();
        pause = pauses.first;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        if (statusOf(error) === 410) this.#version = undefined;
        await delay(pause, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
        pause = Math.min(2 * pause, pauses.longest);
      }
    }
  }

  async #list(): Promise<void> {
    const before = new Map(this.#uids);
    const { items, version } = await listPods(this.#cluster, this.#selector, this.#stopped.signal);
    for (const { metadata } of items) if (before.get(metadata.name) === metadata.uid) before.delete(metadata.name);
    for (const [name, uid] of before) this.#notify({ name, uid }, undefined);
    for (const pod of items) this.#notify(pod.metadata, pod);
    this.#version = version;
  }

  async #watch(): Promise<void> {
    const query = {
      labelSelector: this.#selector,
      resourceVersion: this.#version ?? '0',
      timeoutSeconds: `${watchSeconds.length}`,
    };
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(1000 * watchSeconds.silence)]);
    await this.#cluster.watch(this.#cluster.path('pods'), { query, signal }, (event) => this.#receive(event));
  }

  #receive({ type, object }: WatchEvent): void {
    if (type === 'ERROR') {
      // Its only remedy is a new list: the version is too old, or unknown to the API server.
      this.#version = undefined;
      return;
    }
    const pod = object as Pod;
    this.#version = pod.metadata.resourceVersion;
    if (type !== 'BOOKMARK') this.#notify(pod.metadata, type === 'DELETED' ? undefined : pod);
  }

  #notify({ name, uid }: Pick<Pod['metadata'], 'name' | 'uid'>, pod: Pod | undefined): void {
    if (pod) this.#uids.set(name, uid);
    else this.#uids.delete(name);
    for (const listener of [...this.#listeners]) listener(name, pod, uid);
  }
}

/** All Pods of a selector, in pages. */
export async function listPods(
  cluster: Cluster,
  labelSelector: string,
  signal: AbortSignal,
): Promise<{ items: Pod[]; version: string }> {
  const items: Pod[] = [];
  let next: string | undefined;
  for (;;) {
    const query = { labelSelector, limit: `${pageSize}`, ...(next ? { continue: next } : {}) };
    const page = await cluster.request<List<Pod>>('GET', cluster.path('pods'), { query, signal });
    items.push(...page.items);
    next = page.metadata.continue;
    if (!next) return { items, version: page.metadata.resourceVersion };
  }
}

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
