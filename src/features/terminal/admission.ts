import { closeCodes, TerminalClosedError } from './protocol.ts';
import type { Counts, PeerTerminals } from './relays/peer-terminals.ts';
import type { TerminalSession } from './session.ts';
import type { Sessions } from './sessions.ts';

export type AdmissionParts = {
  sessions: Sessions;
  peers: Pick<PeerTerminals, 'count' | 'shellsOf' | 'endDetached'>;
  limits: { perUser: number; perContainer: number; max: number; resumeSeconds: number };
};

const yielded = () => new TerminalClosedError(closeCodes.shellEnded, 'A newer terminal took its place');
const byLeaving = (a: TerminalSession, b: TerminalSession): number => (a.leftAt ?? 0) - (b.leftAt ?? 0);

type Opening = { userId: number; containerId: number };

/** Limits the number of terminals, including those of other processes. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** Once for each terminal that is being opened. */
  readonly #opening: Opening[] = [];

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Counts a terminal for its user and its container from here on, until the returned value is disposed of. By then it is a session or has
   * failed. A detached shell of the user yields to it, in any process; where the container has too many, one of that container. Where the
   * service has too many, the shell of this process that anybody left first yields, after `resumeSeconds`: those of attempts stay for days.
   * @throws TerminalClosedError when there are too many
   */
  async reserve(userId: number, containerId: number): Promise<Disposable> {
    const { sessions, peers, limits } = this.#parts;
    const [there, shellsThere] = await Promise.all([peers.count(userId), peers.shellsOf(containerId)]);
    // No await between here and the reservation: of two concurrent calls, the second counts the first.
    const shells = [...sessions.shellsOf(containerId), ...shellsThere];
    const openingInside = this.#opening.filter((one) => one.containerId === containerId).length;
    const isFull = shells.length + openingInside >= limits.perContainer;
    const left = isFull ? shells.find(({ isDetached }) => isDetached) : undefined;
    if (isFull && !left)
      throw new TerminalClosedError(closeCodes.tooMany, 'Too many terminals are open in this container');
    const here = this.count(userId);
    const isRoom = here.user + there.user < limits.perUser && here.all + there.all < limits.max;
    const isUserFull = here.user + there.user >= limits.perUser;
    const forgotten = !isRoom && !isUserFull && here.left + there.left === 0 ? this.#forgotten() : undefined;
    if (!isRoom && !forgotten && here.left + there.left === 0)
      throw new TerminalClosedError(closeCodes.tooMany, 'Too many terminals are open');
    const opening = { userId, containerId };
    this.#opening.push(opening);
    const reservation = { [Symbol.dispose]: () => void this.#opening.splice(this.#opening.indexOf(opening), 1) };
    if (isRoom && !left) return reservation;
    if (forgotten) {
      forgotten.end(yielded());
      return reservation;
    }
    if (this.endDetached(userId, left?.id)) return reservation;
    await peers.endDetached(userId, left?.id);
    return reservation;
  }

  /** The terminals of this process. */
  count(userId: number): Counts {
    const own = this.#parts.sessions.ofUser(userId);
    const opening = this.#opening.filter((one) => one.userId === userId).length;
    return {
      user: own.length + opening,
      all: this.#parts.sessions.size + this.#opening.length,
      left: own.filter(({ isYielding }) => isYielding).length,
    };
  }

  /** Ends one detached terminal of the user in this process, if any: that with the given id, or the first one. @returns whether it has */
  endDetached(userId: number, sessionId?: string): boolean {
    const own = this.#parts.sessions.ofUser(userId);
    const left = own
      .filter(({ isYielding, id }) => isYielding && (sessionId === undefined || id === sessionId))
      .sort(byLeaving)[0];
    left?.end(yielded());
    return left !== undefined;
  }

  /** Of all shells here that nobody has come back to in time, the one that was left first. */
  #forgotten(): TerminalSession | undefined {
    const before = Date.now() - this.#parts.limits.resumeSeconds * 1000;
    return this.#parts.sessions
      .all()
      .filter(({ isYielding, leftAt = Infinity }) => isYielding && leftAt <= before)
      .sort(byLeaving)[0];
  }
}
