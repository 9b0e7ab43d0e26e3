import { sql } from 'kysely';
import { isHeld, isLockedDown, worksLockedDown } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';

/** The containers in which nobody works, because the clock of their attempt is stopped. */
export class HoldStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Of these containers, those that are held. */
  async held(containerIds: readonly number[]): Promise<Set<number>> {
    const { rows } = await sql<{ id: number }>`select containers.id from containers
      join attempts on attempts.id = containers.attempt_id
      where containers.id = any(${containerIds}::int[]) and ${isHeld}`.execute(this.#db);
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether an exam keeps the user from starting anything else. */
  async isLockedDown(userId: number): Promise<boolean> {
    const { rows } = await sql<{ is: boolean }>`select ${isLockedDown(sql`${userId}::int`)} as is`.execute(this.#db);
    return rows[0]?.is ?? false;
  }

  /** The running sandboxes of users who take an exam that allows none. */
  async forbidden(): Promise<{ id: number; name: string; ref: string }[]> {
    const { rows } = await sql<{
      id: number;
      name: string;
      ref: string;
    }>`select id, name, engine_ref as ref from containers
      where kind = 'sandbox' and status = 'running' and engine_ref is not null and ${worksLockedDown(sql.ref('containers.user_id'))}
      order by id`.execute(this.#db);
    return rows;
  }

  /** Records that these machines of attempts on a break stand still from now on. A break adds the time since then to its attempt. */
  async recordHeld(refs: readonly string[]): Promise<void> {
    await sql`update attempts set held_at = clock_timestamp() from containers
      where containers.engine_ref = any(${refs}::text[]) and attempts.id = containers.attempt_id
        and attempts.break_ends_at is not null and attempts.held_at is null`.execute(this.#db);
  }

  /** The engine's references of the containers whose processes should be frozen. Those of an attempt that is graded run. */
  async frozen(): Promise<Set<string>> {
    const { rows } = await sql<{ ref: string }>`select containers.engine_ref as ref from attempts
      join containers on containers.attempt_id = attempts.id
      where attempts.status = 'in_progress' and ${isHeld} and containers.status = 'running'
        and containers.engine_ref is not null`.execute(this.#db);
    return new Set(rows.map(({ ref }) => ref));
  }
}
