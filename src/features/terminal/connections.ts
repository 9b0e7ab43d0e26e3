import {
  type ContainerShell,
  type HolderLimits,
  type KeptOutput,
  type ShellConnection,
  ShellConnectionLostError,
  type TerminalStream,
} from '../../../packages/ssh/container-shell.ts';
import type { StudentAccount } from '../../database/tables.ts';
import type { Size } from './protocol.ts';

/** Terminals of one connection. The SSH server of a container allows 64. */
const mostTerminals = 32;

/** A container, and the account of its shells, which never changes. */
type Machine = { ref: string; account: StudentAccount };
/** How a shell is opened. */
export type Opening = {
  size: Size;
  /** Of its holder. */
  limits: HolderLimits;
  /** Whether it outlives its connection. */
  isHeld: boolean;
  /** Whether a plain shell is asked for. */
  isPlain: boolean;
};
export type Opened = { terminal: TerminalStream; isPlain: boolean };
type Shared = { connection: Promise<ShellConnection>; terminals: number };

export type Attached = { terminal: TerminalStream; kept: KeptOutput };

/** The students' shells in containers. The terminals of one container share a connection, which is closed with the last of them. */
export class Connections implements AsyncDisposable {
  readonly #shell: ContainerShell;
  readonly #shared = new Map<string, Set<Shared>>();

  constructor(shell: ContainerShell) {
    this.#shell = shell;
  }

  /**
   * Opens a terminal in a container: a plain shell where the account's own cannot start. The caller must await its `exit`.
   * @throws ShellConnectionLostError, NoSuchContainerError, ContainerNotRunningError, UnavailableError
   */
  async open(machine: Machine, { size, limits, isHeld, isPlain }: Opening): Promise<Opened> {
    const openPlainly = () =>
      this.#use(
        machine,
        async (connection) => {
          const terminal = await connection.openHeldTerminal(size, limits);
          return terminal && { terminal, isPlain: true };
        },
        true,
      );
    const open = (isOfHolder: boolean) =>
      this.#use(machine, async (connection) => {
        const isAccounts = !isOfHolder && !connection.isPlain;
        const terminal = await (isAccounts ? connection.openTerminal(size) : connection.openHeldTerminal(size, limits));
        return terminal && { terminal, isPlain: connection.isPlain };
      });
    let failure: unknown;
    const opened = isPlain
      ? undefined
      : await open(isHeld).catch((error: unknown) => {
          if (!(error instanceof ShellConnectionLostError)) throw error;
          failure = error;
        });
    if (opened) return opened;
    const plain = await openPlainly().catch((error: unknown) => {
      if (!(error instanceof ShellConnectionLostError)) throw error;
      failure ??= error;
    });
    if (plain) return plain;
    if (failure !== undefined) throw failure;
    // In a container that was created by an earlier release.
    const last = await open(false);
    if (!last) throw new ShellConnectionLostError('No shell could be started in the container');
    return last;
  }

  /**
   * Attaches to a held shell. The caller must await its `exit`.
   * @returns undefined where the shell has ended
   * @throws as `open` does
   */
  async attach(machine: Machine, holder: string, from: number): Promise<Attached | undefined> {
    return await this.#use(machine, async (connection) => await connection.attach(holder, from));
  }

  async #use<T extends { terminal: TerminalStream } | undefined>(
    { ref, account }: Machine,
    open: (connection: ShellConnection) => Promise<T>,
    isPlain = false,
  ): Promise<T> {
    const key = isPlain ? `${ref} plain` : ref;
    const shared = await this.#take(key, () => this.#shell.connect(ref, account, { isPlain }));
    const release = () => this.#release(key, shared);
    try {
      const opened = await open(await shared.connection);
      if (opened) void opened.terminal.exit.then(release, release);
      else release();
      return opened;
    } catch (error) {
      release();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#shared.values()].flatMap((set) => [...set]);
    this.#shared.clear();
    await Promise.allSettled(all.map(async ({ connection }) => (await connection)[Symbol.asyncDispose]()));
  }

  async #take(key: string, connect: () => Promise<ShellConnection>): Promise<Shared> {
    const set = this.#shared.get(key) ?? new Set();
    this.#shared.set(key, set);
    for (const shared of set) {
      if (shared.terminals >= mostTerminals) continue;
      shared.terminals += 1;
      const connection = await shared.connection.catch(() => undefined);
      if (connection?.isOpen) return shared;
      this.#release(key, shared);
    }
    const shared: Shared = { connection: connect(), terminals: 1 };
    this.#shared.set(key, (this.#shared.get(key) ?? new Set()).add(shared));
    return shared;
  }

  #release(key: string, shared: Shared): void {
    shared.terminals -= 1;
    if (shared.terminals > 0) return;
    const set = this.#shared.get(key);
    set?.delete(shared);
    if (set?.size === 0) this.#shared.delete(key);
    // Callers that waited for a failed connection already have its error.
    void shared.connection.then((connection) => connection[Symbol.asyncDispose]()).catch(() => undefined);
  }
}
