import type { Duplex } from 'node:stream';
import type { OpenedCommand } from '../../../packages/ssh/container-shell.ts';
import {
  type ContainerEngine,
  ContainerNotRunningError,
  type ContainerSpec,
  type EngineContainer,
  type EngineFacts,
  type HomeKeeper,
  NoSuchContainerError,
} from '../../ports/container-engine.ts';
import { isSudoGranted } from '../engine/container-facts.ts';
import { EngineCalls } from '../engine/engine-calls.ts';
import { connectCommand, execCommand } from '../engine/gate.ts';
import type { Internet } from '../engine/internet.ts';
import type { Cluster } from './cluster.ts';
import { ClusterImages } from './cluster-images.ts';
import { type ExecEnd, openExec } from './exec-stream.ts';
import { kubernetesFailures, statusOf, transferError } from './failures.ts';
import type { HomeStore } from './home-store.ts';
import type { ImageList } from './image-facts.ts';
import {
  askInside,
  changedBytes,
  changedPaths,
  countUpTo,
  exhaustion,
  type NumbersInsideParts,
  numbersInside,
  restartInside,
} from './inside.ts';
import { ensureNetworkPolicies } from './network-policies.ts';
import { containerOf, isLost, isNodeLost, recordOf, startOf, stateOf } from './pod.ts';
import { namesOf, type Placement, podLabels, podManifest, refOf, specOf } from './pod-manifest.ts';
import { execLimits } from './pod-scripts.ts';
import { listPods, PodLosses, PodWatch } from './pod-watch.ts';
import { Pods } from './pods.ts';
import { RunningHomes } from './running-homes.ts';
import { StoppedContainers } from './stopped-containers.ts';

export type KubernetesEngineOptions = {
  cluster: Cluster;
  /** Distinguishes the containers of this installation from all others in the namespace. */
  installation: string;
  /** Milliseconds that one call may take. */
  callTimeout: number;
  internet: Internet;
  placement: Placement;
  images: ImageList;
  /** The identifier of the added image that a name stands for. Undefined: the name was not added. */
  pinned?: ((name: string) => Promise<string | undefined>) | undefined;
  homes: HomeStore;
};

/** Containers as Pods of a Kubernetes cluster. A container's reference is the name of its Pod. */
export class KubernetesEngine implements ContainerEngine {
  readonly homes: HomeKeeper;
  readonly images: ClusterImages;
  readonly #options: KubernetesEngineOptions;
  readonly #cluster: Cluster;
  readonly #calls: EngineCalls;
  /** Of all Pods of the installation, and of those that are containers. */
  readonly #selector: string;
  readonly #containers: string;
  readonly #watch: PodWatch;
  readonly #pods: Pods;
  readonly #stopped: StoppedContainers;
  readonly #streams: PodStreams;
  readonly #losses: PodLosses;
  #policies: Promise<void> | undefined;

