import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TooManyRequestsError } from '../../../errors.ts';
import { Passwords } from './passwords.ts';

const room = { maxWaiting: 100, maxWaitingPerNetwork: 100 };
const passwords = new Passwords({ bcryptCost: 4, concurrency: 2, ...room });

describe('passwords', () => {
  it('are hashed with bcrypt at the configured cost, each with its own salt', async () => {
    const [one, two] = await Promise.all([passwords.hash('the same'), passwords.hash('the same')]);
    assert.match(one, /^\$2[aby]\$04\$/);
    assert.notEqual(one, two);
    assert.deepEqual(await Promise.all([passwords.verify('the same', one), passwords.verify('The same', one)]), [
      true,
      false,
    ]);
  });

  it('match hashes of other bcrypt implementations and versions', async () => {
    // The first is the test vector for "U*U" of OpenBSD's and crypt_blowfish's bcrypt.
    const vector = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    for (const version of ['$2a', '$2b', '$2y']) {
      assert.equal(await passwords.verify('U*U', version + vector.slice(3)), true, version);
      assert.equal(await passwords.verify('U*V', version + vector.slice(3)), false, version);
    }
  });

  it('match no missing user', async () => {
    assert.equal(await passwords.verify('a password that nobody has', undefined), false);
  });

  it('match completely: a password longer than bcrypt reads is refused', async () => {
    const hash = await passwords.hash('x'.repeat(72));
    assert.equal(await passwords.verify('x'.repeat(72), hash), true);
    assert.equal(await passwords.verify('x'.repeat(73), hash), false);
  });

  it('take the same time for missing and existing users', async () => {
    const costly = new Passwords({ bcryptCost: 9, concurrency: 1, ...room });
    const hash = await costly.hash('right');
    await costly.verify('x', undefined);
    const time = async (stored: string | undefined) => {
      const begin = process.cpuUsage();
      await costly.verify('wrong', stored);
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1000;
    };
    // Of the processor, for which others on the machine do not matter, and the least of alternating ones.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 7; round += 1) {
      known = Math.min(known, await time(hash));
      unknown = Math.min(unknown, await time(undefined));
    }
    assert.ok(unknown > known / 3, `${known} ms for one who is there, ${unknown} ms for one who is not`);
  });

  it('are queued, and refused when the queue is full; queued ones are served', async () => {
    const narrow = new Passwords({ bcryptCost: 4, concurrency: 1, maxWaiting: 2, maxWaitingPerNetwork: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => narrow.hash('x')));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    const refusal = results[4] as PromiseRejectedResult;
    assert.ok(refusal.reason instanceof TooManyRequestsError && refusal.reason.retryAfter === 5);
    assert.match(await narrow.hash('x'), /^\$2/);
  });

  it('release the turn when hashing fails', async () => {
    const narrow = new Passwords({ bcryptCost: 4, concurrency: 1, maxWaiting: 2, maxWaitingPerNetwork: 2 });
    for (let index = 0; index < 3; index += 1) await narrow.verify('x', 'not a hash').catch(() => undefined);
    assert.match(await narrow.hash('x'), /^\$2/);
  });
});
