import type pg from 'pg';

export type ChangeFeedOptions = {
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Milliseconds between attempts to listen again after the connection was lost. */
  retryDelay?: number;
};

type Listener = (payload: string) => void;

/**
 * Tells this process of changes that any process commits (PostgreSQL's LISTEN), so that a cache may stand in front of a
 * table. While `isLive` is false nobody may answer from such a cache; it turns true only after every cache was told to
 * forget what it has (a listener called with `*`).
 */
export class ChangeFeed implements AsyncDisposable {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<string, Listener[]>();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  isLive = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** @param listener gets the notification's payload, or `*`: anything may have changed */
  on(channel: string, listener: Listener): void {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), listener]);
  }

  /** Begins to listen. A failure is no error: caches stay unused and the feed tries again. */
  async start(): Promise<void> {
    const client = this.#options.newClient();
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      for (const listener of [...this.#listeners.values()].flat()) listener('*');
      this.isLive = this.#client === client && !this.#isStopped;
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.isLive = false;
    client.end().catch(() => undefined);
    if (this.#isStopped) return;
    if (error) this.#options.onError(error);
    this.#retry = setTimeout(() => void this.start(), this.#options.retryDelay ?? 1000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.isLive = false;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
