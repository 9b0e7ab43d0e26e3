import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import { type CodeOf, TooManyRequests } from '../../errors.ts';

export type ThrottleOptions = {
  /** Failures from which an account, and a network, has to wait. */
  failuresPerAccount: number;
  failuresPerNetwork: number;
  /** The first wait of an account in seconds, which doubles with each further failure, and the longest. A network's wait stays the first. */
  blockSeconds: number;
  maxBlockSeconds: number;
  /** Seconds after an account's last failure, from which its failures are forgotten. */
  forgetSeconds: number;
};

/** Where a request comes from. */
export type Claim = {
  network: string;
  /** Whether the account that it concerns has logged in from there before. */
  isKnown: boolean;
};

/** The account that somebody tries: a user's, or that of a name which nobody has. */
export type Account = { userId: number } | { name: string };

type Scope = { key: string; allowed: number; longest: number; forgetAfter: number };

/**
 * Slows down guessing, of passwords and of registration codes. Counted in the database, so all processes agree.
 * An account that is tried from networks it is not known from has one counter for all of them: neither many networks nor another
 * spelling of its name give further tries. A network that it is known from has a counter of its own, and no other counts there: what
 * strangers do does not keep the user out.
 */
export class LoginThrottle {
  readonly #db: Database;
  readonly #options: ThrottleOptions;
  readonly #hash: KeyedHash;

  constructor(db: Database, options: ThrottleOptions, hash: KeyedHash) {
    this.#db = db;
    this.#options = options;
    this.#hash = hash;
  }

  /** How the keys of an account begin. What was given for a name may be a password in the wrong field: it is not kept as it is. */
  accountPrefix(account: Account): string {
    const of = 'userId' in account ? `user ${account.userId}` : `login ${account.name.trim().toLowerCase()}`;
    return `account:${this.#hash(of)}`;
  }

  /** @throws TooManyRequests while logins to the account from there have to wait */
  async check(account: Account, claim: Claim): Promise<void> {
    await this.#check(this.#scopes(account, claim), 'too_many_logins', 'Too many failed logins; try again later');
  }

  async recordFailure(account: Account, claim: Claim): Promise<void> {
    const scopes = this.#scopes(account, claim);
    if (claim.isKnown) scopes.push(this.#networkScope('network', claim.network));
    await this.#record(scopes);
  }

  /** A login that succeeded forgives the account's failures of its kind: from that known network, or of all strangers. */
  async forgive(account: Account, claim: Claim): Promise<void> {
    const [own] = this.#scopes(account, claim);
    await this.#db
      .deleteFrom('login_throttles')
      .where('key', '=', own?.key ?? '')
      .execute();
  }

  /** The same for registration codes, which have no account. @throws TooManyRequests */
  async checkCodes(network: string): Promise<void> {
    await this.#check(
      [this.#networkScope('code', network)],
      'too_many_registration_codes',
      'Too many wrong registration codes; try again later',
    );
  }

  async recordWrongCode(network: string): Promise<void> {
    await this.#record([this.#networkScope('code', network)]);
  }

  /** Removes what no longer counts. */
  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('login_throttles')
      .where('last_failure_at', '<', sql<Date>`now() - make_interval(secs => ${this.#options.forgetSeconds})`)
      .where('blocked_until', '<', sql<Date>`now()`)
      .execute();
  }

  /** The account's own counter first. */
  #scopes(account: Account, { network, isKnown }: Claim): Scope[] {
    const { failuresPerAccount, maxBlockSeconds, forgetSeconds } = this.#options;
    const prefix = this.accountPrefix(account);
    const key = isKnown ? `${prefix}:${this.#hash(network)}` : prefix;
    const own = { key, allowed: failuresPerAccount, longest: maxBlockSeconds, forgetAfter: forgetSeconds };
    return isKnown ? [own] : [own, this.#networkScope('network', network)];
  }

  #networkScope(kind: 'network' | 'code', network: string): Scope {
    const { failuresPerNetwork: allowed, blockSeconds } = this.#options;
    return { key: `${kind}:${this.#hash(network)}`, allowed, longest: blockSeconds, forgetAfter: blockSeconds };
  }

  async #check(scopes: readonly Scope[], code: CodeOf<429>, refusal: string): Promise<void> {
    const { seconds } = await this.#db
      .selectFrom('login_throttles')
      .select(sql<number | null>`extract(epoch from max(blocked_until) - now())::float8`.as('seconds'))
      .where(
        'key',
        'in',
        scopes.map(({ key }) => key),
      )
      .executeTakeFirstOrThrow();
    if (seconds !== null && seconds > 0) throw new TooManyRequests(code, refusal, seconds);
  }

  async #record(scopes: readonly Scope[]): Promise<void> {
    for (const { key, allowed, longest, forgetAfter } of scopes) {
      const failures = sql`case when t.last_failure_at < now() - make_interval(secs => ${forgetAfter}) then 1 else t.failures + 1 end`;
      // 2 to the power of 20 first waits are longer than any longest one.
      const wait = (count: typeof failures) => sql`case when ${count} < ${allowed}::int then interval '0'
        else make_interval(secs => least(${longest}::float8, ${this.#options.blockSeconds} * 2.0 ^ least(20, ${count} - ${allowed}::int))) end`;
      await sql`
        insert into login_throttles as t (key, failures, last_failure_at, blocked_until)
        values (${key}, 1, now(), now() + ${wait(sql`1`)})
        on conflict (key) do update set
          failures = ${failures},
          last_failure_at = now(),
          blocked_until = greatest(t.blocked_until, now() + ${wait(failures)})`.execute(this.#db);
    }
  }
}
