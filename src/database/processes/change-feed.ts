import type pg from 'pg';
import { breakOff } from '../connection/gated-pool.ts';

export type ChangeFeedOptions = {
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Milliseconds between reconnection attempts. */
  retryDelay?: number;
  /** Milliseconds for the server to answer. After that it counts as hanging. */
  patience?: number;
  /**
   * Called when this connection gets no answer, and when it gets one again.
   * @param since the moment of `performance.now()` after which an answer on another connection shows that the server is not silent
   */
  onSilence?: (since: number) => void;
  onAnswer?: () => void;
};

/** Milliseconds between an answer of the server and the next ping. */
const pulse = 500;
/** Timeout in milliseconds for starting to listen. */
const startPatience = 5000;
/** Default of `patience`. */
const defaultPatience = 3000;

/** The application name that identifies listening connections. */
const listeningName = 'learning-platform listening';

type Listener = (payload: string) => void;

/**
 * Notifies this process of changes that any process commits (PostgreSQL's LISTEN), so that tables can be cached. While `isLive` is
 * false, caches must not be used. It becomes true only after every cache was invalidated (a listener called with `*`).
 */
export class ChangeFeed implements AsyncDisposable {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<string, Listener[]>();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pulse: NodeJS.Timeout | undefined;
  readonly #ownListeners: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  isLive = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** @param listener gets the notification's payload, or `*` if anything may have changed */
  on(channel: string, listener: Listener): void {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), listener]);
  }

  /** @param listener is called for each change of this process, after its commit */
  onOwnChange(listener: () => void): void {
    this.#ownListeners.push(listener);
  }

  /** Starts to listen. A failure is not an error: caches stay unused and the feed retries. */
  async start(): Promise<void> {
    const client = this.#options.newClient();
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? '');
    });
    const timer = setTimeout(() => this.#silent(client), startPatience);
    const begin = performance.now();
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      // This process must be visible to others that count listeners before it answers from a cache.
      await client.query("select set_config('application_name', $1, false)", [listeningName]);
      for (const listener of [...this.#listeners.values()].flat()) listener('*');
      this.isLive = this.#client === client && !this.#isStopped;
      if (!this.isLive) return;
      this.#options.onAnswer?.();
      this.#feel(client);
    } catch (error) {
      if (performance.now() - begin >= this.#patience) this.#reportSilence();
      this.#lost(client, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Call this after committing a change; see `onOwnChange`. */
  changed(): void {
    for (const listener of this.#ownListeners) listener();
  }

  /**
   * Sends a notification to all listening processes, including this one.
   * @param payload at most 7,999 bytes
   * @returns the number of other processes; undefined while this one does not listen
   */
  async notify(channel: string, payload: string): Promise<number | undefined> {
    if (!this.isLive || !this.#client) return undefined;
    const { rows } = await this.#query<{ others: number }>(
      this.#client,
      `select pg_notify($1, $2), (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = $3 and pid <> pg_backend_pid()) as others`,
      [channel, payload, listeningName],
    );
    return rows[0]?.others;
  }

  /** A connection runs one statement at a time. */
  #query<Row extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const result = this.#turn.then(() => client.query<Row>(text, values));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** A hanging server or a network that drops packets does not break a connection, so the server is pinged regularly. */
  #feel(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#pulse = setTimeout(() => {
      const timer = setTimeout(() => {
        // If this process itself was blocked, the answer may be waiting unread.
        setImmediate(() => void (isAnswered || this.#silent(client)));
      }, this.#patience);
      let isAnswered = false;
      this.#query(client, 'select 1')
        .then(() => this.#feel(client))
        // A broken connection is reported separately.
        .catch(() => undefined)
        .finally(() => {
          isAnswered = true;
          clearTimeout(timer);
        });
    }, pulse);
  }

  #silent(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#reportSilence();
    this.#lost(client, new Error('The database does not answer'));
    breakOff(client);
  }

  get #patience(): number {
    return this.#options.patience ?? defaultPatience;
  }

  /** An older answer may be from before the silence. */
  #reportSilence(): void {
    this.#options.onSilence?.(performance.now() - this.#patience / 2);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.isLive = false;
    clearTimeout(this.#pulse);
    client.end().catch(() => undefined);
    if (this.#isStopped) return;
    if (error) this.#options.onError(error);
    this.#retry = setTimeout(() => void this.start(), this.#options.retryDelay ?? 1000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.isLive = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#pulse);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
