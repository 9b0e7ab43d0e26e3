import type { Counts, PeerTerminals } from './peer-terminals.ts';
import { closeCodes, TerminalClosed } from './protocol.ts';
import type { Sessions } from './sessions.ts';

export type AdmissionParts = {
  sessions: Sessions;
  peers: Pick<PeerTerminals, 'count' | 'endDetached'>;
  limits: { perUser: number; max: number };
};

/** Limits the number of terminals, including those of other processes. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** Users' ids, once for each terminal that is being opened. */
  readonly #opening: number[] = [];

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Counts a terminal for its user from here on, until the returned value is disposed of. By then it is a session or has failed. A
   * detached shell of the user gives way to it, in any process.
   * @throws TerminalClosed when there are too many
   */
  async reserve(userId: number): Promise<Disposable> {
    const { peers, limits } = this.#parts;
    const there = await peers.count(userId);
    // No await between here and the reservation: of two concurrent calls, the second counts the first.
    const here = this.count(userId);
    const isRoom = here.user + there.user < limits.perUser && here.all + there.all < limits.max;
    if (!isRoom && here.left + there.left === 0)
      throw new TerminalClosed(closeCodes.tooMany, 'Too many terminals are open');
    this.#opening.push(userId);
    const reservation = { [Symbol.dispose]: () => void this.#opening.splice(this.#opening.indexOf(userId), 1) };
    if (isRoom) return reservation;
    if (here.left > 0) this.endDetached(userId);
    else await peers.endDetached(userId);
    return reservation;
  }

  /** The terminals of this process. */
  count(userId: number): Counts {
    const own = this.#parts.sessions.ofUser(userId);
    const opening = this.#opening.filter((id) => id === userId).length;
    return {
      user: own.length + opening,
      all: this.#parts.sessions.size + this.#opening.length,
      left: own.filter(({ isDetached }) => isDetached).length,
    };
  }

  /** Ends one detached terminal of the user in this process, if any. */
  endDetached(userId: number): void {
    const left = this.#parts.sessions.ofUser(userId).find(({ isDetached }) => isDetached);
    left?.end(new TerminalClosed(closeCodes.shellEnded, 'A newer terminal took its place'));
  }
}
