import { Unavailable } from '../../errors.ts';
import { ContainerNotRunning } from '../../ports/container-engine.ts';
import { isUnreachable, portError, statusOf } from './failures.ts';

/** Limits the time of each call of an engine, translates its errors into the port's, and remembers whether it answers. */
export class EngineCalls {
  readonly #timeout: number;
  #problem: string | undefined;

  /** @param timeout milliseconds of one call */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Why the engine cannot be used, as far as the last call showed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * @param ref the container or image that the call concerns, for errors
   * @param accepted status codes of the engine that are no errors
   * @returns undefined after an accepted status
   * @throws Unavailable, NoSuchContainer, ContainerNotRunning
   */
  async run<T>(ref: string, work: () => Promise<T>, accepted?: readonly number[]): Promise<T>;
  async run<T>(ref: string, work: () => Promise<T>, accepted: readonly number[] = []): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Unavailable('engine_unavailable', 'The container engine does not answer', { retryAfter: 15 })),
        this.#timeout,
      );
    });
    try {
      const result = await Promise.race([work(), timeout]);
      this.#problem = undefined;
      return result;
    } catch (error) {
      if (accepted.includes(statusOf(error) ?? 0)) return undefined;
      if (error instanceof ContainerNotRunning) throw error;
      if (error instanceof Unavailable || isUnreachable(error)) {
        this.#problem = error instanceof Unavailable ? error.message : 'The container engine cannot be reached';
      }
      throw error instanceof Unavailable ? error : portError(error, ref);
    } finally {
      clearTimeout(timer);
    }
  }
}
