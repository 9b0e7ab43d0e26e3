import type { ContainerShell, ShellConnection } from '../../../packages/ssh/container-shell.ts';

/**
 * The grader's connections, one for each container. Each stays open from the start of an attempt to its end, so that grading does not wait
 * for a handshake. A lost connection is established again at the next use.
 */
export class ShellPool implements AsyncDisposable {
  readonly #shell: ContainerShell;
  readonly #connections = new Map<string, Promise<ShellConnection>>();

  constructor(shell: ContainerShell) {
    this.#shell = shell;
  }

  /** @throws ShellConnectionLostError, NoSuchContainerError, ContainerNotRunningError, UnavailableError */
  async get(ref: string): Promise<ShellConnection> {
    const held = this.#connections.get(ref);
    const known = await held?.catch(() => undefined);
    if (known?.isOpen) return known;
    // In the meantime another caller has started to connect, or has closed the connection held here.
    if (this.#connections.get(ref) !== held) return await this.get(ref);
    const opening = this.#shell.connect(ref, 'grader');
    this.#connections.set(ref, opening);
    try {
      const connection = await opening;
      void connection.closed.then(() => this.#drop(ref, opening));
      return connection;
    } catch (error) {
      this.#drop(ref, opening);
      throw error;
    }
  }

  /** Whether there is a connection to this container, or one is being made. */
  has(ref: string): boolean {
    return this.#connections.has(ref);
  }

  /** Connects ahead of use. A failure is reported at the first use. */
  warm(ref: string): void {
    this.get(ref).catch(() => undefined);
  }

  async close(ref: string): Promise<void> {
    const connection = await this.#connections.get(ref)?.catch(() => undefined);
    this.#connections.delete(ref);
    await connection?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#connections.keys()].map((ref) => this.close(ref)));
  }

  #drop(ref: string, opening: Promise<ShellConnection>): void {
    if (this.#connections.get(ref) === opening) this.#connections.delete(ref);
  }
}
