import type pg from 'pg';
import { asService } from '../../../packages/limits/request-client.ts';
import { type LockName, lockKey } from '../locks.ts';

/**
 * Runs work in one of the processes that share the database: the holder of the advisory lock. The others do nothing. The lock is
 * released with its connection, including that of a killed process.
 * @returns false if another process is running it, or another call in this one
 */
export async function runAlone(pool: pg.Pool, name: LockName, work: () => Promise<void>): Promise<boolean> {
  const locks = locksOf.get(pool) ?? new Locks(pool);
  locksOf.set(pool, locks);
  return await locks.runAlone(name, work);
}

const locksOf = new WeakMap<pg.Pool, Locks>();

type Session = { client: Promise<pg.PoolClient>; users: number; error: Error | undefined };

/**
 * The locks that a process holds now, in one session. Were it one for each, as many pieces of work as the pool has connections would each
 * hold one and wait for a second.
 */
class Locks {
  readonly #pool: pg.Pool;
  readonly #held = new Set<LockName>();
  #session: Session | undefined;
  /** A session grants its own locks again, and executes one statement at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async runAlone(name: LockName, work: () => Promise<void>): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    const session = this.#session ?? { client: asService(() => this.#pool.connect()), users: 0, error: undefined };
    this.#session = session;
    session.users += 1;
    try {
      if (!(await this.#ask(session, 'select pg_try_advisory_lock($1) as locked', name))) return false;
      try {
        await work();
      } finally {
        await this.#ask(session, 'select pg_advisory_unlock($1) as locked', name);
      }
      return true;
    } finally {
      this.#held.delete(name);
      session.users -= 1;
      if (session.users === 0) await this.#release(session);
    }
  }

  async #ask(session: Session, statement: string, name: LockName): Promise<boolean> {
    const asked = this.#turn.then(async () => {
      const client = await session.client;
      const { rows } = await client.query<{ locked: boolean }>(statement, [lockKey(name)]);
      return rows[0]?.locked === true;
    });
    this.#turn = asked.catch(() => undefined);
    try {
      return await asked;
    } catch (cause) {
      // Others that share it go on. It is not used for further locks, and not reused: it may still hold some.
      session.error = cause instanceof Error ? cause : new Error(String(cause));
      if (this.#session === session) this.#session = undefined;
      throw cause;
    }
  }

  async #release(session: Session): Promise<void> {
    if (this.#session === session) this.#session = undefined;
    const client = await session.client.catch(() => undefined);
    client?.release(session.error);
  }
}
