import { UnavailableError } from '../../errors.ts';
import { ImagePullError, type ImageSource, type PullOptions } from '../../ports/container-engine.ts';
import { registryOf } from '../../values/image-problems.ts';
import type { ImageFacts } from '../engine/container-facts.ts';
import { lacksOf, problemOfPull, pullPatience } from '../engine/image-examination.ts';
import type { Cluster } from './cluster.ts';
import { PodError, statusOf, transferError } from './failures.ts';
import { brokenReasons, imageReasons, type Pod, stateOf } from './pod.ts';
import { examinationPod, imageRecord, mainContainer, type PodPlace, podLabels } from './pod-manifest.ts';
import type { Pods } from './pods.ts';
import { readImage } from './registry.ts';

export type ClusterImagesParts = {
  cluster: Cluster;
  pods: Pods;
  place: PodPlace;
  /** Closes the network of the Pods to come. */
  closeNetwork: (signal: AbortSignal) => Promise<void>;
};

/** Milliseconds that an examination may take once its container runs. */
const examinationPatience = 60_000;
/** Percent when a node begins to pull: the cluster does not tell more. */
const begunPercent = 10;
/** Facts that are kept in memory. */
const maxFacts = 500;

/**
 * Images of registries on a cluster. The service asks the registry for the digest, one node pulls that for the examination, and the others
 * with the first Pod there. What Pods need to know of an image is in a ConfigMap, its credential in a Secret that the service cannot read.
 * The identifier of an image is its reference with its digest. Only one process pulls at a time.
 */
export class ClusterImages implements ImageSource {
  readonly #parts: ClusterImagesParts;
  /** What an identifier stands for never changes. */
  readonly #facts = new Map<string, ImageFacts>();

  constructor(parts: ClusterImagesParts) {
    this.#parts = parts;
  }

  async pull(reference: string, { credential, signal, onFound, onProgress }: PullOptions) {
    const timeout = AbortSignal.timeout(pullPatience);
    const both = AbortSignal.any([signal, timeout]);
    try {
      const { digest, facts } = await readImage(reference, { credential, signal: both });
      const imageId = reference.includes('@') ? reference : `${reference}@${digest}`;
      await onFound(imageId);
      await this.#keep(imageId, facts, credential, both);
      onProgress(begunPercent);
      const output = await this.#examine(imageId, both, () => onProgress(100));
      return { imageId, digest, lacks: lacksOf(output, facts.command) };
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new ImagePullError('pull_timeout');
      throw error instanceof ImagePullError ? error : transferError(error, reference);
    }
  }

  async remove(imageId: string): Promise<boolean> {
    this.#facts.delete(imageId);
    const name = imageRecord(imageId, this.#parts.place);
    const signal = AbortSignal.timeout(10_000);
    const gone = ['secrets', 'configmaps'].map((kind) => this.#delete(kind, name, signal));
    return (await Promise.allSettled(gone)).every(({ status }) => status === 'fulfilled');
  }

  /** @throws PodError if there is no such image, ApiError */
  async facts(imageId: string, signal: AbortSignal): Promise<ImageFacts> {
    const known = this.#facts.get(imageId);
    if (known) return known;
    const { cluster, place } = this.#parts;
    const path = cluster.path('configmaps', imageRecord(imageId, place));
    try {
      const { data } = await cluster.request<{ data: { facts: string } }>('GET', path, { signal });
      const facts = JSON.parse(data.facts) as ImageFacts;
      if (this.#facts.size >= maxFacts) this.#facts.clear();
      this.#facts.set(imageId, facts);
      return facts;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      const cause = `${imageId} was not pulled, or was removed`;
      throw new PodError(
        new UnavailableError('image_missing', 'The container image does not exist', { retryAfter: 60, cause }),
      );
    }
  }

  /** The Secret is not patched: the answer to a patch has its values, and the service has no right to read them. */
  async #keep(imageId: string, facts: ImageFacts, credential: PullOptions['credential'], signal: AbortSignal) {
    const { cluster, place } = this.#parts;
    const name = imageRecord(imageId, place);
    const metadata = { name, labels: { [podLabels.installation]: place.installation } };
    const secret = { metadata, type: 'kubernetes.io/dockerconfigjson' };
    const stringData = { '.dockerconfigjson': JSON.stringify({ auths: authsOf(imageId, credential) }) };
    await this.#delete('secrets', name, signal);
    await cluster.request('POST', cluster.path('secrets'), { body: { ...secret, stringData }, signal });
    const body = { metadata, data: { image: imageId, facts: JSON.stringify(facts) } };
    await cluster.request('POST', cluster.path('configmaps'), { body, signal }).catch((error: unknown) => {
      // It has the same facts.
      if (statusOf(error) !== 409) throw error;
    });
  }

  /** @returns the output of the examination */
  async #examine(imageId: string, signal: AbortSignal, onPulled: () => void): Promise<string> {
    const { pods, place, closeNetwork } = this.#parts;
    await closeNetwork(signal);
    const manifest = examinationPod(imageId, place);
    const overdue = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const onRunning = (): void => {
      if (timer) return;
      onPulled();
      timer = setTimeout(() => overdue.abort(new ImagePullError('pull_failed')), examinationPatience);
    };
    try {
      // What a process that was killed has left.
      await pods.delete(manifest.metadata.name, signal);
      const both = AbortSignal.any([signal, overdue.signal]);
      return await pods.follow(manifest, both, (pod) => outputOf(pod, onRunning));
    } finally {
      clearTimeout(timer);
      await pods.delete(manifest.metadata.name, AbortSignal.timeout(10_000)).catch(() => undefined);
    }
  }

  async #delete(kind: string, name: string, signal: AbortSignal): Promise<void> {
    const { cluster } = this.#parts;
    await cluster.request('DELETE', cluster.path(kind, name), { signal }).catch((error: unknown) => {
      if (statusOf(error) !== 404) throw error;
    });
  }
}

/** The entry of Docker Hub has the name that clients have always given it. */
function authsOf(imageId: string, credential: PullOptions['credential']): object {
  if (!credential) return {};
  const registry = registryOf(imageId).replace(/^(index\.)?docker\.io$/, 'https://index.docker.io/v1/');
  return {
    [registry]: {
      ...credential,
      auth: Buffer.from(`${credential.username}:${credential.password}`).toString('base64'),
    },
  };
}

/** Of the Pod of an examination, as soon as that has ended. @throws ImagePullError, PodError */
function outputOf(pod: Pod, onRunning: () => void): string | undefined {
  const main = pod.status?.containerStatuses?.find(({ name }) => name === mainContainer);
  const { waiting, running, terminated } = main?.state ?? {};
  const { reason = '', message = '' } = waiting ?? {};
  if (reason === 'InvalidImageName') throw new ImagePullError('reference_unknown');
  if (imageReasons.includes(reason)) throw new ImagePullError(problemOfPull(message));
  if (running || terminated) onRunning();
  if (terminated?.exitCode === 0) return terminated.message ?? '';
  const state = stateOf(pod);
  if (state.kind !== 'ended') return undefined;
  // What somebody has deleted, or a node has evicted, is not the image's fault.
  const isOthers = pod.metadata.deletionTimestamp !== undefined || state.failure.meaning.code === 'no_capacity';
  throw !isOthers && (terminated || brokenReasons.includes(reason)) ? new ImagePullError('pull_failed') : state.failure;
}
