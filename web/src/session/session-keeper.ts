import type { User } from './user.ts';

export type Kept = { user: User; token: string; expiresAt: number };

type Message = { type: 'changed'; kept: Kept | null } | { type: 'ask' } | { type: 'answer'; kept: Kept };

/** Milliseconds that a starting page waits for another tab, and for the service worker, to send their session. */
const patience = { tabs: 150, worker: 1500 };

/**
 * Holds the session while a page reloads, and passes it between tabs, only in memory: a service worker (public/session-keeper.js) and a
 * BroadcastChannel. In a browser without either (a private window, a service over plain HTTP), a reload requires a new login.
 */
export class SessionKeeper {
  readonly #channel = new BroadcastChannel('session');
  /** Of a page before this one. It may not control this page: it is still being installed, or the page was reloaded without the cache. */
  readonly #before = navigator.serviceWorker?.getRegistration().catch(() => undefined);
  #worker: ServiceWorker | null | undefined;
  readonly #registered = navigator.serviceWorker
    ?.register('/session-keeper.js')
    .then((registration) => {
      this.#worker = workerOf(registration);
    })
    .catch(() => undefined);
  readonly #changed: (kept: Kept | null) => void;
  /** Receives the next answer of another tab. Absent once this page has a session, or its user has logged out. */
  #receive: ((kept: Kept) => void) | undefined;

  constructor({ current, changed }: { current: () => Kept | null; changed: (kept: Kept | null) => void }) {
    this.#changed = changed;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      const receive = this.#receive;
      if (data.type !== 'ask') this.#receive = undefined;
      if (data.type === 'changed') changed(data.kept);
      if (data.type === 'answer') receive?.(data.kept);
      const mine = data.type === 'ask' ? current() : null;
      if (mine) this.#send({ type: 'answer', kept: mine });
    };
    // The browser stops an idle worker after some seconds and discards its memory, so the session is sent again when the page is hidden.
    addEventListener('pagehide', () => {
      const mine = current();
      if (mine) this.#give(mine);
    });
  }

  keep(kept: Kept | null): void {
    this.#receive = undefined;
    this.#send({ type: 'changed', kept });
    void this.#registered?.then(() => this.#give(kept));
  }

  /**
   * The session of another tab, or of this tab before a reload. Null where none has answered in time. On a busy machine a tab or the
   * worker, which the browser may have to start, answers later: the session is then passed to `changed`.
   */
  async ask(): Promise<Kept | null> {
    const fromTabs = new Promise<Kept | null>((resolve) => {
      this.#receive = resolve;
      setTimeout(() => {
        if (this.#receive === resolve) this.#receive = this.#changed;
        resolve(null);
      }, patience.tabs);
    });
    this.#send({ type: 'ask' });
    const fromWorker = await this.#askWorker();
    if (fromWorker) this.#receive = undefined;
    return fromWorker ?? (await fromTabs);
  }

  async #askWorker(): Promise<Kept | null> {
    const worker = navigator.serviceWorker?.controller ?? workerOf(await this.#before);
    // No page was open here before, so nothing is stored.
    if (!worker) return null;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<Kept | null>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<Kept | null>) => resolve(data);
      setTimeout(() => {
        port1.onmessage = ({ data }: MessageEvent<Kept | null>) => this.#takeLate(data);
        resolve(null);
      }, patience.worker);
    });
    worker.postMessage({ type: 'ask' }, [port2]);
    return await answer;
  }

  #takeLate(kept: Kept | null): void {
    const receive = this.#receive;
    if (!kept || kept.expiresAt <= Date.now() || !receive) return;
    this.#receive = undefined;
    receive(kept);
  }

  #give(value: Kept | null): void {
    const worker = navigator.serviceWorker?.controller ?? this.#worker;
    worker?.postMessage({ type: 'keep', value });
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

/** One that is being installed takes messages as well. */
const workerOf = (registration: ServiceWorkerRegistration | undefined): ServiceWorker | null | undefined =>
  registration?.active ?? registration?.waiting ?? registration?.installing;