  constructor(options: KubernetesEngineOptions) {
    const { cluster, installation, callTimeout, homes } = options;
    this.#options = options;
    this.#cluster = cluster;
    this.#calls = new EngineCalls(callTimeout, kubernetesFailures);
    this.#selector = `${podLabels.installation}=${installation}`;
    this.#containers = `${this.#selector},${podLabels.uid}`;
    this.#watch = new PodWatch(cluster, this.#selector);
    this.#losses = new PodLosses(this.#watch);
    this.#streams = new PodStreams(this.#watch);
    this.#pods = new Pods(cluster, this.#watch);
    this.#stopped = new StoppedContainers(cluster, homes, installation);
    this.images = new ClusterImages({
      ...{ cluster, pods: this.#pods, closeNetwork: (signal) => this.#closeNetwork(signal) },
      place: { ...options.placement, installation, internet: options.internet },
    });
    this.homes = homeKeeper({
      ...{ engine: this, homes: new RunningHomes(cluster, homes), losses: this.#losses },
      checkRunning: async (ref) => void (await this.#run(ref, (signal) => this.#running(ref, signal))),
    });
  }

  problem(): string | undefined {
    return this.#calls.problem;
  }

  async probe(): Promise<void> {
    const query = { labelSelector: this.#selector, limit: '1' };
    await this.#run('engine', (signal) => this.#cluster.request('GET', this.#cluster.path('pods'), { query, signal }));
  }

  async about(): Promise<EngineFacts> {
    const { gitVersion } = await this.#run('engine', (signal) =>
      this.#cluster.request<{ gitVersion: string }>('GET', '/version', { signal }),
    );
    return { name: 'Kubernetes', version: gitVersion };
  }

  async create(spec: ContainerSpec): Promise<string> {
    return await this.#run(spec.name, async (signal) => await this.#start(spec, signal));
  }

  async start(ref: string): Promise<void> {
    const [pod, record] = await this.#run(ref, (signal) =>
      Promise.all([this.#pods.find(ref, signal), this.#stopped.find(ref, signal)]),
    );
    if (!record) {
      if (pod && !isLost(pod)) return;
      throw new NoSuchContainerError(ref);
    }
    const spec = specOf(record.metadata.annotations);
    if (!spec) throw new NoSuchContainerError(ref);
    await this.#run(ref, async (signal) => {
      // What an interrupted stop or start has left.
      if (pod) await this.#pods.delete(ref, signal);
      await this.#start({ ...spec, name: containerOf(record).name }, signal);
    });
    try {
      await this.#stopped.restore(ref, spec.uid);
    } catch (error) {
      await this.#run(ref, (signal) => this.#pods.delete(ref, signal)).catch(() => undefined);
      throw transferError(error, ref);
    }
  }

  /** Kubernetes cannot freeze a Pod. Its processes continue. */
  async freeze(): Promise<void> {}

  async settle(): Promise<void> {}

  async stop(ref: string): Promise<void> {
    const [pod, record] = await this.#run(ref, (signal) =>
      Promise.all([this.#pods.find(ref, signal), this.#stopped.find(ref, signal)]),
    );
    if (!record) {
      const spec = specOf(pod?.metadata.annotations);
      if (!pod || !spec || isLost(pod)) throw new NoSuchContainerError(ref);
      await this.#stopped.save(pod, spec);
    }
    if (pod) await this.#run(ref, (signal) => this.#pods.delete(ref, signal));
  }

  async restart(ref: string): Promise<void> {
    await this.#run(ref, async (signal) => {
      await this.#running(ref, signal);
      await restartInside(this.#cluster, ref, signal);
    });
  }

  async remove(ref: string): Promise<void> {
    await this.#run(ref, (signal) => Promise.all([this.#pods.delete(ref, signal), this.#stopped.remove(ref, signal)]));
  }

  async rename(ref: string, name: string): Promise<void> {
    await this.#run(ref, async (signal) => {
      for (let count = 1; ; count += 1) {
        const pod = await this.#pods.find(ref, signal);
        // A warm container on a node that does not answer is of no use to an attempt.
        if (!pod || stateOf(pod).kind === 'ended' || isNodeLost(pod)) {
          if (await this.#stopped.rename(ref, name, signal)) return;
          throw new NoSuchContainerError(ref);
        }
        const { labels, annotations } = namesOf(name);
        // The version proves that it has not ended since it was read.
        const body = { metadata: { resourceVersion: pod.metadata.resourceVersion, labels, annotations } };
        const contentType = 'application/merge-patch+json';
        try {
          await this.#cluster.request('PATCH', this.#cluster.path('pods', ref), { body, contentType, signal });
          return;
        } catch (error) {
          if (statusOf(error) !== 409 || count === 5) throw error;
        }
      }
    });
  }

  async inspect(ref: string): Promise<EngineContainer | undefined> {
    return await this.#run(ref, async (signal) => {
      const [pod, record] = await Promise.all([this.#pods.find(ref, signal), this.#stopped.find(ref, signal)]);
      if (record) return recordOf(record);
      // What has ended never runs again, and its files are lost.
      return pod && !isLost(pod) ? containerOf(pod) : undefined;
    });
  }

  async list(): Promise<EngineContainer[]> {
    return await this.#run('list', async (signal) => {
      // Pods first: a container that is stopped in between is in both.
      const { items } = await listPods(this.#cluster, this.#containers, signal);
      const stopped = await this.#stopped.list(signal);
      const recorded = new Set(stopped.map(({ ref }) => ref));
      // The Pods of a lost node that the cluster deletes stay until the node is back. They are listed, so that they are removed.
      const others = items.filter(({ metadata }) => !recorded.has(metadata.name));
      return [...others.map(containerOf), ...stopped];
    });
  }

  async openSshStream(ref: string, isForChecks = false): Promise<Duplex> {
    return (await this.openCommand(ref, connectCommand(isForChecks))).stream;
  }

