export type OutputTurnsOptions = {
  /** Output of one terminal within the window beyond which it is a flood, in bytes and milliseconds. */
  flood: { bytes: number; window: number };
  /** Bytes of a turn. */
  turnBytes: number;
  /** Milliseconds without output after which a turn is over. */
  lapse: number;
  /** A flood that nobody sees rests so many times as long as it flowed. */
  restFactor: number;
};

const defaults: OutputTurnsOptions = {
  flood: { bytes: 128 * 1024, window: 100 },
  turnBytes: 512 * 1024,
  lapse: 20,
  restFactor: 4,
};

/** One terminal among those whose output takes turns. */
export interface OutputShare extends Disposable {
  /** Says that so much has come. @param isSeen whether a client gets it */
  passed(bytes: number, isSeen: boolean): void;
}

/**
 * Floods of output take turns, so that requests and other terminals have the event loop and the processor between them: one terminal
 * has all the speed there is, ten have it together. A terminal without a flood never waits.
 */
export class OutputTurns {
  readonly #options: OutputTurnsOptions;
  readonly #waiting = new Set<Share>();
  #holder: Share | undefined;
  #heldSince = 0;
  #heldBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<OutputTurnsOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** @param hold is called with true when the terminal's output is to wait, and with false when it may go on */
  join(hold: (isHeld: boolean) => void): OutputShare {
    const share: Share = { hold, begin: 0, bytes: 0, rest: undefined };
    return {
      passed: (bytes, isSeen) => this.#passed(share, bytes, isSeen),
      [Symbol.dispose]: () => this.#leave(share),
    };
  }

  #passed(share: Share, bytes: number, isSeen: boolean): void {
    const now = performance.now();
    if (now - share.begin > this.#options.flood.window) Object.assign(share, { begin: now, bytes: 0 });
    share.bytes += bytes;
    if (this.#holder === share) this.#goOn(share, bytes, isSeen, now);
    else if (share.bytes > this.#options.flood.bytes && !this.#waiting.has(share) && !share.rest) {
      if (this.#holder) this.#wait(share);
      else this.#give(share, now);
    }
  }

  #goOn(share: Share, bytes: number, isSeen: boolean, now: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes < this.#options.turnBytes) this.#timer?.refresh();
    else if (!isSeen) this.#restAfter(share, now - this.#heldSince);
    else if (this.#waiting.size > 0) {
      this.#wait(share);
      this.#next();
    } else this.#give(share, now);
  }

  #give(share: Share, now: number): void {
    this.#holder = share;
    this.#heldSince = now;
    this.#heldBytes = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), this.#options.lapse).unref();
  }

  #wait(share: Share): void {
    this.#waiting.add(share);
    share.hold(true);
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#holder = undefined;
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    this.#give(next, performance.now());
    next.hold(false);
  }

  #restAfter(share: Share, milliseconds: number): void {
    const wait = Math.max(this.#options.lapse, milliseconds * this.#options.restFactor);
    share.rest = setTimeout(() => {
      share.rest = undefined;
      this.#waiting.add(share);
      if (!this.#holder) this.#next();
    }, wait).unref();
    share.hold(true);
    this.#next();
  }

  #leave(share: Share): void {
    clearTimeout(share.rest);
    this.#waiting.delete(share);
    if (this.#holder === share) this.#next();
  }
}

type Share = {
  hold: (isHeld: boolean) => void;
  /** Of the window, and what came in it. */
  begin: number;
  bytes: number;
  rest: NodeJS.Timeout | undefined;
};
