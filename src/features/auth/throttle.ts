import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../database/connect.ts';
import { TooManyRequests } from '../../errors.ts';

export type ThrottleOptions = {
  failuresPerAccount: number;
  failuresPerAddress: number;
  /** Seconds that further attempts are refused, and after which failures are forgotten. */
  blockSeconds: number;
};

/**
 * Slows down whoever guesses passwords. Counted in the database, so all processes agree. An account is throttled together with
 * the address the guesses come from: somebody else's guesses do not lock the real user out.
 */
export class LoginThrottle {
  readonly #db: Database;
  readonly #options: ThrottleOptions;
  readonly #secretKey: string;

  /** @param secretKey the same in each process */
  constructor(db: Database, options: ThrottleOptions, secretKey: string) {
    this.#db = db;
    this.#options = options;
    this.#secretKey = secretKey;
  }

  /** How the keys of an account begin. What was given for a name may be a password in the wrong field: it is not kept as it is. */
  accountPrefix(login: string): string {
    const name = createHmac('sha256', this.#secretKey).update(`login ${login.toLowerCase()}`).digest('base64url');
    return `account:${name}:`;
  }

  #keys(login: string, address: string): { key: string; allowed: number }[] {
    return [
      { key: this.accountPrefix(login) + address, allowed: this.#options.failuresPerAccount },
      { key: `address:${address}`, allowed: this.#options.failuresPerAddress },
    ];
  }

  /** @throws TooManyRequests while the account or the address is blocked */
  async check(login: string, address: string): Promise<void> {
    const keys = this.#keys(login, address).map(({ key }) => key);
    const { seconds } = await this.#db
      .selectFrom('login_throttles')
      .select(sql<number | null>`extract(epoch from max(blocked_until) - now())::float8`.as('seconds'))
      .where('key', 'in', keys)
      .executeTakeFirstOrThrow();
    if (seconds !== null && seconds > 0) throw new TooManyRequests('Too many failed logins; try again later', seconds);
  }

  async recordFailure(login: string, address: string): Promise<void> {
    const { blockSeconds } = this.#options;
    const window = sql`make_interval(secs => ${blockSeconds})`;
    for (const { key, allowed } of this.#keys(login, address)) {
      await sql`
        insert into login_throttles as t (key, failures, last_failure_at, blocked_until)
        values (${key}, 1, now(), case when ${allowed} <= 1 then now() + ${window} else now() end)
        on conflict (key) do update set
          failures = case when t.last_failure_at < now() - ${window} then 1 else t.failures + 1 end,
          last_failure_at = now(),
          blocked_until = case when t.last_failure_at >= now() - ${window} and t.failures + 1 >= ${allowed}
            then now() + ${window} else t.blocked_until end`.execute(this.#db);
    }
  }

  /** A login that succeeded forgives the account's failures from that address. */
  async forgive(login: string, address: string): Promise<void> {
    const [account] = this.#keys(login, address);
    await this.#db
      .deleteFrom('login_throttles')
      .where('key', '=', account?.key ?? '')
      .execute();
  }

  /** Removes what no longer counts; the table stays as small as the last hour's failures. */
  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('login_throttles')
      .where('last_failure_at', '<', sql<Date>`now() - make_interval(secs => ${this.#options.blockSeconds * 2})`)
      .where('blocked_until', '<', sql<Date>`now()`)
      .execute();
  }
}
