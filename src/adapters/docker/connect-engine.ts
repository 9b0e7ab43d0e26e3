import Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import type { ContainerEngine, ImageSource } from '../../ports/container-engine.ts';
import { DockerEngine, type DockerEngineOptions } from './docker-engine.ts';

export type FoundOrNot = { options: Docker.DockerOptions } | { reason: string };

/** Where the container engine is, or why there is none. */
export type EnginePlace = FoundOrNot & {
  /** Searches again for an engine that was not available. */
  find?: () => Promise<FoundOrNot>;
};

/** Connects to the engine, or creates the placeholder that searches for one. */
export function connectEngine(place: EnginePlace, options: Omit<DockerEngineOptions, 'docker'>): ContainerEngine {
  const engineAt = (found: FoundOrNot) =>
    'reason' in found ? found : new DockerEngine({ docker: new Docker(found.options), ...options });
  const first = engineAt(place);
  if (!('reason' in first)) return first;
  const { find } = place;
  return new AbsentEngine({ reason: first.reason, find: find && (async () => engineAt(await find())) });
}

type AbsentEngineOptions = {
  reason: string;
  /** Searches for an engine again. Must not throw. */
  find?: (() => Promise<ContainerEngine | { reason: string }>) | undefined;
  /** Milliseconds between two searches. */
  pause?: number;
};

/**
 * The implementation used while no container engine is available. Requests for containers fail with the reason. They also trigger a
 * new search at intervals. Once an engine is found, all calls are forwarded to it.
 */
class AbsentEngine implements ContainerEngine {
  readonly #options: AbsentEngineOptions;
  #reason: string;
  #engine: ContainerEngine | undefined;
  #looking: Promise<void> | undefined;
  #lookAt = 0;

  constructor(options: AbsentEngineOptions) {
    this.#options = options;
    this.#reason = options.reason;
  }

  problem(): string | undefined {
    if (this.#engine) return this.#engine.problem();
    // This caller does not wait for the result; the next one sees it.
    void this.#look();
    return this.#reason;
  }

  get images(): ImageSource | undefined {
    return this.#engine?.images;
  }

  readonly probe = this.#pass('probe');
  readonly about = this.#pass('about');
  readonly create = this.#pass('create');
  readonly start = this.#pass('start');
  readonly freeze = this.#pass('freeze');
  readonly settle = this.#pass('settle');
  readonly stop = this.#pass('stop');
  readonly restart = this.#pass('restart');
  readonly remove = this.#pass('remove');
  readonly rename = this.#pass('rename');
  readonly inspect = this.#pass('inspect');
  readonly list = this.#pass('list');
  readonly openSshStream = this.#pass('openSshStream');
  readonly openCommand = this.#pass('openCommand');
  readonly imageId = this.#pass('imageId');
  readonly grantsRoot = this.#pass('grantsRoot');
  readonly isExhausted = this.#pass('isExhausted');
  readonly filesInUse = this.#pass('filesInUse');
  readonly fileCounts = this.#pass('fileCounts');
  readonly layerSizes = this.#pass('layerSizes');
  readonly changedFiles = this.#pass('changedFiles');

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking;
    await this.#engine?.[Symbol.asyncDispose]();
  }

  #pass<Name extends Exclude<keyof ContainerEngine, 'problem' | 'homes' | 'images' | typeof Symbol.asyncDispose>>(
    name: Name,
  ): ContainerEngine[Name] {
    const call = async (...args: unknown[]): Promise<unknown> => {
      await this.#look();
      if (!this.#engine)
        throw new UnavailableError('engine_unavailable', `There are no containers: ${this.#reason}`, {
          retryAfter: 15,
        });
      return await Reflect.apply(this.#engine[name], this.#engine, args);
    };
    return call as ContainerEngine[Name];
  }

  async #look(): Promise<void> {
    const { find, pause = 5000 } = this.#options;
    if (this.#engine || !find || (!this.#looking && performance.now() < this.#lookAt)) return;
    this.#looking ??= find()
      .then((found) => {
        if ('reason' in found) this.#reason = found.reason;
        else this.#engine = found;
      })
      .finally(() => {
        this.#lookAt = performance.now() + pause;
        this.#looking = undefined;
      });
    await this.#looking;
  }
}
