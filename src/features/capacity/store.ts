import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { isHeld, statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainersTable, StopReason } from '../../database/tables.ts';

export type ContainerRow = Selectable<ContainersTable>;

export type Removal = { actorId?: number; known?: Pick<ContainerRow, 'uid' | 'status' | 'last_used_at'> };

/** The service's records of containers. A row is written before its container is created, and deleted after its container. */
export class ContainerStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async byId(id: number): Promise<ContainerRow | undefined> {
    return await this.#visible().where('id', '=', id).executeTakeFirst();
  }

  async byAttempt(attemptId: number): Promise<ContainerRow | undefined> {
    return await this.#visible().where('attempt_id', '=', attemptId).executeTakeFirst();
  }

  /** Whether the clock of an attempt has started, so that its user may work in its container, and whether it is stopped now. */
  async stateOfAttempt(attemptId: number): Promise<{ isBegun: boolean; isHeld: boolean }> {
    const attempt = this.#db.selectFrom('attempts').where('id', '=', attemptId);
    const is = sql<boolean>`not ${statusSql.awaitsContainer()}`;
    const row = await attempt.select([is.as('isBegun'), isHeld.as('isHeld')]).executeTakeFirst();
    return row ?? { isBegun: false, isHeld: false };
  }

  async sandboxesOf(userId: number): Promise<ContainerRow[]> {
    return await this.#visible().where('user_id', '=', userId).where('kind', '=', 'sandbox').orderBy('slot').execute();
  }

  /** All containers that may exist on the engine, for the reconciler. */
  async all(): Promise<ContainerRow[]> {
    return await this.#db.selectFrom('containers').selectAll().orderBy('id').execute();
  }

  /** A sandbox enters its user's activity only now. @returns the row as it is now, or undefined when it was given up in the meantime */
  async setMade(
    { id, kind }: Pick<ContainerRow, 'id' | 'kind'>,
    engineRef: string,
    made: { status: 'running' | 'warm'; setup_key: string | null; image_id: string | null },
  ): Promise<ContainerRow | undefined> {
    const update = (db: Pick<Database, 'updateTable'>) =>
      db
        .updateTable('containers')
        .set({ ...made, engine_ref: engineRef, started_at: sql<Date>`now()`, last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('status', 'in', ['creating', 'warming'])
        .returningAll()
        .executeTakeFirst();
    if (kind !== 'sandbox') return await update(this.#db);
    return await this.#db.transaction().execute(async (trx) => {
      const row = await update(trx);
      if (row && row.user_id !== null)
        await logActivity(trx, {
          ...entityOf(row),
          actorId: row.user_id,
          userId: row.user_id,
          type: 'container_create',
        });
      return row;
    });
  }

  /** @param reason of a stop that the user did not request */
  async setRunning(
    id: number,
    isRunning: boolean,
    reason: StopReason | null = null,
  ): Promise<ContainerRow | undefined> {
    const now = sql<Date>`now()`;
    return await this.#db
      .updateTable('containers')
      .set(
        isRunning
          ? { status: 'running', started_at: now, stopped_at: null, stop_reason: null, last_used_at: now }
          : { status: 'stopped', stopped_at: now, stop_reason: reason },
      )
      .where('id', '=', id)
      .where('status', 'in', ['running', 'stopped'])
      .$if(isRunning, (query) => query.where('full_at', 'is', null))
      .returningAll()
      .executeTakeFirst();
  }

  /** Records that a container is in use, and when its owner last typed, where that is known. */
  async touch(id: number, typedAt?: Date): Promise<void> {
    await this.#db
      .updateTable('containers')
      .set({ last_used_at: sql<Date>`now()`, last_input_at: sql<Date>`greatest(last_input_at, ${typedAt ?? null})` })
      .where('id', '=', id)
      .execute();
  }

  /**
   * From then on the container is visible only to the process that removes it.
   * @param actorId logs who deleted a sandbox
   * @param known only if the row is unchanged since the decision to remove it
   */
  async setRemoving(id: number, { actorId, known }: Removal = {}): Promise<ContainerRow | undefined> {
    if (actorId === undefined) return await giveUp(this.#db, id, known);
    return await this.#db.transaction().execute(async (trx) => {
      const row = await giveUp(trx, id, known);
      if (row)
        await logActivity(trx, { ...entityOf(row), actorId, userId: row.user_id ?? actorId, type: 'container_delete' });
      return row;
    });
  }

  async forget(id: number): Promise<void> {
    await this.#db.deleteFrom('containers').where('id', '=', id).execute();
  }

  /** Sandboxes that have been unused for too long, or that are older than the maximum. */
  async outdatedSandboxes(idleMinutes: number): Promise<{ idle: ContainerRow[]; old: ContainerRow[] }> {
    const sandboxes = this.#visible().where('kind', '=', 'sandbox');
    const old = await sandboxes.where('expires_at', '<=', sql<Date>`now()`).execute();
    const idle = await sandboxes
      .where('status', '=', 'running')
      .where('expires_at', '>', sql<Date>`now()`)
      .where('last_used_at', '<', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
      .execute();
    return { idle, old };
  }

  #visible() {
    return this.#db.selectFrom('containers').selectAll().where('status', 'not in', ['removing', 'warm', 'warming']);
  }
}

async function giveUp(
  db: Pick<Database, 'updateTable'>,
  id: number,
  known: Removal['known'],
): Promise<ContainerRow | undefined> {
  return await db
    .updateTable('containers')
    .set({ status: 'removing', name: sql<string>`'removing-' || uid` })
    .where('id', '=', id)
    .where('status', '<>', 'removing')
    .$if(known !== undefined, (query) =>
      query
        .where('status', '=', known?.status ?? 'removing')
        .where('uid', '=', known?.uid ?? '')
        .where('last_used_at', '=', known?.last_used_at ?? new Date(0)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** A container's reference in the activity log. */
export const entityOf = ({ id, name }: Pick<ContainerRow, 'id' | 'name'>) => ({
  title: name,
  entityType: 'container',
  entityId: id,
});
