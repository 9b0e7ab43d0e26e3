import { closeCodes, TerminalClosedError } from './protocol.ts';
import type { ShellFacts } from './relays/peer-terminals.ts';
import type { TerminalSession } from './session.ts';

/** The sessions of this process, ordered by start. */
export class Sessions {
  readonly #byId = new Map<string, TerminalSession>();

  get size(): number {
    return this.#byId.size;
  }

  add(session: TerminalSession): void {
    this.#byId.set(session.id, session);
  }

  delete(session: TerminalSession): void {
    this.#byId.delete(session.id);
  }

  all(): TerminalSession[] {
    return [...this.#byId.values()];
  }

  ofUser(userId: number): TerminalSession[] {
    return this.all().filter((session) => session.userId === userId);
  }

  ofContainer(containerId: number): TerminalSession[] {
    return this.all().filter((session) => session.containerId === containerId);
  }

  shellsOf(containerId: number): ShellFacts[] {
    return this.ofContainer(containerId).map(({ id, begunAt, isDetached }) => ({ id, begunAt, isDetached }));
  }

  /** The session with the given id, or without an id the newest one of the container. */
  newest(containerId: number, id?: string): TerminalSession | undefined {
    return this.ofContainer(containerId).findLast((session) => id === undefined || session.id === id);
  }

  /** @throws TerminalClosedError unless the user has such a session */
  resumable(userId: number, containerId: number, id: string): TerminalSession {
    const session = this.#byId.get(id);
    if (session?.userId === userId && session.containerId === containerId) return session;
    throw new TerminalClosedError(closeCodes.noContainer, 'There is no such terminal session');
  }

  /** The session with the given id, or without an id the newest one. @throws TerminalClosedError where it is not open */
  watchable(containerId: number, id?: string): TerminalSession {
    const session = this.newest(containerId, id);
    if (session) return session;
    const what = id === undefined ? 'No terminal' : 'No such terminal';
    throw new TerminalClosedError(closeCodes.noContainer, `${what} is open in this container`);
  }
}
