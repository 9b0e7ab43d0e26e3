import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../../database/connection/connect.ts';
import { keyedHash } from '../../database/keyed-hash.ts';
import { TooManyRequests } from '../../errors.ts';
import { type Account, LoginThrottle } from './throttle.ts';

const options = {
  failuresPerAccount: 3,
  failuresPerNetwork: 6,
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
      assert.ok(error instanceof TooManyRequests, String(error));
      return Math.ceil(error.retryAfter ?? 0);
    }
  };
  const fail = async (throttle: LoginThrottle, account: Account, from: From, times: number) => {
    for (let index = 0; index < times; index += 1) await throttle.recordFailure(account, from);
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
    await Promise.all(Array.from({ length: 3 }, () => throttle.recordFailure(ada, stranger('c'))));
    assert.ok((await wait(throttle, ada, stranger('c'))) > 0);
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
    assert.equal(await wait(throttle, { name: 'yet another' }, stranger('d')), 60);
    await fail(throttle, ada, known('e'), 2);
    for (let index = 0; index < 4; index += 1) await fail(throttle, { userId: 10 + index }, known('e'), 1);
    assert.ok((await wait(throttle, bob, stranger('e'))) > 0, 'failures at known accounts count');
  });

  it('limits guesses of registration codes by network', async () => {
    const throttle = newThrottle();
    for (let index = 0; index < 6; index += 1) {
      await throttle.checkCodes('a');
      await throttle.recordWrongCode('a');
    }
    await assert.rejects(throttle.checkCodes('a'), TooManyRequests);
    await throttle.checkCodes('b');
    assert.equal(await wait(throttle, ada, stranger('a')), 0);
  });

  it('deletes expired counters on demand, and keeps active ones', async () => {
    const throttle = newThrottle();
    await fail(throttle, { name: 'old' }, known('e'), 3);
    await pass(3601);
    await fail(throttle, { name: 'new' }, known('f'), 3);
    await throttle.clean();
    const rows = await connection.db.selectFrom('login_throttles').select('key').orderBy('key').execute();
    const keys = rows.map(({ key }) => key);
    assert.ok(!keys.join().includes('new'), 'what somebody typed is not kept');
    assert.equal(keys.length, 2);
    assert.ok(keys[0]?.startsWith(throttle.accountPrefix({ name: 'NEW' })));
    assert.ok(keys[1]?.startsWith('network:'));
  });
});
