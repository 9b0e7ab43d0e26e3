import type { TerminalContainers } from './containers.ts';
import { closeCodes, TerminalClosedError } from './protocol.ts';
import type { TerminalSession } from './session.ts';
import { TimeNotices } from './time-notices.ts';

export type SessionDeadlinesParts = {
  containers: Pick<TerminalContainers, 'deadline'>;
  log: { warn: (details: object, message: string) => void };
};

/** Notifies clients of the time left in their container, and ends their sessions at the deadline. */
export class SessionDeadlines {
  readonly #parts: SessionDeadlinesParts;
  readonly #notices = new Map<TerminalSession, TimeNotices>();

  constructor(parts: SessionDeadlinesParts) {
    this.#parts = parts;
  }

  begin(session: TerminalSession, expiresAt: Date | null): void {
    this.#notices.set(session, new TimeNotices(expiresAt, (seconds) => void this.#timePasses(session, seconds)));
  }

  forget(session: TerminalSession): void {
    this.#notices.get(session)?.[Symbol.dispose]();
    this.#notices.delete(session);
  }

  /** Reads the deadline again. @returns whether it has moved, in which case the clients are notified */
  async follow(session: TerminalSession): Promise<boolean> {
    const { containers, log } = this.#parts;
    const expiresAt = await containers.deadline(session.containerId).catch((err: unknown) => {
      log.warn({ err, container_id: session.containerId }, 'the deadline of a container could not be read');
      return undefined;
    });
    const left = expiresAt === undefined ? undefined : this.#notices.get(session)?.follow(expiresAt);
    if (left === undefined) return false;
    notify(session, Number.isFinite(left) ? left : null);
    return true;
  }

  async #timePasses(session: TerminalSession, secondsLeft: number): Promise<void> {
    if (await this.follow(session)) return;
    notify(session, secondsLeft);
    if (secondsLeft === 0) session.end(new TerminalClosedError(closeCodes.containerGone, 'Time is over'));
  }
}

function notify(session: TerminalSession, seconds_left: number | null): void {
  for (const client of session.clients) client.notify({ type: 'notice', reason: 'time', seconds_left });
}
