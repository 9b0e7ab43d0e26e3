import type { Duplex } from 'node:stream';
import type { OpenedCommand } from '../../packages/ssh/container-shell.ts';
import type { ImagePart, ImageProblem } from '../values/image-problems.ts';

/** The specification of a container, with all its limits. Further needs of an image are on the image's labels. */
export type ContainerSpec = {
  /** Unique on the engine. */
  name: string;
  /** The service's own identifier of the container, found again by `list`. */
  uid: string;
  image: string;
  /** The container is created from this image, whatever image has the name by now; see `ContainerEngine.imageId`. */
  imageId?: string | undefined;
  memoryMb: number;
  cpus: number;
  /** Maximum number of processes and threads. */
  processes: number;
  /** Limit of the container's layer, if the engine can enforce one, and of any one file in every case. */
  diskMb: number;
  /** False: no network at all, not even a bridge. */
  hasInternet: boolean;
};

export type EngineContainer = {
  /** The engine's identifier; it stays the same when the container is renamed. */
  ref: string;
  uid: string;
  name: string;
  /** Also of a frozen one. */
  isRunning: boolean;
  /** Its processes are frozen until the next `start`. */
  isFrozen: boolean;
  /** By the clock of its machine, after its image was unpacked there: every file that has changed since is its own. */
  createdAt: Date;
};

/** Name and version of the engine. */
export type EngineFacts = { name: string; version: string };

/**
 * What an engine offers that loses the files of a container with its machine, or when it stops: only home folders are kept. The home
 * of a running container is saved from time to time. A container that was lost is replaced by a new one with that home.
 */
export interface HomeKeeper {
  /** Reports each container that has ended for good, and each whose machine is lost. It can report one several times. */
  onLost(listener: (ref: string) => void): void;
  /**
   * Saves the home folder of a running container, unless it is unchanged. Processes that write meanwhile can leave a file half written.
   * @param mark of the last save. The home folder is saved only if its own mark differs
   * @returns the mark of the home folder as it was saved
   * @throws NoSuchContainerError, ContainerNotRunningError, ConflictError if the home folder is too large to be kept
   */
  save(ref: string, mark: string | null): Promise<{ mark: string; isSaved: boolean }>;
  /**
   * Creates a container in place of a lost one, with its last saved home folder. The lost one stays until it is removed, since its machine
   * may come back. A failure leaves nothing behind, as far as the engine allows.
   * @returns its ref, and false if no home folder was saved
   */
  replace(lostRef: string, spec: ContainerSpec): Promise<{ ref: string; hasHome: boolean }>;
  /** Removes what was saved of a container that no longer exists. */
  forget(uid: string): Promise<void>;
  /** The containers with a saved home folder, and the time of the save. */
  saved(): AsyncIterable<{ uid: string; savedAt: Date }>;
}

/** An image of a registry could not be pulled. It names the reason only: the engine's own words can hold addresses and credentials. */
export class ImagePullError extends Error {
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem) {
    super(problem);
    this.name = 'ImagePullError';
    this.problem = problem;
  }
}

export type PullOptions = {
  credential: { username: string; password: string } | undefined;
  signal: AbortSignal;
  /** Awaited before the engine keeps what only `remove` deletes. */
  onFound: (imageId: string) => Promise<void>;
  /** @param percent of the bytes of the layers that are known so far, where the engine tells them */
  onProgress: (percent: number) => void;
};

/** What an engine offers that pulls images from registries. */
export interface ImageSource {
  /**
   * Pulls an image, and examines it in a container of its own, without a network, for a minute at most.
   * @returns the engine's identifier of the image, its digest in the registry and what it lacks
   * @throws ImagePullError, UnavailableError, the signal's reason
   */
  pull(
    reference: string,
    options: PullOptions,
  ): Promise<{ imageId: string; digest: string | null; lacks: ImagePart[] }>;
  /**
   * Removes a reference if it is this image's, and then the image unless it has other names.
   * @returns false while a container has it, or the engine fails
   */
  remove(imageId: string, reference: string): Promise<boolean>;
}

/** The container does not exist (any more). */
export class NoSuchContainerError extends Error {
  constructor(ref: string) {
    super(`no container ${ref}`);
    this.name = 'NoSuchContainerError';
  }
}

/** The container exists but is not running. */
export class ContainerNotRunningError extends Error {
  constructor(ref: string) {
    super(`container ${ref} is not running`);
    this.name = 'ContainerNotRunningError';
  }
}

