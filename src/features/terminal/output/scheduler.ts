export type OutputTurnsOptions = {
  /** The amount of output of one terminal within the window above which it is a flood, in bytes and milliseconds. */
  flood: { bytes: number; window: number };
  /** Bytes in one turn. */
  turnBytes: number;
  /** Milliseconds without output after which a turn is over. */
  lapse: number;
  /** Bytes per second of all floods together. A single flood with a viewer is not limited. Floods without a viewer get an eighth. */
  bytesPerSecond: number;
};

/** The rate of all floods, as a multiple of the rate of those without a viewer. */
const unseenPart = 8;

const defaults: OutputTurnsOptions = {
  flood: { bytes: 128 * 1024, window: 100 },
  turnBytes: 256 * 1024,
  lapse: 20,
  bytesPerSecond: 2 * 1024 * 1024,
};

/** One of the terminals whose output takes turns. */
export interface OutputShare extends Disposable {
  /** Reports output: its bytes, or more where it was expensive. */
  passed(bytes: number): void;
  /** Reports whether a client receives the output. */
  setSeen(isSeen: boolean): void;
}

type Share = {
  hold: (isHeld: boolean) => void;
  isSeen: boolean;
  /** The start of the window, and the output within it. */
  begin: number;
  bytes: number;
};

/**
 * Floods of output take turns. Each turn is followed by a pause in proportion to its bytes, which leaves the event loop to requests and
 * other terminals. A single flood with a viewer runs at full speed, and several floods share a rate. A terminal without a flood never
 * waits, and no flood waits forever.
 */
export class OutputScheduler {
  readonly #options: OutputTurnsOptions;
  /** The longest waiting come first. */
  readonly #waiting = new Set<Share>();
  #holder: Share | undefined;
  #turnBytes = 0;
  /** The earliest start of the next turn. */
  readonly #free = { seen: 0, unseen: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<OutputTurnsOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** @param hold is called with true when the terminal's output must wait, and with false when it may continue */
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
    // A terminal that stops writing releases its turn.
    this.#timer = setTimeout(() => {
      this.#endTurn();
      this.#next();
    }, this.#options.lapse).unref();
  }

  #freeFrom({ isSeen }: Share): number {
    return isSeen ? this.#free.seen : Math.max(this.#free.seen, this.#free.unseen);
  }

  /** Gives the turn to the terminal that may start first, now or at its start time. */
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