  async openCommand(ref: string, script: string): Promise<OpenedCommand> {
    const command = execCommand(`${execLimits}\n${script}`);
    return await this.#run(ref, async (signal) => {
      try {
        const { stream, ended } = await openExec(this.#cluster, ref, { command, hasInput: true, signal });
        // The response arrived after the caller stopped waiting.
        if (signal.aborted) stream.destroy();
        this.#streams.add(ref, stream);
        return { stream, exitCode: async () => codeOf(await ended) };
      } catch (error) {
        // The API server's answer does not tell why a command cannot run.
        if (statusOf(error) === undefined) throw error;
        await this.#running(ref, signal);
        throw error;
      }
    });
  }

  /** Each node resolves names by itself, but those of added images. */
  async imageId(image: string): Promise<string | undefined> {
    const imageId = await this.#options.pinned?.(image);
    if (imageId !== undefined) await this.#run(image, (signal) => this.images.facts(imageId, signal));
    return imageId;
  }

  async grantsRoot(image: string): Promise<boolean> {
    const imageId = (await this.#options.pinned?.(image)) ?? (image.includes('@') ? image : undefined);
    return isSudoGranted(await this.#run(image, (signal) => this.#factsOf({ image, imageId }, signal)));
  }

  async isExhausted(ref: string): Promise<boolean> {
    return await this.#run(ref, async (signal) => {
      await this.#running(ref, signal);
      try {
        return (await askInside(this.#cluster, ref, { script: exhaustion, signal })).startsWith('exhausted');
      } catch (error) {
        // The kubelet cannot run the command. If the container still runs, it has no process free.
        await this.#running(ref, signal);
        if (statusOf(error) !== undefined && statusOf(error) !== 500) throw error;
        return true;
      }
    });
  }

  async changedFiles(ref: string): Promise<string[]> {
    return await this.#run(ref, async (signal) => {
      const start = await this.#running(ref, signal);
      const output = await askInside(this.#cluster, ref, { script: changedPaths(start), signal });
      return output.split('\n').filter((path) => path.startsWith('/'));
    });
  }

  /** One number cannot describe the storage of several nodes. */
  async filesInUse(): Promise<undefined> {
    return undefined;
  }

  async fileCounts(most: number): Promise<{ ref: string; files: number | undefined }[]> {
    const counts = await this.#numbers(() => countUpTo(most));
    return counts.map(({ ref, number }) => ({ ref, files: number }));
  }

  async layerSizes(): Promise<{ ref: string; bytes: number }[]> {
    const sizes = await this.#numbers(changedBytes);
    return sizes.flatMap(({ ref, number }) => (number === undefined ? [] : [{ ref, bytes: number }]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#streams[Symbol.dispose]();
    this.#losses[Symbol.dispose]();
    await this.#watch[Symbol.asyncDispose]();
    this.#cluster[Symbol.dispose]();
  }

  /** Limits the time of a call. Its signal ends the requests that are under way. */
  async #run<Result>(ref: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const givenUp = new AbortController();
    try {
      return await this.#calls.run(ref, () => work(givenUp.signal));
    } catch (error) {
      givenUp.abort(error);
      throw error;
    }
  }

  async #start(spec: ContainerSpec, signal: AbortSignal): Promise<string> {
    const { installation, internet, placement } = this.#options;
    const image = await this.#factsOf(spec, signal);
    await this.#closeNetwork(signal);
    await this.#pods.start(podManifest(spec, image, { ...placement, installation, internet }), signal);
    return refOf(spec.uid);
  }

  async #closeNetwork(signal: AbortSignal): Promise<void> {
    const { installation, internet } = this.#options;
    this.#policies ??= ensureNetworkPolicies(this.#cluster, installation, internet, signal);
    await this.#policies.catch((error: unknown) => {
      this.#policies = undefined;
      throw error;
    });
  }

  async #factsOf({ image, imageId }: Pick<ContainerSpec, 'image' | 'imageId'>, signal: AbortSignal) {
    return imageId === undefined ? this.#options.images.get(image) : await this.images.facts(imageId, signal);
  }

  /** @returns when the container started. @throws NoSuchContainerError, ContainerNotRunningError */
  async #running(ref: string, signal: AbortSignal): Promise<Date> {
    const pod = await this.#pods.find(ref, signal);
    const start = pod && startOf(pod);
    if (start && stateOf(pod).kind === 'running' && !isNodeLost(pod)) return start;
    const isThere = (pod && !isLost(pod)) || (await this.#stopped.find(ref, signal)) !== undefined;
    throw isThere ? new ContainerNotRunningError(ref) : new NoSuchContainerError(ref);
  }

  async #numbers(script: (start: Date) => string): Promise<{ ref: string; number: number | undefined }[]> {
    const parts: NumbersInsideParts = {
      cluster: this.#cluster,
      list: async () => {
        const { items } = await this.#run('list', (signal) => listPods(this.#cluster, this.#containers, signal));
        return items;
      },
      probe: () => this.probe(),
      timeout: this.#options.callTimeout / 3,
    };
    return await numbersInside(parts, script);
  }
}

const codeOf = (end: ExecEnd | undefined): number | undefined => (end && 'code' in end ? end.code : undefined);

type HomeKeeperParts = {
  engine: Pick<ContainerEngine, 'create' | 'remove'>;
  homes: RunningHomes;
  losses: PodLosses;
  /** @throws NoSuchContainerError, ContainerNotRunningError, UnavailableError */
  checkRunning: (ref: string) => Promise<void>;
};

/** Saves the homes of running containers, and replaces containers that are lost with their node. */
function homeKeeper({ engine, homes, losses, checkRunning }: HomeKeeperParts): HomeKeeper {
  return {
    onLost: (listener) => losses.listen(listener),
    save: async (ref, mark) => {
      // A node that is lost answers no command, and the API server waits long for it.
      await checkRunning(ref);
      return await homes.save(ref, mark).catch((error: unknown) => Promise.reject(transferError(error, ref)));
    },
    replace: async (lostRef, spec) => {
      const ref = await engine.create(spec);
      try {
        return { ref, hasHome: await homes.restore(lostRef, ref) };
      } catch (error) {
        await engine.remove(ref).catch(() => undefined);
        throw transferError(error, ref);
      }
    },
    forget: (uid) => homes.forget(uid),
    saved: () => homes.saved(),
  };
}

/** Ends the open streams into a Pod when it ends: a node that is lost does not close its connections. */
class PodStreams implements Disposable {
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