/**
 * A container engine. Each method throws `UnavailableError` (503, with the reason) if the engine cannot be reached, lacks the image or
 * has no capacity. Other errors are listed on the methods.
 */
export interface ContainerEngine extends AsyncDisposable {
  /** Undefined for an engine whose containers keep all their files. */
  readonly homes?: HomeKeeper;
  /** Undefined for an engine that does not pull images for the service. */
  readonly images?: ImageSource | undefined;
  /** Why no container is available now, or undefined. Costs nothing: it is the result of the last call or probe. */
  problem(): string | undefined;
  /** Checks whether the engine answers. */
  probe(): Promise<void>;
  about(): Promise<EngineFacts>;
  /** Creates and starts a container. A failure leaves nothing behind, as far as the engine allows. @returns its ref */
  create(spec: ContainerSpec): Promise<string>;
  /** Starting a running container and stopping a stopped one succeeds. A frozen one continues. @throws NoSuchContainerError */
  start(ref: string): Promise<void>;
  /**
   * Stops the processes of a running container where they are, until the next `start`. Nothing is lost; nobody can log in meanwhile.
   * Freezing a frozen container succeeds. An engine that cannot do it does nothing.
   * @throws NoSuchContainerError, ContainerNotRunningError
   */
  freeze(ref: string): Promise<void>;
  /**
   * Waits for the programs that this process is starting in these containers, and starts none there for some seconds. Every process does it
   * before one of them freezes the containers: an engine can lose a container that is frozen while a program is starting in it.
   */
  settle(refs: readonly string[]): Promise<void>;
  /**
   * Stops a container, which keeps its files. An engine that cannot keep a stopped container keeps its home folder only.
   * @throws NoSuchContainerError, ConflictError if the home folder is too large to be kept
   */
  stop(ref: string): Promise<void>;
  /** Ends all processes of a running container and starts its image's command again. All files stay. @throws NoSuchContainerError */
  restart(ref: string): Promise<void>;
  /** Removes a container, running or not. Removing a missing one succeeds. */
  remove(ref: string): Promise<void>;
  /** @throws NoSuchContainerError */
  rename(ref: string, name: string): Promise<void>;
  /** @returns undefined if it does not exist, or will never run again because its machine is lost */
  inspect(ref: string): Promise<EngineContainer | undefined>;
  /** All containers of this installation, running or not. */
  list(): Promise<EngineContainer[]>;
  /**
   * Starts the SSH server of the container's grader volume on a byte stream, without an open port. The SSH client writes the
   * server's initial input (keys, see `ssh`).
   * @param isForChecks no process of students can trace what this connection runs
   * @throws NoSuchContainerError, ContainerNotRunningError
   */
  openSshStream(ref: string, isForChecks?: boolean): Promise<Duplex>;
  /**
   * Runs a script as root in a running container, without its SSH server. It can use only programs of the grader volume.
   * @throws NoSuchContainerError, ContainerNotRunningError
   */
  openCommand(ref: string, script: string): Promise<OpenedCommand>;
  /**
   * The identifier of the image that has this name now. An image that containers were created from is kept as long as they exist, also
   * when another one gets its name.
   * @returns undefined if the engine does not report identifiers: a name should always denote the same image then
   */
  imageId(image: string): Promise<string | undefined>;
  /**
   * Whether the image lets its user become root (its label `platform.privileges` is `sudo`).
   * @param image its name or identifier
   */
  grantsRoot(image: string): Promise<boolean>;
  /**
   * Whether the container has used up its processes or memory, so that no login is possible.
   * @throws NoSuchContainerError, ContainerNotRunningError
   */
  isExhausted(ref: string): Promise<boolean>;
  /**
   * Bytes of the layer of each running container without a storage quota. One call, whose duration grows with the number of files.
   * A timeout of this call does not mean that the engine is down.
   */
  layerSizes(): Promise<{ ref: string; bytes: number }[]>;
  /**
   * The number of files on the storage of all containers' layers, as seen by running containers. The cost does not depend on that
   * number. `unlimited` if the storage has no limit, undefined if no container can report it.
   */
  filesInUse(): Promise<number | 'unlimited' | undefined>;
  /**
   * The number of files and folders of each running container, including those of its image, counted up to `most`. Undefined for a
   * container that cannot be counted. Takes a fifth of a second per container.
   */
  fileCounts(most: number): Promise<{ ref: string; files: number | undefined }[]>;
  /** The files that differ from the image, according to the engine. Can take seconds. @throws NoSuchContainerError */
  changedFiles(ref: string): Promise<string[]>;
}
