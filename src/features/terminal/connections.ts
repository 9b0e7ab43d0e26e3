import type { StudentAccount } from '../../database/tables.ts';
import type {
  ContainerShell,
  HolderLimits,
  KeptOutput,
  ShellConnection,
  TerminalStream,
} from '../containers/container-shell.ts';
import type { Size } from './protocol.ts';

/** Terminals of one connection. The SSH server of a container allows 64. */
const mostTerminals = 32;

/** A container, and the account of its shells, which never changes. */
type Machine = { ref: string; account: StudentAccount };
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
   * Opens a terminal in a container. The caller must await its `exit`.
   * @param limits of a holder, which keeps the shell. Undefined: the shell ends with the connection
   * @throws ShellConnectionLost, NoSuchContainer, ContainerNotRunning, Unavailable
   */
  async open({ ref, account }: Machine, size: Size, limits: HolderLimits | undefined): Promise<TerminalStream> {
    const { terminal } = await this.#use({ ref, account }, async (connection) => {
      const held = limits && (await connection.openHeldTerminal(size, limits));
      return { terminal: held ?? (await connection.openTerminal(size)) };
    });
    return terminal;
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
  ): Promise<T> {
    const shared = await this.#take(ref, account);
    const release = () => this.#release(ref, shared);
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

  async #take(ref: string, account: StudentAccount): Promise<Shared> {
    const set = this.#shared.get(ref) ?? new Set();
    this.#shared.set(ref, set);
    for (const shared of set) {
      if (shared.terminals >= mostTerminals) continue;
      shared.terminals += 1;
      const connection = await shared.connection.catch(() => undefined);
      if (connection?.isOpen) return shared;
      this.#release(ref, shared);
    }
    const shared: Shared = { connection: this.#shell.connect(ref, account), terminals: 1 };
    this.#shared.set(ref, (this.#shared.get(ref) ?? new Set()).add(shared));
    return shared;
  }

  #release(ref: string, shared: Shared): void {
    shared.terminals -= 1;
    if (shared.terminals > 0) return;
    const set = this.#shared.get(ref);
    set?.delete(shared);
    if (set?.size === 0) this.#shared.delete(ref);
    // Callers that waited for a failed connection already have its error.
    void shared.connection.then((connection) => connection[Symbol.asyncDispose]()).catch(() => undefined);
  }
}
