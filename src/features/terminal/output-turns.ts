export type OutputTurnsOptions = {
  /** Output of one terminal within the window beyond which it is a flood, in bytes and milliseconds. */
  flood: { bytes: number; window: number };
  /** Bytes of a turn. */
  turnBytes: number;
  /** Milliseconds without output after which a turn is over. */
  lapse: number;
  /** Times as long as a turn was before the next one, of floods that clients see and of those that nobody sees. */
  rest: { seen: number; unseen: number };
};

const defaults: OutputTurnsOptions = {
  flood: { bytes: 128 * 1024, window: 100 },
  turnBytes: 512 * 1024,
  lapse: 20,
  rest: { seen: 1, unseen: 9 },
};

/** One terminal among those whose output takes turns. */
export interface OutputShare extends Disposable {
  /** Says that so much has come. @param isSeen whether a client gets it */
  passed(bytes: number, isSeen: boolean): void;
}

type Share = {
  hold: (isHeld: boolean) => void;
  isSeen: boolean;
  /** When the window began, and what came in it. */
  begin: number;
  bytes: number;
};

/**
 * Floods of output take turns with a rest between them, so that requests and other terminals have the event loop and the processor:
 * one terminal that somebody sees has all the speed there is, ten share half of it. A terminal without a flood never waits.
 */
export class OutputTurns {
  readonly #options: OutputTurnsOptions;
  readonly #waiting = new Set<Share>();
  #holder: Share | undefined;
  #turn = { begin: 0, bytes: 0 };
  /** From when on the next turn may begin. */
  readonly #free = { seen: 0, unseen: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<OutputTurnsOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** @param hold is called with true when the terminal's output is to wait, and with false when it may go on */
  join(hold: (isHeld: boolean) => void): OutputShare {
    const share: Share = { hold, isSeen: true, begin: 0, bytes: 0 };
    return {
      passed: (bytes, isSeen) => {
        share.isSeen = isSeen;
        this.#passed(share, bytes);
      },
      [Symbol.dispose]: () => this.#leave(share),
    };
  }

  #passed(share: Share, bytes: number): void {
    const now = performance.now();
    const { flood, turnBytes } = this.#options;
    if (now - share.begin > flood.window) Object.assign(share, { begin: now, bytes: 0 });
    share.bytes += bytes;
    if (this.#holder === share) {
      this.#turn.bytes += bytes;
      if (this.#turn.bytes < turnBytes) this.#timer?.refresh();
      else this.#turnEnds(share, now);
    } else if (share.bytes > flood.bytes && !this.#waiting.has(share)) {
      this.#wait(share);
      if (!this.#holder) this.#next();
    }
  }

  #turnEnds(share: Share, now: number): void {
    if (share.isSeen && this.#waiting.size === 0) {
      this.#give(share, now);
      return;
    }
    this.#wait(share);
    this.#rest(share, now);
    this.#next();
  }

  #wait(share: Share): void {
    this.#waiting.add(share);
    share.hold(true);
  }

  #rest({ isSeen }: Share, now: number): void {
    const { rest } = this.#options;
    const took = now - this.#turn.begin;
    this.#holder = undefined;
    this.#free.unseen = now + took * rest.unseen;
    if (isSeen) this.#free.seen = now + took * rest.seen;
  }

  #give(share: Share, now: number): void {
    this.#waiting.delete(share);
    this.#holder = share;
    this.#turn = { begin: now, bytes: 0 };
    clearTimeout(this.#timer);
    // One that writes nothing more gives its turn away.
    this.#timer = setTimeout(() => {
      this.#holder = undefined;
      this.#next();
    }, this.#options.lapse).unref();
  }

  /** Gives the turn to who has waited longest, those first whom somebody sees, now or when the rest is over. */
  #next(): void {
    clearTimeout(this.#timer);
    const waiting = [...this.#waiting];
    const next = waiting.find(({ isSeen }) => isSeen) ?? waiting[0];
    if (!next) return;
    const now = performance.now();
    const wait = (next.isSeen ? this.#free.seen : this.#free.unseen) - now;
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#next(), wait).unref();
      return;
    }
    this.#give(next, now);
    next.hold(false);
  }

  #leave(share: Share): void {
    this.#waiting.delete(share);
    if (this.#holder !== share) return;
    this.#holder = undefined;
    this.#next();
  }
}
