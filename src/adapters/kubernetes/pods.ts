import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { Cluster } from './cluster.ts';
import { PodError, statusOf } from './failures.ts';
import { type Pod, stateOf } from './pod.ts';
import type { PodWatch } from './pod-watch.ts';

/** Milliseconds that a Pod may be without a node. A Pod that was just deleted frees its room within that time. */
const roomPatience = 3000;

type Manifest = { metadata: { name: string } };

/** Creates, reads and deletes Pods. The watch reports what happens to them afterwards. */
export class Pods {
  readonly #cluster: Cluster;
  readonly #watch: PodWatch;

  constructor(cluster: Cluster, watch: PodWatch) {
    this.#cluster = cluster;
    this.#watch = watch;
  }

  /** @returns undefined if it does not exist or is being deleted */
  async find(name: string, signal: AbortSignal): Promise<Pod | undefined> {
    try {
      const pod = await this.#cluster.request<Pod>('GET', this.#cluster.path('pods', name), { signal });
      return pod.metadata.deletionTimestamp === undefined ? pod : undefined;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** Creates a Pod and waits until it runs, see `follow`. */
  async start(manifest: Manifest, signal: AbortSignal): Promise<void> {
    await this.follow(manifest, signal, (pod) => {
      const state = stateOf(pod);
      if (state.kind === 'ended') throw state.failure;
      return state.kind === 'running' || undefined;
    });
  }

  /**
   * Creates a Pod and waits until the judgement of one of its states has a value. A Pod of the same name that is being deleted is waited
   * for. A failure leaves nothing. A Pod that somebody deletes before, or that no node has room for, is a failure.
   * @throws PodError, ApiError, the signal's reason, what the judgement throws
   */
  async follow<Value>(manifest: Manifest, signal: AbortSignal, judge: (pod: Pod) => Value | undefined): Promise<Value> {
    const { name } = manifest.metadata;
    const created = Promise.withResolvers<string>();
    const judged = this.#untilJudged(name, created.promise, signal, judge);
    judged.catch(() => undefined);
    try {
      created.resolve(await this.create(manifest, signal));
      return await judged;
    } catch (error) {
      await this.delete(name, AbortSignal.timeout(10_000)).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Creates a Pod. One of the same name that is being deleted is waited for.
   * @returns its uid
   * @throws ApiError, the signal's reason
   */
  async create(manifest: Manifest, signal: AbortSignal): Promise<string> {
    const { name } = manifest.metadata;
    const post = async () => {
      const path = this.#cluster.path('pods');
      const pod = await this.#cluster.request<Pod>('POST', path, { body: manifest, signal });
      return pod.metadata.uid;
    };
    const gone = this.#until(name, signal, (pod) => pod === undefined || undefined);
    gone.catch(() => undefined);
    try {
      return await post();
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      await gone;
      return await post();
    }
  }

  /**
   * Deletes a Pod at once, without waiting for its kubelet, which can take half a minute: its name and its share of a quota are free
   * immediately. The kubelet ends the processes within a second or two. Deleting a missing one succeeds.
   */
  async delete(name: string, signal: AbortSignal): Promise<void> {
    const body = { gracePeriodSeconds: 0 };
    await this.#cluster
      .request('DELETE', this.#cluster.path('pods', name), { body, signal })
      .catch((error: unknown) => {
        if (statusOf(error) !== 404) throw error;
      });
  }

  /** @param created its uid, as soon as the API server has created it. One that had its name before does not count */
  async #untilJudged<Value>(
    name: string,
    created: Promise<string>,
    signal: AbortSignal,
    judge: (pod: Pod) => Value | undefined,
  ): Promise<Value> {
    let isFull = false;
    const full = Promise.withResolvers<never>();
    full.promise.catch(() => undefined);
    const judgeRoom = (pod: Pod | undefined): Value | undefined => {
      if (!pod) throw removed();
      const state = stateOf(pod);
      if (state.kind === 'full' && !isFull) {
        isFull = true;
        void delay(roomPatience, undefined, { ref: false }).then(() => isFull && full.reject(noRoom()));
      }
      if (state.kind === 'starting') isFull = false;
      return judge(pod);
    };
    return await Promise.race([this.#until(name, signal, judgeRoom, created), full.promise]);
  }

  /** Waits until the watch reports a Pod for which the judgement has a value. @param only the uid of the Pod, if others do not count */
  async #until<Value>(
    name: string,
    signal: AbortSignal,
    judge: (pod: Pod | undefined) => Value | undefined,
    only?: Promise<string>,
  ): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    const receive = (pod: Pod | undefined) => {
      try {
        const value = judge(pod);
        if (value !== undefined) resolve(value);
      } catch (error) {
        reject(error);
      }
    };
    const stop = this.#watch.listen((changed, pod, uid) => {
      if (changed !== name) return;
      // Events that arrive before the uid is known are judged after it, in their order.
      if (only) void only.then((own) => uid === own && receive(pod));
      else receive(pod);
    });
    try {
      return await promise;
    } finally {
      stop();
      signal.removeEventListener('abort', giveUp);
    }
  }
}

const removed = () =>
  new PodError(
    new UnavailableError('engine_unavailable', 'The container was removed before it ran', { retryAfter: 15 }),
  );

const noRoom = () =>
  new PodError(
    new UnavailableError('no_capacity', 'The cluster has no room for another container; try again later', {
      retryAfter: 30,
    }),
  );
