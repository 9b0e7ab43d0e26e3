import type { TerminalContainers } from '../containers.ts';
import type { TerminalSession } from '../session.ts';
import type { Sessions } from '../sessions.ts';

export type SessionHoldsParts = {
  sessions: Pick<Sessions, 'all'>;
  containers: Pick<TerminalContainers, 'held'>;
  log: { warn: (details: object, message: string) => void };
};

/** Milliseconds before a failed reading is repeated. */
const retryPause = 2000;

/** Holds the terminals of this process whose containers are held. All of them are read together. */
export class SessionHolds implements Disposable {
  readonly #parts: SessionHoldsParts;
  #isStale = false;
  #isReading = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: SessionHoldsParts) {
    this.#parts = parts;
  }

  /** Reads in the background which containers are held, after this call. */
  follow(): void {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#read().finally(() => {
      this.#isReading = false;
    });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#retry);
  }

  async #read(): Promise<void> {
    const { sessions, containers, log } = this.#parts;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const all = sessions.all().filter(({ isOfAttempt }) => isOfAttempt);
        if (all.length === 0) return;
        const held = await containers.held([...new Set(all.map(({ containerId }) => containerId))]);
        for (const session of all) setHeld(session, held.has(session.containerId));
      }
    } catch (err) {
      log.warn({ err }, 'failed to read paused terminals');
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.follow(), retryPause).unref();
    }
  }
}

function setHeld(session: TerminalSession, isHeld: boolean): void {
  if (isHeld) session.freeze();
  else session.unfreeze();
}
