import type pg from 'pg';
import { breakOff } from '../connection/gated-pool.ts';

export type ChangeFeedOptions = {
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Milliseconds between attempts to listen again after the connection was lost. */
  retryDelay?: number;
  /** Milliseconds that the server has to answer; one that does not is silent, as one that hangs. */
  patience?: number;
  /** Told when the server falls silent, and when it answers again. */
  onSilence?: () => void;
  onAnswer?: () => void;
};

/** Milliseconds between an answer of the server's and the next question. */
const pulse = 500;
/** Milliseconds that beginning to listen may take. */
const startPatience = 5000;

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
  #pulse: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
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
    const timer = setTimeout(() => this.#silent(client), startPatience);
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      // Whoever counts the processes that listen sees us before we answer from a cache.
      await client.query("select set_config('application_name', $1, false)", [listeningName]);
      for (const listener of [...this.#listeners.values()].flat()) listener('*');
      this.isLive = this.#client === client && !this.#isStopped;
      if (!this.isLive) return;
      this.#options.onAnswer?.();
      this.#feel(client);
    } catch (error) {
      this.#lost(client, error);
    } finally {
      clearTimeout(timer);
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
    const { rows } = await this.#query<{ others: number }>(
      this.#client,
      `select pg_notify($1, $2), (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = $3 and pid <> pg_backend_pid()) as others`,
      [channel, payload, listeningName],
    );
    return rows[0]?.others;
  }

  /** A connection does one thing at a time. */
  #query<Row extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const result = this.#turn.then(() => client.query<Row>(text, values));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** A server that hangs, or a network that swallows everything, breaks no connection: the server is asked again and again. */
  #feel(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#pulse = setTimeout(() => {
      const timer = setTimeout(() => {
        // Where this process was what stood still, the answer lies there unread.
        setImmediate(() => void (isAnswered || this.#silent(client)));
      }, this.#options.patience ?? 3000);
      let isAnswered = false;
      this.#query(client, 'select 1')
        .then(() => this.#feel(client))
        // A connection that breaks tells by itself.
        .catch(() => undefined)
        .finally(() => {
          isAnswered = true;
          clearTimeout(timer);
        });
    }, pulse);
  }

  #silent(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#options.onSilence?.();
    this.#lost(client, new Error('The database does not answer'));
    breakOff(client);
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
