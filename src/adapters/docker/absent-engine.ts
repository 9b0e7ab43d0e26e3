import { Unavailable } from '../../errors.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';

export type AbsentEngineOptions = {
  reason: string;
  /** Looks for an engine again. It must not throw. */
  find?: (() => Promise<ContainerEngine | { reason: string }>) | undefined;
  /** Milliseconds between two looks. */
  pause?: number;
};

/**
 * Stands where no container engine was found: everything else is served, and whoever wants a container is told why there is none.
 * Whoever asks makes it look again, now and then; once an engine is found it passes everything on to that.
 */
export class AbsentEngine implements ContainerEngine {
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
    // Whoever asks this does not wait; the next one knows.
    void this.#look();
    return this.#reason;
  }

  readonly probe = this.#pass('probe');
  readonly about = this.#pass('about');
  readonly create = this.#pass('create');
  readonly start = this.#pass('start');
  readonly stop = this.#pass('stop');
  readonly remove = this.#pass('remove');
  readonly rename = this.#pass('rename');
  readonly inspect = this.#pass('inspect');
  readonly list = this.#pass('list');
  readonly openSshStream = this.#pass('openSshStream');
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

  #pass<Name extends Exclude<keyof ContainerEngine, 'problem' | typeof Symbol.asyncDispose>>(
    name: Name,
  ): ContainerEngine[Name] {
    const call = async (...args: unknown[]): Promise<unknown> => {
      await this.#look();
      if (!this.#engine)
        throw new Unavailable('engine_unavailable', `There are no containers: ${this.#reason}`, { retryAfter: 15 });
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
