import { Readable } from 'node:stream';
import type { ContainerSpec, EngineContainer } from '../../ports/container-engine.ts';
import type { Cluster } from './cluster.ts';
import { statusOf } from './failures.ts';
import type { HomeStore } from './home-store.ts';
import { pack, readFromPod, restoreHome, transferTimeout, whole } from './home-transfer.ts';
import { restartInside } from './inside.ts';
import { type List, type Pod, recordOf } from './pod.ts';
import { namesOf, podLabels, uidOf } from './pod-manifest.ts';
import { halt } from './pod-scripts.ts';
import { whileRunning } from './running-homes.ts';

type StoppedRecord = Pick<Pod, 'metadata'>;

/** Nothing of the student's runs while the home is read. */
const packHalted = (limit: number): string => `${halt}\n${pack(limit)}`;

/**
 * Stopped containers. A Pod cannot be stopped: its home folder is stored, a record of it is written as a ConfigMap with the labels of
 * the Pod, and the Pod is deleted. Every process of the service sees the record. While there is a record, the container counts as
 * stopped, whether or not there is a Pod: an interrupted stop or start leaves it so.
 */
export class StoppedContainers {
  readonly #cluster: Cluster;
  readonly #homes: HomeStore;
  readonly #installation: string;

  constructor(cluster: Cluster, homes: HomeStore, installation: string) {
    this.#cluster = cluster;
    this.#homes = homes;
    this.#installation = installation;
  }

  async list(signal: AbortSignal): Promise<EngineContainer[]> {
    const query = { labelSelector: `${podLabels.installation}=${this.#installation},${podLabels.stopped}=true` };
    const { items } = await this.#cluster.request<List<StoppedRecord>>('GET', this.#path(), { query, signal });
    return items.map(recordOf);
  }

  async find(ref: string, signal: AbortSignal): Promise<StoppedRecord | undefined> {
    try {
      return await this.#cluster.request<StoppedRecord>('GET', this.#path(ref), { signal });
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** Stores the home of a running Pod and records it as stopped. @throws ConflictError if the home is too large */
  async save(pod: Pod, spec: ContainerSpec): Promise<void> {
    const signal = AbortSignal.timeout(transferTimeout);
    const script = packHalted(this.#homes.limit);
    try {
      await readFromPod(this.#cluster, pod.metadata.name, { script, signal }, ({ stream, ended }) =>
        this.#homes.save(spec.uid, Readable.from(whole(stream, ended))),
      );
    } catch (error) {
      // It keeps running.
      await restartInside(this.#cluster, pod.metadata.name, signal).catch(() => undefined);
      throw error;
    }
    const { labels = {}, annotations = {} } = pod.metadata;
    const body = {
      metadata: { name: pod.metadata.name, labels: { ...labels, [podLabels.stopped]: 'true' }, annotations },
    };
    await this.#cluster.request('POST', this.#path(), { body, signal });
  }

  /** Brings the home back into a Pod that runs. */
  async restore(ref: string, uid: string): Promise<void> {
    const signal = AbortSignal.timeout(transferTimeout);
    const home = await this.#homes.open(uid);
    if (home) await restoreHome(this.#cluster, ref, home, signal);
    await this.forget(ref, signal);
  }

  /** Renames the record. @returns false if there is none */
  async rename(ref: string, name: string, signal: AbortSignal): Promise<boolean> {
    const contentType = 'application/merge-patch+json';
    try {
      await this.#cluster.request('PATCH', this.#path(ref), { body: { metadata: namesOf(name) }, contentType, signal });
      return true;
    } catch (error) {
      if (statusOf(error) === 404) return false;
      throw error;
    }
  }

  /** Removes the record. */
  async forget(ref: string, signal: AbortSignal): Promise<void> {
    await this.#cluster.request('DELETE', this.#path(ref), { signal }).catch((error: unknown) => {
      if (statusOf(error) !== 404) throw error;
    });
  }

  /** Removes the record and the homes. */
  async remove(ref: string, signal: AbortSignal): Promise<void> {
    const uid = uidOf(ref);
    await Promise.all([this.forget(ref, signal), this.#homes.remove(uid), this.#homes.remove(whileRunning(uid))]);
  }

  #path(...parts: string[]): string {
    return this.#cluster.path('configmaps', ...parts);
  }
}
