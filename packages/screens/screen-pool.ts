import type { FromWorker, ScreenLimits } from './messages.ts';
import { RemoteScreen } from './remote-screen.ts';
import { ScreenWorker } from './screen-worker.ts';
import type { ScreenSize, TerminalScreen, TerminalScreens } from './terminal-screens.ts';

export type ScreenPoolOptions = ScreenLimits & {
  /** Maximum workers, in addition to the one for suspect screens. */
  workers: number;
  heapMb: number;
  silence: number;
  log: { warn: (details: object, message: string) => void };
  /** Milliseconds without an emulator for a screen that caused two worker failures; doubled each further time. */
  firstBreak?: number;
  /** The threads' program; tests use one that fails. */
  script?: URL;
};

/** Screens per worker before another worker is started. */
const fewScreens = 8;
/** Strikes at which a screen moves to the worker for suspects, and at which it has no emulator for a while. */
const strikes = { suspect: 1, out: 2 };
/** Maximum time without an emulator in milliseconds. */
const longestBreak = 600_000;

type Place = { worker: ScreenWorker; screens: Set<RemoteScreen>; isForSuspects: boolean };

/**
 * Holds screens in worker threads, which are started with the first terminal. A worker that hangs, fails or runs out of memory is
 * replaced, and its screens start blank in another one. The screen in progress at that time is isolated from the others.
 */
export class ScreenPool implements TerminalScreens, AsyncDisposable {
  readonly #options: ScreenPoolOptions;
  readonly #places = new Set<Place>();
  readonly #screens = new Map<number, RemoteScreen>();
  readonly #breaks = new Map<RemoteScreen, NodeJS.Timeout>();
  #lastId = 0;
  #isDisposed = false;

  constructor(options: ScreenPoolOptions) {
    this.#options = options;
  }

  /** The number of threads. */
  get workers(): number {
    return this.#places.size;
  }

  open(size: ScreenSize, onLost: () => void): TerminalScreen {
    this.#lastId += 1;
    const { bufferBytes } = this.#options;
    const screen = new RemoteScreen({
      ...{ id: this.#lastId, size, bufferBytes, onLost },
      onClose: (closed) => this.#forget(closed),
    });
    this.#screens.set(screen.id, screen);
    this.#begin(screen);
    return screen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    for (const screen of [...this.#screens.values()]) screen[Symbol.dispose]();
    await Promise.all([...this.#places].map(({ worker }) => worker[Symbol.asyncDispose]()));
    this.#places.clear();
  }

  #begin(screen: RemoteScreen): void {
    if (this.#isDisposed || screen.isDisposed) return;
    const place = this.#placeFor(screen.strikes >= strikes.suspect);
    place.screens.add(screen);
    screen.begin(place.worker);
  }

  #placeFor(isSuspect: boolean): Place {
    const places = [...this.#places].filter(({ isForSuspects }) => isForSuspects === isSuspect);
    const [emptiest] = places.sort((a, b) => a.screens.size - b.screens.size);
    const most = isSuspect ? 1 : this.#options.workers;
    if (emptiest && (emptiest.screens.size < fewScreens || places.length >= most)) return emptiest;
    return this.#newPlace(isSuspect);
  }

  #newPlace(isForSuspects: boolean): Place {
    const place: Place = {
      isForSuspects,
      screens: new Set(),
      worker: new ScreenWorker({
        ...{ limits: this.#limits, heapMb: this.#options.heapMb, silence: this.#options.silence },
        script: this.#options.script,
        onMessage: (message) => this.#hear(message),
        onDeath: (death) => this.#bury(place, death),
      }),
    };
    this.#places.add(place);
    return place;
  }

  get #limits(): ScreenLimits {
    const { bufferBytes, scrollback, cells, pictureBytes } = this.#options;
    return { bufferBytes, scrollback, cells, pictureBytes };
  }

  #hear(message: FromWorker): void {
    if (message.is === 'ready' || message.is === 'pong') return;
    if (message.is === 'picture') {
      const { buffer, byteOffset, byteLength } = message.bytes;
      this.#screens.get(message.id)?.drawn(message.number, Buffer.from(buffer, byteOffset, byteLength), message.at);
      return;
    }
    const screen = this.#screens.get(message.id);
    if (message.is === 'taken') screen?.taken(message.bytes);
    else if (screen) {
      this.#options.log.warn({ reason: message.reason }, 'the screen of a terminal was dropped');
      for (const { screens } of this.#places) screens.delete(screen);
      this.#moveOn(screen, 1);
    }
  }

  #bury(place: Place, { reason, current }: { reason: string; current: number }): void {
    this.#places.delete(place);
    this.#options.log.warn({ reason, screens: place.screens.size }, 'a screen worker has failed');
    const isFound = [...place.screens].some(({ id }) => id === current);
    // If it worked on none of them, any may be the cause.
    for (const screen of place.screens) this.#moveOn(screen, screen.id === current ? 1 : isFound ? 0 : 0.5);
  }

  #moveOn(screen: RemoteScreen, blame: number): void {
    screen.strikes += blame;
    const isOut = blame > 0 && screen.strikes >= strikes.out;
    screen.lose(!isOut);
    if (isOut) this.#takeBreak(screen);
    else this.#begin(screen);
  }

  #takeBreak(screen: RemoteScreen): void {
    const { firstBreak = 30_000 } = this.#options;
    const pause = Math.min(longestBreak, firstBreak * 2 ** Math.floor(screen.strikes - strikes.out));
    const timer = setTimeout(() => {
      this.#breaks.delete(screen);
      this.#begin(screen);
    }, pause).unref();
    this.#breaks.set(screen, timer);
  }

  #forget(screen: RemoteScreen): void {
    this.#screens.delete(screen.id);
    clearTimeout(this.#breaks.get(screen));
    this.#breaks.delete(screen);
    for (const place of this.#places) {
      place.screens.delete(screen);
      if (!place.isForSuspects || place.screens.size > 0) continue;
      // Memory left by suspect screens is freed with it.
      this.#places.delete(place);
      void place.worker[Symbol.asyncDispose]();
    }
  }
}
