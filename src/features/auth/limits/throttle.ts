import { sql } from 'kysely';
import { Lanes } from '../../../../packages/limits/lanes.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { KeyedHash } from '../../../database/keyed-hash.ts';
import { type CodeOf, TooManyRequestsError, tooManyAtOnce } from '../../../errors.ts';
import { foldName } from '../../../values/username.ts';

export type ThrottleOptions = {
  /** The number of failures from which logins to an account have to wait. */
  failuresPerAccount: number;
  /** People who may be behind one address. A network may fail, and register, twice as often before it has to wait. */
  peoplePerAddress: number;
  /** The first and the longest wait of an account in seconds. The wait doubles with each further failure. */
  blockSeconds: number;
  maxBlockSeconds: number;
  /** Seconds after an account's last failure when its failures are cleared. */
  forgetSeconds: number;
  /** Called where a network has to wait. */
  onNetworkLimit?: (limit: NetworkLimit, network: string) => void;
};

/** What a network can do too often. */
export type NetworkLimit = 'logins' | 'registrations' | 'registration_codes' | 'invitations' | 'join_codes';

/** The origin of a request. */
export type Claim = {
  network: string;
  /** Whether the account has logged in from this network before. */
  isKnown: boolean;
};

/** The account of a login attempt: a user's, or an unknown name. */
export type Account = { userId: number } | { name: string };

type Refusal = [code: CodeOf<429>, sentence: string];
/** A counter of failures. Beyond those that are allowed, the wait doubles with each. */
type Failures = { key: string; allowed: number };
/** A rate: so many at once, and then as many in each period. */
type Rate = { key: string; burst: number; periodSeconds: number; limit?: NetworkLimit; network?: string };

/** Links for one account: who needs more has another problem. */
const mailsPerHour = 3;
const [tenMinutes, day] = [600, 86_400];
/** Registrations of all networks in a day, for each of the people behind one address: forty megabytes by default. */
const totalFactor = 40;

const refusals = {
  logins: ['too_many_logins', 'Too many failed logins'],
  registrations: ['too_many_registrations', 'Too many registrations from your network'],
  registration_codes: ['too_many_registration_codes', 'Too many wrong registration codes'],
  invitations: ['too_many_wrong_invitations', 'Too many wrong invitations'],
  join_codes: ['too_many_wrong_join_codes', 'Too many wrong join codes'],
  access_codes: ['too_many_wrong_access_codes', 'Too many wrong access codes'],
} satisfies Record<string, Refusal>;

/**
 * Slows down the guessing of passwords, registration codes, join codes and the access codes of exam sessions, and registrations. Counts are
 * in the database, so all processes share them. Every guess is counted before its outcome is told: while a counter is full it takes no
 * more, and the guess is refused instead. So a burst of guesses learns as much as the same number in sequence.
 *
 * All networks that an account is not known from share one counter. Neither many networks nor another spelling of its name allow further
 * attempts. Each network that the account is known from has its own counter, and no other counter applies there. Attempts by strangers do
 * not lock the user out.
 */
