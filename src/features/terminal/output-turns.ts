export type OutputTurnsOptions = {
  /** Output of one terminal within the window beyond which it is a flood, in bytes and milliseconds. */
  flood: { bytes: number; window: number };
  /** Bytes of a turn. */
  turnBytes: number;
  /** Milliseconds without output after which a turn is over. */
  lapse: number;
  /** Bytes a second of all floods together, unless somebody sees the only one. Those that nobody sees have an eighth of it. */
  bytesPerSecond: number;
};

/** The rate of all floods, as a multiple of that of those that nobody sees. */
const unseenPart = 8;

const defaults: OutputTurnsOptions = {
  flood: { bytes: 128 * 1024, window: 100 },
  turnBytes: 256 * 1024,
  lapse: 20,
  bytesPerSecond: 2 * 1024 * 1024,
};

/** One terminal among those whose output takes turns. */
export interface OutputShare extends Disposable {
  /** Reports output: its bytes, or more where it was costly. */
  passed(bytes: number): void;
  /** Reports whether a client gets the output. */
  setSeen(isSeen: boolean): void;
}

type Share = {
  hold: (isHeld: boolean) => void;
  isSeen: boolean;
  /** When the window began, and what came in it. */
  begin: number;
  bytes: number;
};

/**
 * Floods of output take turns, and each turn is followed by a pause that is in proportion to its bytes, so that requests and other
 * terminals have the event loop. One flood alone that somebody sees has all the speed there is; several share a rate. A terminal
 * without a flood never waits, and no flood waits for ever.
 */
export class OutputTurns {
  readonly #options: OutputTurnsOptions;
  /** Those who have waited longest come first. */
  readonly #waiting = new Set<Share>();
  #holder: Share | undefined;
  #turnBytes = 0;
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
      passed: (bytes) => this.#passed(share, bytes),
      setSeen: (isSeen) => {
        if (share.isSeen === isSeen) return;
        share.isSeen = isSeen;
        if (!this.#holder) this.#next();
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
      this.#turnBytes += bytes;
      if (this.#turnBytes < turnBytes) this.#timer?.refresh();
      else this.#turnIsFull(share);
    } else if (share.bytes > flood.bytes && !this.#waiting.has(share)) {
      this.#wait(share);
      if (!this.#holder) this.#next();
    }
  }

  #turnIsFull(share: Share): void {
    const now = performance.now();
    if (share.isSeen && ![...this.#waiting].some((other) => this.#freeFrom(other) <= now || other.isSeen)) {
      this.#give(share);
      return;
    }
    this.#wait(share);
    this.#endTurn();
    this.#next();
  }

  #wait(share: Share): void {
    this.#waiting.add(share);
    share.hold(true);
  }

  #endTurn(): void {
    const pause = (this.#turnBytes / this.#options.bytesPerSecond) * 1000;
    const now = performance.now();
    this.#free.seen = now + pause;
    if (this.#holder?.isSeen === false) this.#free.unseen = now + pause * unseenPart;
    this.#holder = undefined;
  }

  #give(share: Share): void {
    this.#waiting.delete(share);
    this.#holder = share;
    this.#turnBytes = 0;
    clearTimeout(this.#timer);
    // One that writes nothing more gives its turn away.
    this.#timer = setTimeout(() => {
      this.#endTurn();
      this.#next();
    }, this.#options.lapse).unref();
  }

  #freeFrom({ isSeen }: Share): number {
    return isSeen ? this.#free.seen : Math.max(this.#free.seen, this.#free.unseen);
  }

  /** Gives the turn to the one that may begin first, now or when that time has come. */
  #next(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let next: Share | undefined;
    let from = Number.POSITIVE_INFINITY;
    for (const share of this.#waiting) {
      const free = Math.max(now, this.#freeFrom(share));
      if (free >= from) continue;
      next = share;
      from = free;
    }
    if (!next) return;
    if (from > now) {
      this.#timer = setTimeout(() => this.#next(), from - now).unref();
      return;
    }
    this.#give(next);
    next.hold(false);
  }

  #leave(share: Share): void {
    this.#waiting.delete(share);
    if (this.#holder !== share) return;
    this.#endTurn();
    this.#next();
  }
}
