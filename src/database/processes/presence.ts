import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { statusSql } from '../attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import { lockKey } from '../locks.ts';

export type PresenceOptions = {
  db: Database;
  newClient: () => pg.Client;
  onError: (error: unknown) => void;
  /** Milliseconds between reconnection attempts. */
  retryDelay?: number;
  /** Milliseconds for a process to reconnect before it counts as dead. */
  patience?: number;
};

/** The first key of the advisory locks; the second is the number of the process. */
const lockClass = lockKey('presence');
/** The rows of pg_locks that belong to living processes. */
const held = sql`locktype = 'advisory' and granted and classid::bigint = ${lockClass} and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())`;

/** Whether the process of a column lives. A connection that is lost for a moment makes it seem dead. */
export const isLiving = (processId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from pg_locks where ${held} and objid::bigint = ${processId})`;

/**
 * Signals to all processes of the service that this one is alive, with an advisory lock under a unique number on a dedicated
 * connection. The lock is released with the process, however that ends, so its unfinished work is detected immediately.
 */
export class Presence implements AsyncDisposable {
  readonly processId: number;
  readonly #options: PresenceOptions;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  private constructor(processId: number, options: PresenceOptions) {
    this.processId = processId;
    this.#options = options;
  }

  static async begin(options: PresenceOptions): Promise<Presence> {
    const { rows } = await sql<{ id: number }>`select nextval('process_ids')::int as id`.execute(options.db);
    const presence = new Presence(rows[0]?.id ?? 0, options);
    await presence.#appear();
    return presence;
  }

  /** The dead processes with unfinished work. A brief loss of the connection does not count. */
  async gone(): Promise<number[]> {
    return await this.#twice(() => this.#absent());
  }

  async #twice(absent: () => Promise<number[]>): Promise<number[]> {
    const suspects = await absent();
    if (suspects.length === 0) return [];
    await delay(this.#options.patience ?? 2000);
    const still = new Set(await absent());
    return suspects.filter((id) => still.has(id));
  }

  /** The processes that serve terminals and are dead. A brief loss of the connection does not count. */
  async goneOfTerminals(): Promise<number[]> {
    const absent = async () => {
      const { rows } = await sql<{ id: number }>`
        select distinct process_id as id from terminals where process_id is not null and not exists (
          select from pg_locks where ${held} and objid::bigint = process_id)`.execute(this.#options.db);
      return rows.map(({ id }) => id).filter((id) => id !== this.processId);
    };
    return await this.#twice(absent);
  }

  /** The number of living processes of the service. */
  async living(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks where ${held}`.execute(
      this.#options.db,
    );
    return rows[0]?.count ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #appear(): Promise<void> {
    const client = this.#options.newClient();
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1, $2)', [lockClass, this.processId]);
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    if (this.#isStopped) return;
    if (error) this.#options.onError(error);
    this.#retry = setTimeout(() => void this.#appear(), this.#options.retryDelay ?? 500);
  }

  async #absent(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select distinct process_id as id from (
        select process_id from attempts where ${statusSql.needsProcess()}
        union all
        select process_id from attempts where status = 'queued'
        union all
        select process_id from containers where status in ('creating', 'warming') or kind = 'trial'
      ) as unfinished
      where process_id is not null and process_id <> ${this.processId} and not exists (
        select from pg_locks where ${held} and objid::bigint = process_id)`.execute(this.#options.db);
    return rows.map(({ id }) => id);
  }
}
