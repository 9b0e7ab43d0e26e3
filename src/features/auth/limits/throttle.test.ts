import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { connectDatabase } from '../../../database/connection/connect.ts';
import { keyedHash } from '../../../database/keyed-hash.ts';
import { TooManyRequestsError } from '../../../errors.ts';
import { type Account, LoginThrottle } from './throttle.ts';

const options = {
  failuresPerAccount: 3,
  peoplePerAddress: 3,
  blockSeconds: 60,
  maxBlockSeconds: 240,
  forgetSeconds: 3600,
};
const ada: Account = { userId: 1 };
const bob: Account = { userId: 2 };
const stranger = (network: string) => ({ network, isKnown: false });
const known = (network: string) => ({ network, isKnown: true });

describe('the throttle of logins', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  before(async () => {
    database = await createTestDatabase();
    connection = connectDatabase({
      address: database.address,
      maxConnections: 5,
      statementTimeout: 15_000,
      acquireTimeout: 5000,
      onError: () => {},
    });
  });
  beforeEach(() => connection.db.deleteFrom('login_throttles').execute());
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });
  const newThrottle = () => new LoginThrottle(connection.db, options, keyedHash('a key of the throttle alone'));
  type From = ReturnType<typeof stranger>;
  /** Seconds until the account may be tried from there. 0 means now. */
  const wait = async (throttle: LoginThrottle, account: Account, from: From): Promise<number> => {
    try {
      await throttle.check(account, from);
      return 0;
    } catch (error) {
      assert.ok(error instanceof TooManyRequestsError, String(error));
      // Seconds, upwards to tens, because some may have passed.
      return 10 * Math.ceil((error.retryAfter ?? 0) / 10);
    }
  };
  const fail = async (throttle: LoginThrottle, account: Account, from: From, times: number) => {
    for (let index = 0; index < times; index += 1)
      await throttle
        .recordFailure(account, from)
        .catch((error: unknown) => assert.ok(error instanceof TooManyRequestsError));
  };
  /** Advances time for what the throttle has written. */
  const pass = (seconds: number) =>
    sql`update login_throttles set last_failure_at = last_failure_at - make_interval(secs => ${seconds}),
      blocked_until = blocked_until - make_interval(secs => ${seconds})`.execute(connection.db);

  it('blocks an account after the last allowed failure, in every process, and longer after each further one', async () => {
    const [one, two] = [newThrottle(), newThrottle()];
    await fail(one, ada, stranger('a'), 2);
    assert.equal(await wait(one, ada, stranger('a')), 0);
    const waits: number[] = [];
    for (let failure = 0; failure < 4; failure += 1) {
      await fail(two, ada, stranger('a'), 1);
      waits.push(await wait(one, ada, stranger('a')));
      await pass(241);
      assert.equal(await wait(two, ada, stranger('a')), 0);
    }
    assert.deepEqual(waits, [60, 120, 240, 240]);
    await pass(3600);
    await fail(one, ada, stranger('a'), 2);
    assert.equal(await wait(one, ada, stranger('a')), 0, 'failures that were forgotten count');
  });

  it('counts all concurrent failures', async () => {
    const throttle = newThrottle();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => throttle.recordFailure(ada, stranger('c'))),
    );
    const told = outcomes.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(told, 3, 'a burst learns as much as a sequence');
    assert.equal(await wait(throttle, ada, stranger('c')), 60, 'refused guesses do not lengthen the wait');
  });

  it('has one counter for all unknown networks of an account, and for all spellings of its name', async () => {
    const throttle = newThrottle();
    for (const network of ['a', 'b', 'c']) await fail(throttle, ada, stranger(network), 1);
    assert.ok((await wait(throttle, ada, stranger('d'))) > 0);
    assert.equal(await wait(throttle, bob, stranger('a')), 0);
    for (const name of ['Nobody', 'nobody ', ' NOBODY']) await fail(throttle, { name }, stranger('e'), 1);
    assert.ok((await wait(throttle, { name: 'nobody' }, stranger('f'))) > 0);
  });

  it('never blocks a known network because of others, and limits it in the same way', async () => {
    const throttle = newThrottle();
    await fail(throttle, ada, stranger('a'), 30);
    assert.equal(await wait(throttle, ada, known('home')), 0);
    assert.equal(await wait(throttle, ada, known('a')), 0, 'a network that is blocked for strangers');
    await fail(throttle, ada, known('home'), 3);
    assert.equal(await wait(throttle, ada, known('home')), 60);
    assert.equal(await wait(throttle, ada, known('work')), 0);
  });

  it('does not block an account with fewer failures for any part of a millisecond', async () => {
    await fail(newThrottle(), ada, stranger('a'), 2);
    const { blocked } = await connection.db
      .selectFrom('login_throttles')
      .select(sql<number>`(count(*) filter (where blocked_until >= last_failure_at))::int`.as('blocked'))
      .executeTakeFirstOrThrow();
    assert.equal(blocked, 0);
  });

  it('resets the failures only of the network that succeeded', async () => {
    const throttle = newThrottle();
    await fail(throttle, ada, stranger('a'), 3);
    await fail(throttle, ada, known('home'), 2);
    await throttle.forgive(ada, known('home'));
    await fail(throttle, ada, known('home'), 2);
    assert.equal(await wait(throttle, ada, known('home')), 0);
    assert.ok((await wait(throttle, ada, stranger('a'))) > 0);
    await throttle.forgive(ada, stranger('a'));
    assert.equal(await wait(throttle, ada, stranger('a')), 0);
  });

  it('blocks a network that tries many names, even after one successful login', async () => {
    const throttle = newThrottle();
    for (let index = 0; index < 6; index += 1) {
      await throttle.forgive(bob, stranger('d'));
      await throttle.recordFailure({ name: `name${index}` }, stranger('d'));
    }
    assert.equal(await wait(throttle, { name: 'yet another' }, stranger('d')), 100, 'a sixth of ten minutes');
    await pass(101);
    assert.equal(await wait(throttle, { name: 'yet another' }, stranger('d')), 0);
    await throttle.recordFailure({ name: 'one more' }, stranger('d'));
    assert.ok((await wait(throttle, { name: 'yet another' }, stranger('d'))) > 0);
    await fail(throttle, ada, known('e'), 2);
    for (let index = 0; index < 4; index += 1) await fail(throttle, { userId: 10 + index }, known('e'), 1);
    assert.ok((await wait(throttle, bob, stranger('e'))) > 0, 'failures at known accounts count');
  });

  it('limits guesses of registration codes by network', async () => {
    const throttle = newThrottle();
    for (let index = 0; index < 6; index += 1) {
      await throttle.checkCode('registration_codes', 'a');
      await throttle.recordWrongCode('registration_codes', 'a');
    }
    await assert.rejects(throttle.checkCode('registration_codes', 'a'), TooManyRequestsError);
    await throttle.checkCode('registration_codes', 'b');
    await throttle.checkCode('invitations', 'a');
    assert.equal(await wait(throttle, ada, stranger('a')), 0);
  });

  it('compares no more codes of a burst than are allowed, and takes back the count of what was right', async () => {
    const throttles = [newThrottle(), newThrottle()];
    let compared = 0;
    const guess = (code: string, index = 0) =>
      (throttles[index % 2] as LoginThrottle).tryAccessCode(
        7,
        async () => {
          compared += 1;
          if (code !== 'right') throw new Error(code);
          return code;
        },
        (error) => (error as Error).message === 'wrong',
      );
    for (let index = 0; index < 9; index += 1) {
      assert.equal(await guess('right', index), 'right');
      await assert.rejects(guess('not open', index), /not open/);
    }
    compared = 0;
    const burst = await Promise.allSettled(Array.from({ length: 388 }, (_, index) => guess('wrong', index)));
    assert.equal(compared, 3);
    const refused = burst.filter((one) => one.status === 'rejected' && one.reason instanceof TooManyRequestsError);
    assert.equal(refused.length, 385);
    await assert.rejects(guess('right'), TooManyRequestsError);
  });

  it('tells waits in minutes, and reports the networks that have to wait', async () => {
    const met: string[] = [];
    const onNetworkLimit = (limit: string, network: string) => void met.push(`${limit} of ${network}`);
    const throttle = new LoginThrottle(connection.db, { ...options, onNetworkLimit }, keyedHash('another key'));
    await fail(throttle, ada, stranger('a'), 4);
    await pass(-30);
    await assert.rejects(throttle.check(ada, stranger('b')), {
      message: 'Too many failed logins; try again in 2 minutes',
    });
    for (let index = 0; index < 6; index += 1) await throttle.countRegistration('room');
    await assert.rejects(throttle.countRegistration('room'), {
      code: 'too_many_registrations',
      message: 'Too many registrations from your network; try again in 240 minutes',
    });
    assert.deepEqual(met, ['registrations of room']);
    // All networks together, of which each keeps to its own limit.
    const registrations = Array.from({ length: 130 }, (_, index) => throttle.countRegistration(`network ${index}`));
    const outcomes = await Promise.allSettled(registrations);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 114);
  });

  it('deletes expired counters on demand, and keeps active ones', async () => {
    const throttle = newThrottle();
    await fail(throttle, { name: 'old' }, known('e'), 3);
    await pass(86_401);
    await fail(throttle, { name: 'new' }, known('f'), 3);
    await throttle.clean();
    const rows = await connection.db.selectFrom('login_throttles').select('key').orderBy('key').execute();
    const keys = rows.map(({ key }) => key);
    assert.ok(!keys.join().includes('new'), 'what somebody typed is not kept');
    assert.equal(keys.length, 2);
    assert.ok(keys[0]?.startsWith(throttle.accountPrefix({ name: 'NEW' })));
    assert.ok(keys[1]?.startsWith('logins:'));
  });
});
