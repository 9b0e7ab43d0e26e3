import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { connectDatabase } from '../../database/connect.ts';
import { TooManyRequests } from '../../errors.ts';
import { LoginThrottle } from './throttle.ts';

const secretKey = 'a key of the throttle alone, in its test';

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
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });
  const newThrottle = () =>
    new LoginThrottle(connection.db, { failuresPerAccount: 3, failuresPerAddress: 6, blockSeconds: 60 }, secretKey);
  const isBlocked = (throttle: LoginThrottle, login: string, address: string) =>
    throttle.check(login, address).then(
      () => false,
      (error: unknown) => error instanceof TooManyRequests,
    );
  const fail = async (throttle: LoginThrottle, login: string, address: string, times: number) => {
    for (let index = 0; index < times; index += 1) await throttle.recordFailure(login, address);
  };
  /** Lets time pass for what the throttle has written. */
  const pass = (seconds: number) =>
    sql`update login_throttles set last_failure_at = last_failure_at - make_interval(secs => ${seconds}),
      blocked_until = blocked_until - make_interval(secs => ${seconds})`.execute(connection.db);

  it('blocks with the last failure that is allowed, in every process, and opens again', async () => {
    const [one, two] = [newThrottle(), newThrottle()];
    await fail(one, 'ada', 'a', 2);
    assert.equal(await isBlocked(one, 'ada', 'a'), false);
    await fail(two, 'ADA', 'a', 1);
    assert.deepEqual([await isBlocked(one, 'ada', 'a'), await isBlocked(two, 'Ada', 'a')], [true, true]);
    assert.deepEqual([await isBlocked(one, 'ada', 'b'), await isBlocked(one, 'bob', 'a')], [false, false]);
    await pass(59);
    assert.equal(await isBlocked(one, 'ada', 'a'), true);
    await pass(2);
    assert.equal(await isBlocked(one, 'ada', 'a'), false);
    await fail(one, 'ada', 'a', 2);
    assert.equal(await isBlocked(one, 'ada', 'a'), false, 'old failures count');
  });

  it('counts failures that come at once, all of them', async () => {
    const throttle = newThrottle();
    await Promise.all(Array.from({ length: 3 }, () => throttle.recordFailure('crowd', 'c')));
    assert.equal(await isBlocked(throttle, 'crowd', 'c'), true);
  });

  it('blocks an address that tries many names, and does not let one good login clear it', async () => {
    const throttle = newThrottle();
    for (let index = 0; index < 6; index += 1) {
      await throttle.forgive('mine', 'd');
      await throttle.recordFailure(`name${index}`, 'd');
    }
    assert.equal(await isBlocked(throttle, 'yet another', 'd'), true);
  });

  it('forgets on demand what no longer counts, and keeps what does', async () => {
    const throttle = newThrottle();
    await connection.db.deleteFrom('login_throttles').execute();
    await fail(throttle, 'old', 'e', 3);
    await pass(200);
    await fail(throttle, 'new', 'f', 3);
    await throttle.clean();
    const keys = await connection.db.selectFrom('login_throttles').select('key').orderBy('key').execute();
    assert.ok(!JSON.stringify(keys).includes('new'), 'what somebody typed is not kept');
    assert.deepEqual(keys, [{ key: `${newThrottle().accountPrefix('NEW')}f` }, { key: 'address:f' }]);
  });
});
