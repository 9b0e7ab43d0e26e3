import { NotFoundError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { ContainerNotRunningError, NoSuchContainerError } from '../../../ports/container-engine.ts';
import type { Attached, Connections } from '../connections.ts';
import type { TerminalContainer, TerminalContainers } from '../containers.ts';
import { checkRunning, heldNow } from '../ending.ts';
import { TerminalClosedError } from '../protocol.ts';
import type { TerminalSession } from '../session.ts';
import type { Sessions } from '../sessions.ts';
import { type Restored, restoredScreen } from './restored-screen.ts';
import type { HeldRow, HeldStore } from './store.ts';

export type Continued = {
  row: HeldRow;
  container: TerminalContainer;
  caller: Caller;
  stream: Attached['terminal'];
  restored: Restored;
};

export type HeldSessionsParts = {
  store: Pick<HeldStore, 'take' | 'adoptOrphans' | 'left' | 'release' | 'remove'>;
  sessions: Pick<Sessions, 'newest'>;
  connections: Pick<Connections, 'attach'>;
  containers: Pick<TerminalContainers, 'forTerminal'>;
  /** Adds a session to those of this process. */
  begin: (shell: Continued) => TerminalSession;
  /** The processes that serve terminals and are dead. */
  gone: () => Promise<number[]>;
  log: { warn: (details: object, message: string) => void };
};

/** Connections that are opened at once for shells that nobody has asked for yet. */
const mostAtOnce = 3;

/** Takes over shells whose process has ended, or has lost the connection to them. */
export class HeldSessions {
  readonly #parts: HeldSessionsParts;
  readonly #beginning = new Map<string, Promise<TerminalSession | undefined>>();
  #isOver = false;

  constructor(parts: HeldSessionsParts) {
    this.#parts = parts;
  }

  /** From now on no shell is taken over. */
  stop(): void {
    this.#isOver = true;
  }

  /** The session that is being taken over here, if any. Never rejects. */
  async awaited(sessionId: string | undefined): Promise<void> {
    if (sessionId !== undefined) await this.#beginning.get(sessionId)?.catch(() => undefined);
  }

  /**
   * Takes over a shell of a container: the one with the id, or without an id the newest one.
   * @param userId its owner; undefined: any
   * @returns undefined where there is none @throws UnavailableError, ShellConnectionLostError
   */
  async take(containerId: number, sessionId: string | undefined, userId?: number) {
    if (this.#isOver) return undefined;
    const row = await this.#parts.store.take(containerId, sessionId, userId);
    return row && (await this.#begin(row));
  }

  /** Takes over the shells that no living process serves. */
  async adoptOrphans(): Promise<void> {
    const { store, gone, log } = this.#parts;
    const left = await store.left(await gone());
    const takeNext = async (): Promise<void> => {
      for (let next = left.shift(); next && !this.#isOver; next = left.shift()) {
        const { id } = next;
        const row = await store.adoptOrphans(id, next.process_id);
        await (row && this.#begin(row))?.catch((err: unknown) =>
          log.warn({ err, container_id: row?.container_id }, 'a terminal could not be taken over'),
        );
      }
    };
    await Promise.all(Array.from({ length: mostAtOnce }, takeNext));
  }

  #begin(row: HeldRow): Promise<TerminalSession | undefined> {
    const here = this.#parts.sessions.newest(row.container_id, row.id);
    if (here) return Promise.resolve(here);
    const known = this.#beginning.get(row.id);
    if (known) return known;
    const beginning = this.#attach(row).finally(() => this.#beginning.delete(row.id));
    this.#beginning.set(row.id, beginning);
    return beginning;
  }

  async #attach(row: HeldRow): Promise<TerminalSession | undefined> {
    const { store, connections, containers, begin } = this.#parts;
    const caller: Caller = { id: row.user_id, username: '', role: 'student', scope: 'classes' };
    try {
      const container = await containers.forTerminal(caller, row.container_id);
      checkRunning(container);
      // Its processes are frozen, so the holder does not answer.
      if (container.is_held) throw heldNow();
      const attached = await connections.attach(container, row.holder, row.picture_at);
      if (attached) {
        const restored = await restoredScreen(row, attached.kept);
        if (!this.#isOver) return begin({ row, container, caller, stream: attached.terminal, restored });
        attached.terminal.destroy();
        await store.release(row.id);
        return undefined;
      }
    } catch (error) {
      if (!hasEnded(error)) {
        await store.release(row.id);
        throw error;
      }
    }
    await store.remove(row.id);
    return undefined;
  }
}

/** Whether an error means that the shell has ended with its container. */
const hasEnded = (error: unknown): boolean =>
  error instanceof TerminalClosedError
    ? error.wait !== 'held'
    : [NotFoundError, NoSuchContainerError, ContainerNotRunningError].some((kind) => error instanceof kind);
