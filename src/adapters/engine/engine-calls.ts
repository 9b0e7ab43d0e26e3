import { UnavailableError } from '../../errors.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';

/** The meaning of the errors of an engine's client. */
export type FailureMeanings = {
  /** The status of the engine's answer, if it answered. */
  statusOf(error: unknown): number | undefined;
  /** Why nothing can be done on the engine, in one sentence. Undefined for an error that concerns one call only. */
  problemOf(error: unknown): string | undefined;
  /** The port's error for a failure that concerns a container or an image. */
  portError(error: unknown, ref: string): Error;
};

/** Limits the time of each call of an engine, translates its errors into the port's, and remembers whether it answers. */
export class EngineCalls {
  readonly #timeout: number;
  readonly #failures: FailureMeanings;
  #problem: string | undefined;

  /** @param timeout milliseconds of one call */
  constructor(timeout: number, failures: FailureMeanings) {
    this.#timeout = timeout;
    this.#failures = failures;
  }

  /** Why the engine cannot be used, as far as the last call showed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * @param ref the container or image that the call concerns, for errors
   * @param accepted status codes of the engine that are no errors
   * @returns undefined after an accepted status
   * @throws UnavailableError, NoSuchContainerError, ContainerNotRunningError
   */
  async run<T>(ref: string, work: () => Promise<T>, accepted?: readonly number[]): Promise<T>;
  async run<T>(ref: string, work: () => Promise<T>, accepted: readonly number[] = []): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new UnavailableError('engine_unavailable', 'The container engine does not answer', { retryAfter: 15 }),
          ),
        this.#timeout,
      );
    });
    try {
      const result = await Promise.race([work(), timeout]);
      this.#problem = undefined;
      return result;
    } catch (error) {
      if (accepted.includes(this.#failures.statusOf(error) ?? 0)) return undefined;
      if (error instanceof ContainerNotRunningError || error instanceof NoSuchContainerError) throw error;
      const problem = error instanceof UnavailableError ? error.message : this.#failures.problemOf(error);
      if (problem !== undefined) this.#problem = problem;
      throw error instanceof UnavailableError ? error : this.#failures.portError(error, ref);
    } finally {
      clearTimeout(timer);
    }
  }
}
