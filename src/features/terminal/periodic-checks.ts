import { UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Claims } from '../auth/tokens.ts';
import type { TerminalClient } from './client.ts';
import type { TerminalContainers } from './containers.ts';
import { closeCodes } from './protocol.ts';
import type { TerminalSession } from './session.ts';
import type { SessionDeadlines } from './session-deadlines.ts';
import type { Sessions } from './sessions.ts';

export type PeriodicChecksParts = {
  clients: ReadonlySet<TerminalClient>;
  sessions: Pick<Sessions, 'all'>;
  deadlines: Pick<SessionDeadlines, 'follow'>;
  containers: Pick<TerminalContainers, 'touch' | 'mayWatch'>;
  /** The user of the token's claims, while the token is valid. @throws UnauthorizedError */
  admit: (claims: Claims) => Caller | Promise<Caller>;
  log: { warn: (details: object, message: string) => void };
  seconds: number;
};

/** Every few seconds: whether clients answer, their tokens are valid, watchers may still watch and deadlines have moved; and that containers are in use. */
export class PeriodicChecks implements Disposable {
  readonly #parts: PeriodicChecksParts;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: PeriodicChecksParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#run(), parts.seconds * 1000).unref();
  }

  /** Records that a container is in use. */
  touch(containerId: number, typedAt?: Date): void {
    const { containers, log } = this.#parts;
    containers.touch(containerId, typedAt).catch((err: unknown) => {
      log.warn({ err, container_id: containerId }, 'the use of a container could not be recorded');
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #run(): void {
    const { clients, sessions, deadlines } = this.#parts;
    for (const client of clients) client.beat();
    const used = new Map<number, Date | undefined>();
    for (const session of sessions.all()) {
      if (!session.isDetached) used.set(session.containerId, latest(used.get(session.containerId), session.typedAt));
      void deadlines.follow(session);
      for (const client of session.clients) void this.#checkClient(session, client);
    }
    for (const [containerId, typedAt] of used) this.touch(containerId, typedAt);
  }

  async #checkClient(session: TerminalSession, client: TerminalClient): Promise<void> {
    try {
      const { admit, containers } = this.#parts;
      const caller = await admit(client.claims);
      const { userId, containerId } = session;
      if (caller.id !== userId && !(await containers.mayWatch(caller, userId, containerId)))
        session.dismiss(client, closeCodes.forbidden, 'You may not watch terminals any more');
    } catch (error) {
      // A database that is unavailable now is queried again later.
      if (error instanceof UnauthorizedError) session.dismiss(client, closeCodes.token, error.message);
    }
  }
}

/** The later of two times, of which either can be missing. */
const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && (!other || one > other) ? one : other;