export class LoginThrottle {
  readonly #db: Database;
  readonly #options: ThrottleOptions;
  readonly #hash: KeyedHash;
  /** One try of a user after another, so that those with the right code do not fill the counter. */
  readonly #tries = new Lanes(
    { concurrency: 1, maxWaiting: 100, maxWaitMs: 15_000 },
    tooManyAtOnce('Too many tries at once'),
  );

  constructor(db: Database, options: ThrottleOptions, hash: KeyedHash) {
    this.#db = db;
    this.#options = options;
    this.#hash = hash;
  }

  /** The prefix of an account's keys. A given name may be a password in the wrong field, so it is not stored as it is. */
  accountPrefix(account: Account): string {
    const of = 'userId' in account ? `user ${account.userId}` : `login ${foldName(account.name)}`;
    return `account:${this.#hash(of)}`;
  }

  /** @throws TooManyRequestsError while logins to the account from this network have to wait */
  async check(account: Account, claim: Claim): Promise<void> {
    await this.#check(this.#accountFailures(account, claim).key, refusals.logins);
    if (!claim.isKnown) await this.#checkRate(this.#networkRate('logins', claim.network));
  }

  /** Counts a failure, before it is told. @throws TooManyRequestsError, in place of telling it, where others have filled a counter meanwhile */
  async recordFailure(account: Account, claim: Claim): Promise<void> {
    await this.#count(this.#accountFailures(account, claim), refusals.logins);
    const rate = this.#networkRate('logins', claim.network);
    if (!(await this.#take(rate)) && !claim.isKnown) await this.#checkRate(rate);
  }

  /** A successful login clears the account's failures of its kind: those from that known network, or those of all strangers. */
  async forgive(account: Account, claim: Claim): Promise<void> {
    const { key } = this.#accountFailures(account, claim);
    await this.#db.deleteFrom('login_throttles').where('key', '=', key).execute();
  }

  /** Counts a registration, also one that is refused later. @throws TooManyRequestsError */
  async countRegistration(network: string): Promise<void> {
    const { peoplePerAddress } = this.#options;
    const ofNetwork = { ...this.#networkRate('registrations', network), periodSeconds: day };
    const all = { key: 'registrations', burst: totalFactor * peoplePerAddress, periodSeconds: day };
    if (!(await this.#take(ofNetwork))) await this.#checkRate(ofNetwork);
    if (!(await this.#take(all))) await this.#checkRate({ ...all, limit: 'registrations' });
  }

  /** Registration codes and invitations, which have no account. They are too long to be guessed. @throws TooManyRequestsError */
  async checkCode(limit: 'registration_codes' | 'invitations', network: string): Promise<void> {
    await this.#checkRate(this.#networkRate(limit, network));
  }

  /** Counts a wrong one, before it is told. @throws TooManyRequestsError */
  async recordWrongCode(limit: 'registration_codes' | 'invitations', network: string): Promise<void> {
    const rate = this.#networkRate(limit, network);
    if (!(await this.#take(rate))) await this.#checkRate(rate);
  }

  /**
   * Tries a code with which a user joins a class. Wrong ones count for the user and for the network, because a stranger may have many
   * accounts.
   * @param work undefined for a wrong code @throws TooManyRequestsError
   */
  async tryJoinCode<T>(userId: number, network: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const rate = this.#networkRate('join_codes', network);
    await this.#checkRate(rate);
    const joined = await this.#try(this.#userFailures('join', userId), refusals.join_codes, work, {
      isWrong: (outcome) => outcome === undefined,
    });
    if (joined === undefined && !(await this.#take(rate))) await this.#checkRate(rate);
    return joined;
  }

  /**
   * Tries the access code of an exam session. Wrong ones count for the user alone: only members of the class can try them, and the others
   * of the room are in the same network.
   * @param isWrong whether an error of the work tells that the code was wrong
   * @throws TooManyRequestsError, and any error of the work
   */
  async tryAccessCode<T>(userId: number, work: () => Promise<T>, isWrong: (error: unknown) => boolean): Promise<T> {
    const outcome = await this.#try(
      this.#userFailures('access', userId),
      refusals.access_codes,
      () =>
        work().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        ),
      { isWrong: (ended) => 'error' in ended && isWrong(ended.error) },
    );
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /**
   * Counts a mail that somebody asks for: of the network, and of the account where there is one.
   * @returns whether it may be sent
   */
  async takeMail(network: string, userId: number | undefined): Promise<boolean> {
    const ofNetwork = {
      key: `mails:${this.#hash(network)}`,
      burst: 2 * this.#options.peoplePerAddress,
      periodSeconds: tenMinutes,
    };
    if (!(await this.#take(ofNetwork)) || userId === undefined) return false;
    const key = `${this.accountPrefix({ userId })}:mail`;
    return await this.#take({ key, burst: mailsPerHour, periodSeconds: 3600 });
  }

  /** Removes counters that no longer apply. */
  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('login_throttles')
      .where('last_failure_at', '<', sql<Date>`now() - make_interval(secs => ${this.#longestPeriod})`)
      .where('blocked_until', '<', sql<Date>`now()`)
      .execute();
  }

  get #longestPeriod(): number {
    return Math.max(day, this.#options.forgetSeconds);
  }

  #accountFailures(account: Account, { network, isKnown }: Claim): Failures {
    const prefix = this.accountPrefix(account);
    return { key: isKnown ? `${prefix}:${this.#hash(network)}` : prefix, allowed: this.#options.failuresPerAccount };
  }

  /** The user's key is deleted with the user. */
  #userFailures(kind: 'join' | 'access', userId: number): Failures {
    return { key: `${this.accountPrefix({ userId })}:${kind}`, allowed: this.#options.failuresPerAccount };
  }

  #networkRate(limit: NetworkLimit, network: string): Rate {
    const burst = 2 * this.#options.peoplePerAddress;
    return { key: `${limit}:${this.#hash(network)}`, burst, periodSeconds: tenMinutes, limit, network };
  }

  /** Counts before the work, and takes the count back unless the outcome is wrong. @throws TooManyRequestsError, and any error of the work */
  async #try<T>(
    failures: Failures,
    refusal: Refusal,
    work: () => Promise<T>,
    { isWrong }: { isWrong: (outcome: T) => boolean },
  ): Promise<T> {
    return await this.#tries.run(failures.key, async () => {
      await this.#count(failures, refusal);
      let isCounted = false;
      try {
        const outcome = await work();
        isCounted = isWrong(outcome);
        return outcome;
      } finally {
        if (!isCounted) await this.#markIncomplete(failures);
      }
    });
  }

  /** Counts one failure, unless the counter is full. The lock of its row puts concurrent ones in order. @throws TooManyRequestsError */
  async #count({ key, allowed }: Failures, refusal: Refusal): Promise<void> {
    const { blockSeconds, maxBlockSeconds, forgetSeconds } = this.#options;
    const failures = sql`case when t.last_failure_at < now() - make_interval(secs => ${forgetSeconds}) then 1 else t.failures + 1 end`;
    // 2 to the power of 20 first waits exceed any configured maximum.
    // Not now() while nothing is blocked: the column has milliseconds, and rounding up would block for a part of one.
    const until = (count: typeof failures) => sql`case when ${count} < ${allowed}::int then '-infinity'::timestamptz
      else now() + make_interval(secs => least(${maxBlockSeconds}::float8, ${blockSeconds} * 2.0 ^ least(20, ${count} - ${allowed}::int))) end`;
    const { rows } = await sql`
      insert into login_throttles as t (key, failures, last_failure_at, blocked_until)
      values (${key}, 1, now(), ${until(sql`1`)})
      on conflict (key) do update set failures = ${failures}, last_failure_at = now(), blocked_until = ${until(failures)}
      where t.blocked_until <= clock_timestamp() returning 1`.execute(this.#db);
    if (rows.length === 0) await this.#check(key, refusal, 1);
  }

  async #markIncomplete({ key, allowed }: Failures): Promise<void> {
    await sql`update login_throttles set failures = failures - 1,
        blocked_until = case when failures - 1 < ${allowed}::int then '-infinity' else blocked_until end
      where key = ${key} and failures > 0`.execute(this.#db);
  }

  /** @param least seconds of the wait where it has just ended; 0: then it does not throw @throws TooManyRequestsError */
  async #check(key: string, [code, sentence]: Refusal, least = 0): Promise<void> {
    const wait = Math.max(least, await this.#wait(key));
    if (wait > 0) throw new TooManyRequestsError(code, `${sentence}; try again in ${inMinutes(wait)}`, wait);
  }

  async #checkRate(rate: Rate): Promise<void> {
    const wait = await this.#wait(rate.key);
    if (wait === 0) return;
    const { limit = 'logins', network } = rate;
    if (network !== undefined) this.#options.onNetworkLimit?.(limit, network);
    const [code, sentence] = refusals[limit];
    throw new TooManyRequestsError(code, `${sentence}; try again in ${inMinutes(wait)}`, wait);
  }

  /**
   * Takes one from a rate. `blocked_until` is the moment from which another is allowed (GCRA, the generic cell rate algorithm): it moves on
   * by the interval of one, and lies at most the whole burst in the past.
   * @returns false where none is left
   */
  async #take({ key, burst, periodSeconds }: Rate): Promise<boolean> {
    const interval = sql`make_interval(secs => ${periodSeconds / burst}::float8)`;
    const full = sql`now() - make_interval(secs => ${periodSeconds - periodSeconds / burst}::float8)`;
    const { rows } = await sql`
      insert into login_throttles as t (key, failures, last_failure_at, blocked_until)
      values (${key}, 1, now(), ${full} + ${interval})
      on conflict (key) do update set failures = t.failures + 1, last_failure_at = now(),
        blocked_until = greatest(t.blocked_until, ${full}) + ${interval}
      where t.blocked_until <= clock_timestamp() returning 1`.execute(this.#db);
    return rows.length > 0;
  }

  /** Seconds; 0: not blocked. */
  async #wait(key: string): Promise<number> {
    const row = await this.#db
      .selectFrom('login_throttles')
      .select(sql<number>`extract(epoch from blocked_until - clock_timestamp())::float8`.as('seconds'))
      .where('key', '=', key)
      .where('blocked_until', '>', sql<Date>`clock_timestamp()`)
      .executeTakeFirst();
    return Math.max(0, row?.seconds ?? 0);
  }
}

/** A wait as people read it, in whole minutes. */
function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
