import type { Duplex } from 'node:stream';

/** What a container is made from. Everything that limits it is here; what its image needs beyond is on the image's own labels. */
export type ContainerSpec = {
  /** Unique on the engine. */
  name: string;
  /** The service's own identifier of the container, found again by `list`. */
  uid: string;
  image: string;
  memoryMb: number;
  cpus: number;
  /** Most processes and threads at once. */
  processes: number;
  /** Of the container's own layer, where the engine's storage can limit it, and of any one file everywhere. */
  diskMb: number;
  /** False: no network at all, not even a bridge. */
  hasInternet: boolean;
};

export type EngineContainer = {
  /** The engine's identifier; it stays the same when the container is renamed. */
  ref: string;
  uid: string;
  name: string;
  isRunning: boolean;
  createdAt: Date;
};

/** Which engine it is. */
export type EngineFacts = { name: string; version: string };

/** The container is not there (any more). */
export class NoSuchContainer extends Error {
  constructor(ref: string) {
    super(`no container ${ref}`);
    this.name = 'NoSuchContainer';
  }
}

/** The container is there but not running. */
export class ContainerNotRunning extends Error {
  constructor(ref: string) {
    super(`container ${ref} is not running`);
    this.name = 'ContainerNotRunning';
  }
}

/**
 * Where containers live. Each method throws `Unavailable` (503, with a sentence that says why) when the engine cannot be
 * reached, has no such image or no room; what else a method throws is on the method.
 */
export interface ContainerEngine extends AsyncDisposable {
  /** Why no container can be had now, or undefined. Costs nothing: it is what the last call or probe found. */
  problem(): string | undefined;
  /** Asks the engine whether it answers. */
  probe(): Promise<void>;
  about(): Promise<EngineFacts>;
  /** Creates and starts a container; a failure leaves nothing behind as far as the engine lets us. @returns its ref */
  create(spec: ContainerSpec): Promise<string>;
  /** Starting what runs and stopping what is stopped succeeds. @throws NoSuchContainer */
  start(ref: string): Promise<void>;
  stop(ref: string): Promise<void>;
  /** Removes it, running or not. Removing what is gone succeeds. */
  remove(ref: string): Promise<void>;
  /** @throws NoSuchContainer */
  rename(ref: string, name: string): Promise<void>;
  /** @returns undefined when it is gone */
  inspect(ref: string): Promise<EngineContainer | undefined>;
  /** All containers of this installation, running or not. */
  list(): Promise<EngineContainer[]>;
  /**
   * Starts the SSH server of the container's grader volume on a byte stream; no port is open. What the server is to read
   * first (keys, see `ssh`) is written by whoever speaks SSH. @throws NoSuchContainer, ContainerNotRunning
   */
  openSshStream(ref: string): Promise<Duplex>;
  /** Whether the image lets its user become root (its label `platform.privileges` is `sudo`). */
  grantsRoot(image: string): Promise<boolean>;
  /** Whether all processes or all memory that the container may have are in use, so that it lets nobody in. @throws NoSuchContainer, ContainerNotRunning */
  isExhausted(ref: string): Promise<boolean>;
  /**
   * Bytes of the own layer of each running container of which the storage does not limit it by itself; none where it limits all.
   * One call, which takes the longer the more files the containers have; one that takes too long says nothing of the engine.
   */
  layerSizes(): Promise<{ ref: string; bytes: number }[]>;
  /**
   * How many files the storage of all containers' own layers has by now, as running containers see it: cheap, whoever has made them. `unlimited`
   * where it can have any number, undefined where no container can tell.
   */
  filesInUse(): Promise<number | 'unlimited' | undefined>;
  /**
   * How many files and folders each running container has, its image's included, counted until there are `most`; undefined for one that does not
   * let them be counted. It takes a fifth of a second for each container.
   */
  fileCounts(most: number): Promise<{ ref: string; files: number | undefined }[]>;
  /** The files that differ from the image, as the engine knows them. It can take seconds. @throws NoSuchContainer */
  changedFiles(ref: string): Promise<string[]>;
}
