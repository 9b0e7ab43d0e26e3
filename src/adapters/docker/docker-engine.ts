import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { OpenedCommand } from '../../../packages/ssh/container-shell.ts';
import { UnavailableError } from '../../errors.ts';
import {
  type ContainerEngine,
  ContainerNotRunningError,
  type ContainerSpec,
  type EngineContainer,
  type EngineFacts,
  type ImageSource,
} from '../../ports/container-engine.ts';
import { isSudoGranted, labels, withoutCapabilities } from '../engine/container-facts.ts';
import { EngineCalls } from '../engine/engine-calls.ts';
import { connectCommand, limitOpenFiles } from '../engine/gate.ts';
import { defaultInternet, type Internet } from '../engine/internet.ts';
import { execOptions } from './ask-container.ts';
import { confineNetwork, EngineAddresses, internetNetwork } from './confined-network.ts';
import { containerOptions, filtersOf } from './container-options.ts';
import { demultiplex } from './demultiplex.ts';
import { DockerImages } from './docker-images.ts';
import { EngineFixtures } from './engine-fixtures.ts';
import { ExecStarts } from './exec-starts.ts';
import { isExhausted } from './exhaustion.ts';
import {
  dockerFailures,
  isBrokenInside,
  isFreezeGivenUp,
  isFrozen,
  isNameTaken,
  isNotFrozen,
  isUnsupportedDiskLimit,
  statusOf,
} from './failures.ts';
import { readFileCounts, readFilesInUse } from './file-counts.ts';
import { hostsFile, isHostsFileChanged } from './hosts-file.ts';

export type DockerEngineOptions = {
  docker: Docker;
  /** Distinguishes the containers of this installation from all others on the engine. */
  installation: string;
  /** Milliseconds that one call may take. */
  callTimeout: number;
  /** For containers with internet; public resolvers and the networks that are always blocked by default. */
  internet?: Internet;
  /** The identifier of the image that a name stands for, in place of the one that the engine has under it. Undefined: the engine's. */
  pinned?: ((name: string) => Promise<string | undefined>) | undefined;
  /** The OCI runtime of the containers; the engine's default without one. */
  runtime?: string | undefined;
};

/** Containers on a Docker Engine, or on Podman, whose socket speaks the same API (version 1.41). */
export class DockerEngine implements ContainerEngine {
  readonly images: ImageSource;
  readonly #docker: Docker;
  readonly #installation: string;
  readonly #callTimeout: number;
  readonly #internet: Internet;
  readonly #runtime: string | undefined;
  readonly #pinned: (name: string) => Promise<string | undefined>;
  readonly #addresses: EngineAddresses;
  readonly #calls: EngineCalls;
  readonly #fixtures: EngineFixtures;
  readonly #starts = new ExecStarts();
  #canLimitDisk = true;

  constructor(options: DockerEngineOptions) {
    this.#docker = options.docker;
    this.#installation = options.installation;
    this.#callTimeout = options.callTimeout;
    this.#addresses = new EngineAddresses(options.docker);
    this.#calls = new EngineCalls(options.callTimeout, dockerFailures);
    this.#fixtures = new EngineFixtures(options.docker);
    this.#internet = options.internet ?? defaultInternet;
    this.#runtime = options.runtime;
    this.#pinned = options.pinned ?? (async () => undefined);
    this.images = new DockerImages(options.docker, this.#fixtures);
  }

  problem(): string | undefined {
    return this.#calls.problem;
  }

  async probe(): Promise<void> {
    await this.#calls.run('engine', () => this.#docker.ping());
  }

  async about(): Promise<EngineFacts> {
    const { Platform, Version } = await this.#calls.run('engine', () => this.#docker.version());
    // Podman reports its name here. An engine that reports none is Docker.
    return { name: Platform?.Name || 'Docker Engine', version: Version };
  }

  async create(spec: ContainerSpec): Promise<string> {
    const isAdded = (await this.#pinned(spec.image)) !== undefined;
    return await this.#calls.run(spec.name, async () => {
      const container = await this.#createStopped(spec, isAdded);
      try {
        await container.start();
        if (spec.hasInternet) await this.#confine(container.id);
        return container.id;
      } catch (error) {
        await container.remove({ force: true, v: true }).catch(() => undefined);
        throw error;
      }
    });
  }

