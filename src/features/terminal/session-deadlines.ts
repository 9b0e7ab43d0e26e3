import type { TerminalContainers } from './containers.ts';
import { closeCodes, TerminalClosedError } from './protocol.ts';
import type { TerminalSession } from './session.ts';

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

/** Seconds before the end at which clients are notified. */
const noticeSeconds = [600, 300, 60];

/** The maximum delay of a timer. */
const longestTimerMs = 2_147_483_647;

/** Notifies of a container's end at fixed times before it, and at the end (0 seconds). Disposing cancels the notices. */
export class TimeNotices implements Disposable {
  readonly #tell: (secondsLeft: number) => void;
  #expiresAt: number;
  #timers: NodeJS.Timeout[] = [];

  constructor(expiresAt: Date | null, tell: (secondsLeft: number) => void) {
    this.#tell = tell;
    this.#expiresAt = momentOf(expiresAt);
    this.#set();
  }

  /** @returns the seconds that are left where the end has moved, undefined where it is unchanged */
  follow(expiresAt: Date | null): number | undefined {
    const moment = momentOf(expiresAt);
    if (moment === this.#expiresAt) return undefined;
    this[Symbol.dispose]();
    this.#expiresAt = moment;
    this.#set();
    return Math.max(0, Math.round((moment - Date.now()) / 1000));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #set(): void {
    const left = this.#expiresAt - Date.now();
    this.#timers = [...noticeSeconds, 0]
      .map((seconds) => ({ seconds, delay: left - seconds * 1000 }))
      // The end itself may be in the past already. A notice whose time has passed is skipped.
      .filter(({ seconds, delay }) => delay <= longestTimerMs && (delay >= 0 || seconds === 0))
      .map(({ seconds, delay }) => setTimeout(() => this.#tell(seconds), Math.max(0, delay)).unref());
  }
}

const momentOf = (expiresAt: Date | null): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
