import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContainerSpec, EngineContainer } from '../../ports/container-engine.ts';
import { execCommand } from '../engine/gate.ts';
import type { Cluster } from './cluster.ts';
import { type Exec, openExec } from './exec-stream.ts';
import { statusOf } from './failures.ts';
import type { HomeStore } from './home-store.ts';
import { restartInside } from './inside.ts';
import { type List, type Pod, recordOf } from './pod.ts';
import { namesOf, podLabels, refOf } from './pod-manifest.ts';
import { halt } from './pod-scripts.ts';

type StoppedRecord = Pick<Pod, 'metadata'>;

/** Milliseconds that the transfer of one home may take. */
const transferTimeout = 120_000;

/**
 * Nothing of the student's runs while the home is read. The end of the archive proves that it is complete, whatever tar reports about
 * a file that it could not read.
 */
const pack = (limit: number): string =>
  `${halt}\n/.grader/bin/busybox tar -cf - -C /home/student . 2>/dev/null | /.grader/bin/busybox head -c ${limit + 1}`;

/** The input cannot be closed, so its length is known before. */
const unpack = (bytes: number): string =>
  `set -o pipefail\n/.grader/bin/busybox head -c ${bytes} | /.grader/bin/busybox tar -xpf - -C /home/student`;

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

  /** Stores the home of a running Pod and records it as stopped. @throws Conflict if the home is too large */
  async save(pod: Pod, spec: ContainerSpec): Promise<void> {
    const signal = AbortSignal.timeout(transferTimeout);
    const command = execCommand(pack(this.#homes.limit));
    const { stream, ended } = await openExec(this.#cluster, pod.metadata.name, { command, hasInput: false, signal });
    const giveUp = () => stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await this.#homes.save(spec.uid, Readable.from(whole(stream, ended)));
    } catch (error) {
      // It keeps running.
      await restartInside(this.#cluster, pod.metadata.name, signal).catch(() => undefined);
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
      stream.destroy();
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
    if (home) {
      const command = execCommand(unpack(home.bytes));
      const { stream, ended } = await openExec(this.#cluster, ref, { command, hasInput: true, signal });
      stream.resume();
      try {
        await pipeline(home.content, stream, { signal, end: false });
        const giveUp = () => stream.destroy(signal.reason as Error);
        signal.addEventListener('abort', giveUp, { once: true });
        const end = await ended;
        if (!end || !('code' in end) || end.code !== 0) {
          throw new Error('the home folder could not be restored', { cause: end });
        }
      } finally {
        stream.destroy();
      }
    }
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

  /** Removes the record and the home. */
  async remove(ref: string, signal: AbortSignal): Promise<void> {
    await this.forget(ref, signal);
    await this.#homes.remove(ref.slice(refOf('').length));
  }

  #path(...parts: string[]): string {
    return this.#cluster.path('configmaps', ...parts);
  }
}

/** The archive, which must end as archives do: with two blocks of zeros. */
async function* whole(stream: Duplex, ended: Exec['ended']): AsyncGenerator<Buffer> {
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    last = Buffer.concat([last, chunk]).subarray(-1024);
    yield chunk;
  }
  const end = await ended;
  if (!end || !('code' in end) || last.length < 1024 || last.some((byte) => byte !== 0)) {
    throw new Error('the home folder could not be read completely', { cause: end });
  }
}
