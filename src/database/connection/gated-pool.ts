import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { Lanes } from '../../../packages/limits/lanes.ts';
import { requestClient } from '../../../packages/limits/request-client.ts';
import { tooManyAtOnce, UnavailableError } from '../../errors.ts';

type OnAcquired = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * The share of the connections that one client can hold at once: its statements may all wait for the lock of one row. At least two, so
 * that work which holds one and needs another does not wait for itself.
 */
const clientShare = 0.2;
/** Statements and transactions of one client that may wait in memory. */
const maxWaitingPerClient = 1000;
/** Milliseconds that one of them may wait for others of its client, such as a class that logs in at the same moment. */
const maxClientWaitMs = 15_000;

/**
 * A pool that can be shut while the server is silent. Otherwise statements on a hanging server would block their callers until
 * their own timeouts. The requests of one client wait for each other before they take a connection, so that they never hold all of them.
 * Work of the service itself is not limited.
 */
export class GatedPool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>();
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #acquireTimeout: number;
  readonly #lanes: Lanes;
  /** What ends the turn of a client's connection. */
  readonly #turns = new WeakMap<pg.PoolClient, () => void>();
  #isShut = false;
  #answeredAt = 0;

  /** @param config `connectionTimeoutMillis` bounds the total wait of a caller: for a free slot and for a new connection in it */
  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    this.#acquireTimeout = config.connectionTimeoutMillis;
    const concurrency = Math.max(2, Math.floor(config.max * clientShare));
    const limits = { concurrency, maxWaiting: maxWaitingPerClient, maxWaitMs: maxClientWaitMs };
    this.#lanes = new Lanes(limits, tooManyAtOnce('Too many of your requests at once; wait for their answers'));
    this.on('release', (_error, client) => {
      this.#turns.get(client)?.();
      this.#turns.delete(client);
    });
    this.on('connect', (client) => {
      this.#clients.add(client);
      this.#answered();
      connectionOf(client).on('readyForQuery', () => this.#answered());
    });
    this.on('remove', (client) => this.#clients.delete(client));
  }

  /**
   * Breaks every connection, so that waiting callers fail immediately, and refuses new ones. The outcome of running statements is
   * unknown.
   */
  shut(): void {
    this.#isShut = true;
    for (const refuse of this.#waiting) refuse(unavailable());
    for (const client of this.#clients) breakOff(client);
  }

  /**
   * Shuts, unless the server has answered on one of the connections. On a busy machine a single answer can be late, and then the other
   * statements should not fail.
   * @param since moment of `performance.now()`
   */
  shutIfSilent(since: number): void {
    if (this.#answeredAt < since) this.shut();
  }

  open(): void {
    this.#isShut = false;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnAcquired): void;
  override connect(callback?: OnAcquired): Promise<pg.PoolClient> | undefined {
    const acquired = this.#isShut ? Promise.reject(unavailable()) : this.#acquireInTurn();
    if (!callback) return acquired;
    acquired.then(
      (client) => callback(undefined, client, (error) => client.release(error as Error | undefined)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  #answered(): void {
    this.#answeredAt = performance.now();
  }

  async #acquireInTurn(): Promise<pg.PoolClient> {
    const key = requestClient();
    if (key === undefined) return await this.#acquire();
    const leave = await this.#lanes.enter(key);
    try {
      if (this.#isShut) throw unavailable();
      const connection = await this.#acquire();
      this.#turns.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #acquire(): Promise<pg.PoolClient> {
    // An idle connection is there at once.
    if (this.idleCount > this.waitingCount) return await super.connect();
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(unavailable()), this.#acquireTimeout);
    this.#waiting.add(reject);
    const coming = super.connect();
    try {
      return await Promise.race([coming, refused]);
    } catch (error) {
      // The connection may still be established after its caller has given up.
      coming.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(reject);
    }
  }
}

/** Closes a connection without notifying a server that would not respond. Its statements fail. */
export function breakOff(client: pg.ClientBase): void {
  connectionOf(client).stream.destroy();
}

/** The protocol's part of a client, which is not in its types. */
const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: EventEmitter & { stream: { destroy(): void } } }).connection;

const unavailable = (): UnavailableError =>
  new UnavailableError('database_unavailable', 'The database is not available', { retryAfter: 5 });
