import { Unavailable } from '../../errors.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';

/** Stands where no container engine was found: everything else is served, and whoever wants a container is told why there is none. */
export class AbsentEngine implements ContainerEngine {
  readonly #reason: string;

  constructor(reason: string) {
    this.#reason = reason;
  }

  problem(): string {
    return this.#reason;
  }

  readonly #refuse = async (): Promise<never> => {
    throw new Unavailable(`There are no containers: ${this.#reason}`, { retryAfter: 60 });
  };
  readonly probe = this.#refuse;
  readonly create = this.#refuse;
  readonly start = this.#refuse;
  readonly stop = this.#refuse;
  readonly remove = this.#refuse;
  readonly rename = this.#refuse;
  readonly inspect = this.#refuse;
  readonly list = this.#refuse;
  readonly openSshStream = this.#refuse;
  readonly grantsRoot = this.#refuse;
  readonly changedFiles = this.#refuse;

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}
