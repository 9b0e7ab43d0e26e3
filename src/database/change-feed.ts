import type pg from 'pg';

export type ChangeFeedOptions = {
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Milliseconds between attempts to listen again after the connection was lost. */
  retryDelay?: number;
};

/** By this name the connection of a process that listens is known. */
const listeningName = 'learning-platform listening';

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
  /** Told of each change that this process has made itself, after it is committed. */
  onOwnChange: () => void = () => {};

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
      // Whoever counts the processes that listen sees us before we answer from a cache.
      await client.query("select set_config('application_name', $1, false)", [listeningName]);
      for (const listener of [...this.#listeners.values()].flat()) listener('*');
      this.isLive = this.#client === client && !this.#isStopped;
    } catch (error) {
      this.#lost(client, error);
    }
  }

  /** Whoever has committed a change says so; see `onOwnChange`. */
  changed(): void {
    this.onOwnChange();
  }

  /**
   * Sends a notification to all processes that listen, this one included.
   * @param payload at most 7,999 bytes
   * @returns how many others there are; undefined while this one does not listen itself
   */
  async notify(channel: string, payload: string): Promise<number | undefined> {
    if (!this.isLive || !this.#client) return undefined;
    const { rows } = await this.#client.query<{ others: number }>(
      `select pg_notify($1, $2), (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = $3 and pid <> pg_backend_pid()) as others`,
      [channel, payload, listeningName],
    );
    return rows[0]?.others;
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