  async start(ref: string): Promise<void> {
    await this.#calls.run(ref, async () => {
      const container = this.#docker.getContainer(ref);
      await container.start().catch(async (error: unknown) => {
        if (isBrokenInside(error)) throw new ContainerNotRunningError(ref);
        if (isFrozen(error)) return await this.#thaw(ref);
        if (statusOf(error) !== 304) throw error;
      });
      // Each start creates a new network namespace.
      const { NetworkSettings } = await container.inspect();
      if (!Object.hasOwn(NetworkSettings.Networks, internetNetwork)) return;
      try {
        await this.#confine(ref);
      } catch (error) {
        await container.stop({ t: 2 }).catch(() => undefined);
        throw error;
      }
    });
  }

  async freeze(ref: string): Promise<void> {
    const pause = async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return void (await this.#docker.getContainer(ref).pause());
        } catch (error) {
          if (isFrozen(error)) return;
          if (attempt === maxFreezes || !isFreezeGivenUp(error)) throw error;
        }
      }
    };
    await this.#calls.run(ref, () => this.#starts.freeze(ref, pause));
  }

  async settle(refs: readonly string[]): Promise<void> {
    await this.#starts.settle(refs);
  }

  async stop(ref: string): Promise<void> {
    await this.#calls.run(ref, () => this.#docker.getContainer(ref).stop({ t: 2 }), [304]);
  }

  async restart(ref: string): Promise<void> {
    await this.stop(ref);
    await this.start(ref);
  }

  async remove(ref: string): Promise<void> {
    // 404: removed; 409: another removal is in progress.
    await this.#calls.run(ref, () => this.#docker.getContainer(ref).remove({ force: true, v: true }), [404, 409]);
  }

  async rename(ref: string, name: string): Promise<void> {
    await this.#calls.run(ref, () => this.#docker.getContainer(ref).rename({ name }));
  }

  async inspect(ref: string): Promise<EngineContainer | undefined> {
    return await this.#calls.run(ref, async () => {
      const { Id, Name, Created, State, Config } = await this.#docker.getContainer(ref).inspect();
      const uid = Config.Labels[labels.uid] ?? '';
      const { Running: isRunning, Paused } = State;
      const is = { isRunning, isFrozen: isRunning && Paused };
      return { ref: Id, uid, name: Name.slice(1), ...is, createdAt: new Date(Created) };
    }, [404]);
  }

  async list(): Promise<EngineContainer[]> {
    const filters = filtersOf(this.#installation);
    const rows = await this.#calls.run('list', () => this.#docker.listContainers({ all: true, filters }));
    return rows.map((row) => ({
      ref: row.Id,
      uid: row.Labels[labels.uid] ?? '',
      name: (row.Names[0] ?? '/').slice(1),
      isRunning: row.State === 'running' || row.State === 'paused',
      isFrozen: row.State === 'paused',
      createdAt: new Date(row.Created * 1000),
    }));
  }

  async openSshStream(ref: string, isForChecks = false): Promise<Duplex> {
    return (await this.openCommand(ref, connectCommand(isForChecks))).stream;
  }

  async openCommand(ref: string, script: string): Promise<OpenedCommand> {
    const givenUp = new AbortController();
    const abortSignal = givenUp.signal;
    const open = async (report: (raw: Duplex) => void): Promise<OpenedCommand> => {
      const exec = await this.#docker.getContainer(ref).exec({
        ...execOptions(`${limitOpenFiles}\n${script}`),
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        abortSignal,
      });
      const raw = await exec.start({ hijack: true, stdin: true, abortSignal });
      // The response arrived after the caller stopped waiting.
      if (abortSignal.aborted) raw.destroy();
      const stream = demultiplex(raw);
      report(raw);
      return { stream, exitCode: () => exitCodeOf(exec) };
    };
    try {
      return await this.#calls.run(ref, () => this.#starts.start(ref, open));
    } catch (error) {
      givenUp.abort();
      throw error;
    }
  }

  async imageId(image: string): Promise<string> {
    const pinned = await this.#pinned(image);
    if (pinned === undefined) return await this.#calls.run(image, () => this.#fixtures.imageId(image));
    await this.#calls.run(image, () => this.#fixtures.image(pinned));
    return pinned;
  }

  async grantsRoot(image: string): Promise<boolean> {
    const name = (await this.#pinned(image)) ?? image;
    const facts = await this.#calls.run(image, () => this.#fixtures.image(name));
    return isSudoGranted(facts);
  }

  async isExhausted(ref: string): Promise<boolean> {
    return await this.#calls.run(ref, () => isExhausted(this.#docker, ref));
  }

  async changedFiles(ref: string): Promise<string[]> {
    return await this.#calls.run(ref, async () => {
      // A container that does not answer must not block the engine's own list.
      const isChanged = isHostsFileChanged(this.#docker, ref, this.#callTimeout / 3).catch(() => false);
      const changed = await readChangedFiles(this.#docker, ref, AbortSignal.timeout(this.#callTimeout));
      // Some engines list this file for every container, because they created it.
      const others = changed.filter((path) => path !== hostsFile);
      return (await isChanged) ? [hostsFile, ...others] : others;
    });
  }

  async filesInUse(): Promise<number | 'unlimited' | undefined> {
    return await readFilesInUse(this.#docker, this.#installation, this.#callTimeout / 3);
  }

  async fileCounts(most: number): Promise<{ ref: string; files: number | undefined }[]> {
    return await readFileCounts(this.#docker, this.#installation, { most, timeout: this.#callTimeout / 3 });
  }

  async layerSizes(): Promise<{ ref: string; bytes: number }[]> {
    return await readLayerSizes(this.#docker, this.#installation, this.#callTimeout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Every call opens its own connection; streams belong to the caller that opened them.
  }

  async #createStopped(spec: ContainerSpec, isAdded: boolean): Promise<Docker.Container> {
    const [facts, graderVolume, network] = await Promise.all([
      this.#fixtures.image(spec.imageId ?? spec.image),
      this.#fixtures.graderVolume(),
      spec.hasInternet ? this.#fixtures.internetNetwork() : 'none',
    ]);
    const image = isAdded ? withoutCapabilities(facts) : facts;
    // The current value: concurrent callers that discover a change each retry.
    const canLimitDisk = this.#canLimitDisk;
    const create = (name: string) =>
      this.#docker.createContainer(
        containerOptions({ ...spec, name }, image, {
          installation: this.#installation,
          graderVolume,
          internet: { network, dns: this.#internet.dns },
          canLimitDisk,
          runtime: this.#runtime,
        }),
      );
    try {
      return await create(spec.name);
    } catch (error) {
      if (canLimitDisk && isUnsupportedDiskLimit(error)) {
        this.#canLimitDisk = false;
        return await this.#createStopped(spec, isAdded);
      }
      // A container of another installation has the name. Ours is identified by its reference and label; the name is only for
      // people.
      if (isNameTaken(error)) return await create(`${spec.name}-${spec.uid.slice(0, 8)}`);
      if (statusOf(error) === 404) this.#fixtures.forget();
      throw error;
    }
  }

  /** Another caller may have done it first. */
  async #thaw(ref: string): Promise<void> {
    await this.#docker
      .getContainer(ref)
      .unpause()
      .catch((error: unknown) => {
        if (!isNotFrozen(error)) throw error;
      });
  }

  async #confine(ref: string): Promise<void> {
    await confineNetwork(this.#docker, ref, this.#internet, this.#addresses);
  }
}

/** Attempts to freeze a container whose processes keep starting others. */
const maxFreezes = 5;

/** How often the engine is asked, and the milliseconds between: the output of a command can end before the engine has noticed its exit. */
const exitPatience = { tries: 40, pause: 50 };

/** The exit code of a command whose output has ended. Undefined: it goes on without us, or the engine does not tell. */
async function exitCodeOf(exec: Docker.Exec): Promise<number | undefined> {
  for (let tries = 0; tries < exitPatience.tries; tries += 1) {
    const state = await exec.inspect().catch(() => undefined);
    if (!state) return undefined;
    if (!state.Running) return state.ExitCode ?? undefined;
    await delay(exitPatience.pause, undefined, { ref: false });
  }
  return undefined;
}

/**
 * Bytes of the layer of each running container of an installation without a storage quota. The engine scans all files for it, so it
 * is not called if there are no such containers.
 * @param timeout milliseconds
 * @throws UnavailableError when the engine does not finish in time
 */
async function readLayerSizes(
  docker: Docker,
  installation: string,
  timeout: number,
): Promise<{ ref: string; bytes: number }[]> {
  const filters = filtersOf(installation);
  const abortSignal = AbortSignal.timeout(timeout);
  const isUnlimited = ({ Labels }: Docker.ContainerInfo): boolean => Labels[labels.disk] === undefined;
  try {
    const running = await docker.listContainers({ filters, abortSignal });
    if (!running.some(isUnlimited)) return [];
    const measured = await docker.listContainers({ filters, size: true, abortSignal });
    // The engine omits zero values. The types lack sizes.
    const sizeOf = (row: Docker.ContainerInfo & { SizeRw?: number }): number => row.SizeRw ?? 0;
    return measured.filter(isUnlimited).map((row) => ({ ref: row.Id, bytes: sizeOf(row) }));
  } catch (cause) {
    throw new UnavailableError('engine_unavailable', 'The container engine could not report how large containers are', {
      cause,
    });
  }
}

/** Maximum bytes read of the engine's list. A student can create millions of files, and the list is meant for people. */
const maxListBytes = 4 * 1024 * 1024;

/** The paths that differ from the image, within the first 4 MiB of the engine's list. */
export async function readChangedFiles(
  docker: Docker,
  ref: string,
  abortSignal: AbortSignal,
  limit = maxListBytes,
): Promise<string[]> {
  const statusCodes = { 200: true, 404: 'no such container', 500: 'server error' };
  const options = { path: `/containers/${ref}/changes`, method: 'GET', isStream: true, statusCodes, abortSignal };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    docker.modem.dial(options, (error: unknown, data: unknown) =>
      error ? reject(error) : resolve(data as IncomingMessage),
    );
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  answer.destroy();
  const text = Buffer.concat(chunks).toString('utf8');
  return [...text.matchAll(/"Path":("(?:[^"\\]|\\.)*")/g)].map(([, path = '""']) => JSON.parse(path) as string);
}
