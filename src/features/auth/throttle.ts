import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import { type CodeOf, TooManyRequests } from '../../errors.ts';
import { foldName } from '../../username.ts';

export type ThrottleOptions = {
  /** The number of failures from which logins to an account, and from a network, have to wait. */
  failuresPerAccount: number;
  failuresPerNetwork: number;
  /**
   * The first and the longest wait of an account in seconds. The wait doubles with each further failure. A network's wait stays the first.
   */
  blockSeconds: number;
  maxBlockSeconds: number;
  /** Seconds after an account's last failure when its failures are cleared. */
  forgetSeconds: number;
};

/** The origin of a request. */
export type Claim = {
  network: string;
  /** Whether the account has logged in from this network before. */
  isKnown: boolean;
};

/** The account of a login attempt: a user's, or an unknown name. */
export type Account = { userId: number } | { name: string };

type Scope = { key: string; allowed: number; longest: number; forgetAfter: number };

/**
 * Slows down the guessing of passwords, registration codes, join codes and the access codes of exam sessions. Counts are in the database, so all processes share them.
 * All networks that an account is not known from share one counter. Neither many networks nor another spelling of its name allow further
 * attempts. Each network that the account is known from has its own counter, and no other counter applies there. Attempts by strangers do
 * not lock the user out.
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

  /** The prefix of an account's keys. A given name may be a password in the wrong field, so it is not stored as it is. */
  accountPrefix(account: Account): string {
    const of = 'userId' in account ? `user ${account.userId}` : `login ${foldName(account.name.trim())}`;
    return `account:${this.#hash(of)}`;
  }

  /** @throws TooManyRequests while logins to the account from this network have to wait */
  async check(account: Account, claim: Claim): Promise<void> {
    await this.#check(this.#scopes(account, claim), 'too_many_logins', 'Too many failed logins; try again later');
  }

  async recordFailure(account: Account, claim: Claim): Promise<void> {
    const scopes = this.#scopes(account, claim);
    if (claim.isKnown) scopes.push(this.#networkScope('network', claim.network));
    await this.#record(scopes);
  }

  /** A successful login clears the account's failures of its kind: those from that known network, or those of all strangers. */
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

  /** The same for invitations, whose codes are those of accounts. @throws TooManyRequests */
  async checkInvitations(network: string): Promise<void> {
    await this.#check(
      [this.#networkScope('invitation', network)],
      'too_many_wrong_invitations',
      'Too many wrong invitations; try again later',
    );
  }

  async recordWrongInvitation(network: string): Promise<void> {
    await this.#record([this.#networkScope('invitation', network)]);
  }

  /**
   * The same for codes with which a user joins a class. They count for the user and for the network, because a stranger may have many
   * accounts. @throws TooManyRequests
   */
  async checkJoinCodes(userId: number, network: string): Promise<void> {
    await this.#check(
      this.#joinScopes(userId, network),
      'too_many_wrong_join_codes',
      'Too many wrong join codes; try again later',
    );
  }

  async recordWrongJoinCode(userId: number, network: string): Promise<void> {
    await this.#record(this.#joinScopes(userId, network));
  }

  /**
   * The same for access codes of exam sessions. They count for the user alone: only members of the class can try them, and the others of
   * the room are in the same network. @throws TooManyRequests
   */
  async checkAccessCodes(userId: number): Promise<void> {
    await this.#check(
      [this.#userScope('access', userId)],
      'too_many_wrong_access_codes',
      'Too many wrong access codes; try again later',
    );
  }

  async recordWrongAccessCode(userId: number): Promise<void> {
    await this.#record([this.#userScope('access', userId)]);
  }

  /** Removes counters that no longer apply. */
  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('login_throttles')
      .where('last_failure_at', '<', sql<Date>`now() - make_interval(secs => ${this.#options.forgetSeconds})`)
      .where('blocked_until', '<', sql<Date>`now()`)
      .execute();
  }

  /** The account's own counter comes first. */
  #scopes(account: Account, { network, isKnown }: Claim): Scope[] {
    const { failuresPerAccount, maxBlockSeconds, forgetSeconds } = this.#options;
    const prefix = this.accountPrefix(account);
    const key = isKnown ? `${prefix}:${this.#hash(network)}` : prefix;
    const own = { key, allowed: failuresPerAccount, longest: maxBlockSeconds, forgetAfter: forgetSeconds };
    return isKnown ? [own] : [own, this.#networkScope('network', network)];
  }

  #joinScopes(userId: number, network: string): Scope[] {
    return [this.#userScope('join', userId), this.#networkScope('join', network)];
  }

  /** The user's key is deleted with the user. */
  #userScope(kind: 'join' | 'access', userId: number): Scope {
    const { failuresPerAccount, maxBlockSeconds, forgetSeconds } = this.#options;
    const key = `${this.accountPrefix({ userId })}:${kind}`;
    return { key, allowed: failuresPerAccount, longest: maxBlockSeconds, forgetAfter: forgetSeconds };
  }

  #networkScope(kind: 'network' | 'code' | 'join' | 'invitation', network: string): Scope {
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
      .where('blocked_until', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow();
    if (seconds !== null) throw new TooManyRequests(code, refusal, seconds);
  }

  async #record(scopes: readonly Scope[]): Promise<void> {
    for (const { key, allowed, longest, forgetAfter } of scopes) {
      const failures = sql`case when t.last_failure_at < now() - make_interval(secs => ${forgetAfter}) then 1 else t.failures + 1 end`;
      // 2 to the power of 20 first waits exceed any configured maximum.
      // Not now() while nothing is blocked: the column has milliseconds, and rounding up would block for a part of one.
      const until = (count: typeof failures) => sql`case when ${count} < ${allowed}::int then '-infinity'::timestamptz
        else now() + make_interval(secs => least(${longest}::float8, ${this.#options.blockSeconds} * 2.0 ^ least(20, ${count} - ${allowed}::int))) end`;
      await sql`
        insert into login_throttles as t (key, failures, last_failure_at, blocked_until)
        values (${key}, 1, now(), ${until(sql`1`)})
        on conflict (key) do update set
          failures = ${failures},
          last_failure_at = now(),
          blocked_until = greatest(t.blocked_until, ${until(failures)})`.execute(this.#db);
    }
  }
}
